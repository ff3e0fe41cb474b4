import type { Json } from '../../contract/basics.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { foldedName, type Portable, type Reading } from '../../resources/portable.ts';
import { FAMILIES, type Family, FORMAT, FORMAT_VERSION, MAX_EXPORT_BYTES } from './constants.ts';
import { type DocumentRecord, type SecretPaths, toDocumentRecord } from './filed.ts';
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
interface Selection {
  families: readonly Family[];
  names: Names | undefined;
}

/**
 * The records that the caller may read.
 * @throws Fault `validation_failed`, `payload_too_large`
 */
export async function exportRecords(
  reading: Reading,
  paths: SecretPaths,
  query: { family?: string; name?: string },
): Promise<ExportReply> {
  const { families, names } = parseSelection(query);
  const records: ConfigurationRecord[] = [];
  const not_included = [...NEVER];
  const leaveOut = (what: LeftOut) => not_included.push(what);
  let bytes = 0;
  const addSize = (file: DocumentRecord) => {
    bytes += Buffer.byteLength(JSON.stringify(file));
    if (bytes > MAX_EXPORT_BYTES) throw tooLarge();
  };
  for (const family of families) {
    const found = await collectRecords(PORTABLES[family], reading, paths, { names, leaveOut, addSize });
    records.push(...found.map((record) => ({ family, ...record })));
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

interface Collecting {
  names: Names | undefined;
  leaveOut(what: LeftOut): void;
  /** Told of each record that is kept. @throws Fault when there is no room for it */
  addSize(file: DocumentRecord): void;
}

async function collectRecords(
  exporter: Portable,
  reading: Reading,
  paths: SecretPaths,
  { names, leaveOut, addSize }: Collecting,
): Promise<Named[]> {
  const { family, namesOf, identityOf, orderOf = (name: string) => name, leftOut } = exporter;
  // What they are named by: of experiments with one title, the age too, also of those that nobody asks for.
  const heads: Json[] = [];
  const files: (DocumentRecord | undefined)[] = [];
  try {
    for await (const record of exporter.all(reading)) {
      const [plainName = ''] = namesOf([record]);
      const reason = leftOut?.(record);
      if (reason !== undefined) {
        leaveOut({ what: `${family}/${plainName}`, why: reason });
        continue;
      }
      const file =
        names?.mayHave(family, plainName) === false
          ? undefined
          : toDocumentRecord(exporter, record, reading.calls, paths);
      if (file) addSize(file);
      heads.push(headOf(record));
      files.push(file);
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'missing_capability') throw error;
    leaveOut({ what: family, why: error.message });
    return [];
  }
  const all = namesOf(heads).flatMap((name, index) => {
    const file = files[index];
    return file && names?.has(family, name) !== false ? [{ name, ...file } as Named] : [];
  });
  // Others may have written while the list was read: an entry that has moved to another page comes twice.
  const unique = new Map(all.map((record) => [identityOf(record.name), record]));
  return [...unique.values()].sort((a, b) => (orderOf(a.name) < orderOf(b.name) ? -1 : 1));
}

/** What of a record can name it: its texts and times. Records themselves can be large. */
const headOf = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => ['string', 'number'].includes(typeof value)));

/** @throws Fault `validation_failed` */
function parseSelection({ family, name }: { family?: string; name?: string }): Selection {
  const families = family === undefined ? FAMILIES : partsOf(family);
  const unknown = families.filter((one) => !FAMILIES.some((known) => known === one));
  if (families.length === 0 || unknown.length > 0)
    throw invalid([{ field: 'family', message: `must be one or more of ${FAMILIES.join(', ')}` }]);
  const selected = FAMILIES.filter((one) => families.includes(one));
  return { families: selected, names: name === undefined ? undefined : new Names(name) };
}

const partsOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

/** Names as a query lists them, each alone or with its family before it. A name with a comma is known by the whole text. */
class Names {
  readonly #text: string;
  readonly #parts: string[];
  readonly #met = new Set<string>();

  constructor(text: string) {
    this.#text = foldedName(text);
    this.#parts = partsOf(text);
  }

  has(family: string, name: string): boolean {
    const forms = [name, `${family}/${name}`].map(foldedName);
    const met = [this.#text, ...this.#parts.map(foldedName)].filter((one) => forms.includes(one));
    for (const one of met) this.#met.add(one);
    return met.length > 0;
  }

  /** Whether a record that is called so by itself may be one of them: of several with one name, the others have a number behind it. */
  mayHave(family: string, name: string): boolean {
    const forms = [name, `${family}/${name}`].map(foldedName);
    return [this.#text, ...this.#parts.map(foldedName)].some(
      (one) => forms.includes(one.replace(/ #\d+$/, '')) || forms.includes(one),
    );
  }

  unmatched(): string[] {
    return this.#met.has(this.#text) ? [] : this.#parts.filter((part) => !this.#met.has(foldedName(part)));
  }
}
