import { Fault, invalid } from '../../contract/faults.ts';
import type { Json } from '../../contract/json.ts';
import { foldedName, type Portable, type Reading } from '../../resources/portable.ts';
import { FAMILIES, type Family, FORMAT, FORMAT_VERSION, MAX_EXPORT_BYTES } from './constants.ts';
import { type Filed, filed, type SecretPaths } from './filed.ts';
import { PORTABLES } from './portables.ts';
import type { ConfigurationRecord, ExportReply } from './schemas.ts';

type LeftOut = ExportReply['not_included'][number];

/** What no document holds. */
const NEVER: readonly LeftOut[] = [
  { what: 'secrets', why: 'They leave the password storage for nobody; an import takes them beside the document' },
  { what: 'uploaded models', why: 'They are files already: the lookups __mlspl_<name>.onnx' },
  { what: 'settings', why: 'They are files already: ml_extension.conf and ml_images.conf' },
  { what: 'history of experiments', why: 'It tells what has happened on this site' },
];

/** Which records are asked for; undefined = all. */
interface Wanted {
  families: readonly Family[];
  names: Names | undefined;
}

/**
 * The records that the caller may read.
 * @throws Fault `validation_failed`, `payload_too_large`
 */
export async function exported(
  reading: Reading,
  paths: SecretPaths,
  query: { family?: string; name?: string },
): Promise<ExportReply> {
  const { families, names } = wantedBy(query);
  const records: ConfigurationRecord[] = [];
  const not_included = [...NEVER];
  let bytes = 0;
  for (const family of families) {
    const found = await recordsOf(PORTABLES[family], reading, paths, (leftOut) => not_included.push(leftOut));
    for (const record of found) {
      if (names && !names.has(family, record.name)) continue;
      bytes += Buffer.byteLength(JSON.stringify(record));
      if (bytes > MAX_EXPORT_BYTES) throw tooLarge();
      records.push({ family, ...record });
    }
  }
  for (const name of names?.unmatched() ?? [])
    not_included.push({ what: `the name ${name}`, why: 'No record that you may read has it' });
  return { document: { format: FORMAT, format_version: FORMAT_VERSION, records }, not_included };
}

const tooLarge = () =>
  new Fault(
    'payload_too_large',
    `The document would have more than ${MAX_EXPORT_BYTES} bytes: ask for single families or names`,
    { limit: MAX_EXPORT_BYTES },
  );

type Named = Omit<ConfigurationRecord, 'family'>;

async function recordsOf(
  portable: Portable,
  reading: Reading,
  paths: SecretPaths,
  leaveOut: (what: LeftOut) => void,
): Promise<Named[]> {
  const { family, namesOf, identityOf, orderOf = (name: string) => name, leftOut } = portable;
  // What they are named by: of experiments with one title, the age too.
  const heads: Json[] = [];
  const files: Filed[] = [];
  try {
    for await (const record of portable.all(reading)) {
      const reason = leftOut?.(record);
      if (reason !== undefined) leaveOut({ what: `${family}/${namesOf([record])[0]}`, why: reason });
      else {
        const file = filed(portable, record, reading.calls, paths);
        const { created_at, experiment_id } = record;
        heads.push({ ...file.spec, created_at, experiment_id });
        files.push(file);
      }
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'missing_capability') throw error;
    leaveOut({ what: family, why: error.message });
    return [];
  }
  const names = namesOf(heads);
  const all = files.map((file, index) => ({ name: names[index] ?? '', ...file }) as Named);
  // Others may have written while the list was read: an entry that has moved to another page comes twice.
  const unique = new Map(all.map((record) => [identityOf(record.name), record]));
  return [...unique.values()].sort((a, b) => (orderOf(a.name) < orderOf(b.name) ? -1 : 1));
}

/** @throws Fault `validation_failed` */
function wantedBy({ family, name }: { family?: string; name?: string }): Wanted {
  const families = family === undefined ? FAMILIES : partsOf(family);
  const unknown = families.filter((one) => !FAMILIES.some((known) => known === one));
  if (families.length === 0 || unknown.length > 0)
    throw invalid([{ field: 'family', message: `must be one or more of ${FAMILIES.join(', ')}` }]);
  const wanted = FAMILIES.filter((one) => families.includes(one));
  return { families: wanted, names: name === undefined ? undefined : new Names(name) };
}

const partsOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

/** Names as a query lists them, each alone or with its family before it. A name with a comma is known by the whole text. */
class Names {
  readonly #whole: string;
  readonly #parts: string[];
  readonly #met = new Set<string>();

  constructor(text: string) {
    this.#whole = foldedName(text);
    this.#parts = partsOf(text);
  }

  has(family: string, name: string): boolean {
    const forms = [name, `${family}/${name}`].map(foldedName);
    const met = [this.#whole, ...this.#parts.map(foldedName)].filter((one) => forms.includes(one));
    for (const one of met) this.#met.add(one);
    return met.length > 0;
  }

  unmatched(): string[] {
    return this.#met.has(this.#whole) ? [] : this.#parts.filter((part) => !this.#met.has(foldedName(part)));
  }
}
