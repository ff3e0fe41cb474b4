import { readFileSync } from 'node:fs';
import { mayAccess } from '../apps/access.ts';
import { objectPath } from '../apps/metadata.ts';
import { parseBoolean, type Stanza } from '../confs/conf.ts';
import { type ConfOptions, stanzasOf } from '../confs/view.ts';
import type { Faults } from '../faults/faults.ts';
import type { PlatformCaller } from '../http/request.ts';
import type { KvBackend } from '../kv/calls.ts';
import { findCollection } from '../kv/collections.ts';
import { accelerationsOf } from '../kv/store/accelerations.ts';
import { typeRules } from '../kv/store/fieldTypes.ts';
import type { LookupTable } from '../search/pipeline/context.ts';
import { searchTerms } from '../search/pipeline/searchTerms.ts';
import { ArgumentError } from '../search/pipeline/spl.ts';
import { parseCsv } from '../search/results/csv.ts';
import { newRow } from '../search/results/rows.ts';
import { mayUseFile } from './access.ts';
import type { LookupFiles, LookupLocation } from './files.ts';

export interface LookupTableOptions extends ConfOptions {
  files: LookupFiles;
  kv: KvBackend;
  faults: Pick<Faults, 'get'>;
}

/** The reader of a table, and the app it is read from. */
export interface LookupReader {
  caller: PlatformCaller;
  app: string;
}

export type LookupType = 'external' | 'file' | 'geo' | 'kvstore';

/** The type of a definition; undefined for a stanza of transforms.conf that is no lookup. */
export function lookupType({ collection, external_cmd, external_type, filename }: Stanza): LookupType | undefined {
  if (external_type?.trim() === 'geo') return 'geo';
  if (collection !== undefined || external_type?.trim() === 'kvstore') return 'kvstore';
  if (external_cmd !== undefined || external_type !== undefined) return 'external';
  return filename === undefined ? undefined : 'file';
}

/** The reasons of splunkd for a collection that cannot be read, by the state of the KV store. */
const UNAVAILABLE: Readonly<Record<string, string>> = {
  disabled: 'disabled because KV Store is disabled.',
  down: 'not available because KV Store initialization has failed. Contact your system administrator.',
  starting: 'not available because KV Store initialization has not completed yet.',
};

/** Reads the table of that definition, or the file of that name. Throws splunkd's refusals. */
export async function readLookup(
  options: LookupTableOptions,
  reader: LookupReader,
  command: string,
  name: string,
): Promise<LookupTable> {
  const fail = (text: string) => new ArgumentError(`Error in '${command}' command: ${text}`);
  const view = { caller: reader.caller, app: reader.app, user: reader.caller.user };
  const stanza = stanzasOf(options, view, 'transforms').find((candidate) => candidate.name === name);
  const keys = stanza?.keys ?? {};
  const type = lookupType(keys);
  const settings = settingsOf(keys);
  if (stanza !== undefined && type !== undefined) {
    if (parseBoolean(keys.disabled) === true)
      throw fail(`The lookup table '${name}' is disabled. Contact your system administrator.`);
    const unsupported = ['time_field', 'time_format'].find((key) => (keys[key] ?? '').trim() !== '');
    if (unsupported !== undefined || /\bCIDR\(/i.test(keys.match_type ?? ''))
      throw fail(
        `The embedded platform cannot use the lookup '${name}', since it has '${unsupported ?? 'match_type = CIDR'}'.`,
      );
    if (type !== 'file' && type !== 'kvstore')
      throw fail(`The embedded platform cannot use the lookup '${name}', since its type is ${type}.`);
    const reason = type === 'kvstore' ? UNAVAILABLE[options.faults.get('kvstore').mode] : undefined;
    if (reason !== undefined) throw fail(`External command based lookup '${name}' is ${reason}`);
    const table =
      type === 'kvstore'
        ? await collectionRows(options, reader, stanza.app.name, keys, fail)
        : fileRows(options, reader, keys.filename ?? '', fail);
    const { matches } = searchTerms(command, keys.filter ?? '', Date.now());
    return { ...table, rows: table.rows.filter((row) => matches(Object.assign(newRow(), row))), ...settings };
  }
  if (!/\.csv$/i.test(name))
    throw fail(
      command === 'inputlookup'
        ? `The lookup table '${name}' requires a .csv or KV store lookup definition.`
        : `The lookup table '${name}' does not exist or is not available.`,
    );
  return { ...fileRows(options, reader, name, fail), ...settings };
}

function settingsOf(keys: Stanza): Omit<LookupTable, 'columns' | 'rows'> {
  const wild = (keys.match_type ?? '').split(',').flatMap((item) => {
    const text = item.trim();
    return text.toUpperCase().startsWith('WILDCARD(') && text.endsWith(')')
      ? [text.slice('WILDCARD('.length, -1).trim()]
      : [];
  });
  const most = Number(keys.max_matches ?? 100);
  const least = Number(keys.min_matches ?? 0);
  return {
    isCaseSensitive: parseBoolean(keys.case_sensitive_match) ?? true,
    matchesWildcards: wild,
    mostMatches: Number.isInteger(most) && most > 0 && most <= 1000 ? most : 100,
    defaultMatch: least > 0 ? (keys.default_match ?? '') : undefined,
  };
}

type Fail = (text: string) => ArgumentError;

function fileRows(options: LookupTableOptions, { caller, app }: LookupReader, file: string, fail: Fail) {
  const places: LookupLocation[] = [
    { app, owner: caller.user },
    { app, owner: 'nobody' },
    ...options
      .apps()
      .filter((other) => other.name !== app && other.isExported(objectPath('lookups', file)))
      .map((other) => ({ app: other.name, owner: 'nobody' })),
  ];
  const place = places.find(
    (location) =>
      options.files.names(location).includes(file) && mayUseFile(options.apps(), caller, location, file, 'read'),
  );
  if (place === undefined) throw fail(`The lookup table '${file}' does not exist or is not available.`);
  let records: string[][];
  try {
    records = parseCsv(readFileSync(options.files.path(place, file), 'utf8'));
  } catch {
    throw fail(`Error reading lookup table '${file}'.`);
  }
  const [columns = [], ...lines] = records;
  const rows = lines.map((values) => Object.fromEntries(columns.map((column, index) => [column, values[index] ?? ''])));
  return { columns, rows };
}

async function collectionRows(
  options: LookupTableOptions,
  { caller }: LookupReader,
  app: string,
  keys: Stanza,
  fail: Fail,
) {
  const name = keys.collection?.trim() ?? '';
  const collection = findCollection(options.apps(), app, name);
  const isReadable =
    collection !== undefined && mayAccess(caller, collection.app.access(objectPath('collections', name)), 'read');
  if (collection === undefined || !isReadable)
    throw fail(
      `Lookup failed because collection '${name}' in app '${app}' does not exist, or user '${caller.user}' does not have read access.`,
    );
  if (parseBoolean(collection.stanza.disabled) === true)
    throw fail(`Lookup failed for user '${caller.user}' because collection '${name}' in app '${app}' is disabled.`);
  const columns = (keys.fields_list ?? '')
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  const { status, body } = await options.kv.run({
    action: 'find',
    at: {
      app: collection.app.name,
      collection: name,
      user: 'nobody',
      accelerations: accelerationsOf(collection.stanza),
    },
    rules: typeRules(collection.stanza),
    args: [['limit', '0']],
    body: Buffer.alloc(0),
    key: '',
  });
  if (status !== 200)
    throw fail(`External lookup table '${name}' returned error code ${status}. Results might be incorrect.`);
  const documents = JSON.parse(String(body)) as Record<string, unknown>[];
  return { columns, rows: documents.map((document) => textRow(columns, document)) };
}

/** Values as text, those that are no text or number as JSON. */
function textRow(columns: readonly string[], document: Record<string, unknown>): Record<string, string> {
  const row: Record<string, string> = {};
  for (const column of columns) {
    const value = Object.hasOwn(document, column) ? document[column] : undefined;
    if (value !== undefined && value !== null)
      row[column] = typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
  return row;
}
