import { append, type Json } from '../../contract/basics.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { foldedName, type Reading, type RecordCodec } from '../../resources/recordCodec.ts';
import { CODECS } from './codecs.ts';
import { FAMILIES, type Family, FORMAT, FORMAT_VERSION, MAX_EXPORT_BYTES } from './constants.ts';
import { type DocumentRecord, toDocumentRecord } from './documentRecord.ts';
import type { ConfigurationRecord, ExportReply } from './schemas.ts';

type LeftOut = ExportReply['not_included'][number];

const NEVER: readonly LeftOut[] = [
  { what: 'secrets', why: 'They never leave the password storage. Send them beside the document on import.' },
  { what: 'uploaded models', why: 'Copy the lookup files __mlspl_<name>.onnx' },
  { what: 'settings', why: 'Copy ml_extension.conf, ml_images.conf and ml_prices.conf' },
  { what: 'history of experiments', why: 'It belongs to this site' },
];

interface Selection {
  families: readonly Family[];
  names: Names | undefined;
}

/** @throws Fault `validation_failed`, `payload_too_large` */
export async function exportRecords(
  reading: Reading,
  plans: RecordPlans,
  query: { family?: string; name?: string },
): Promise<ExportReply> {
  const { families, names } = parseSelection(query);
  const records: ConfigurationRecord[] = [];
  const not_included = [...NEVER];
  const leaveOut = (what: LeftOut) => not_included.push(what);
  let bytes = 0;
  const addSize = (record: DocumentRecord) => {
    bytes += Buffer.byteLength(JSON.stringify(record));
    if (bytes > MAX_EXPORT_BYTES) throw tooLarge();
  };
  for (const family of families) {
    const familyRecords = await collectRecords(CODECS[family], reading, plans, { names, leaveOut, addSize });
    append(
      records,
      familyRecords.map((record) => ({ family, ...record })),
    );
  }
  for (const name of names?.unmatched() ?? [])
    not_included.push({ what: `the name ${name}`, why: 'No record with this name exists, or you may not read it' });
  return { document: { format: FORMAT, format_version: FORMAT_VERSION, records }, not_included };
}

const tooLarge = () =>
  new Fault(
    'payload_too_large',
    `The document would exceed ${MAX_EXPORT_BYTES} bytes. Export single families or names.`,
    { limit: MAX_EXPORT_BYTES },
  );

type ExportedRecord = Omit<ConfigurationRecord, 'family'>;

interface CollectionTerms {
  names: Names | undefined;
  leaveOut(what: LeftOut): void;
  /** @throws Fault if the document gets too large */
  addSize(record: DocumentRecord): void;
}

async function collectRecords(
  codec: RecordCodec,
  reading: Reading,
  plans: RecordPlans,
  { names, leaveOut, addSize }: CollectionTerms,
): Promise<ExportedRecord[]> {
  const { family, namesOf, identityOf, orderOf = (name: string) => name, exclusionReason: leftOut } = codec;
  // Names depend on all records: experiments with the same title are numbered by age.
  const heads: Json[] = [];
  const documentRecords: (DocumentRecord | undefined)[] = [];
  try {
    for await (const record of codec.all(reading)) {
      const [plainName = ''] = namesOf([record]);
      const reason = leftOut?.(record);
      if (reason !== undefined) {
        leaveOut({ what: `${family}/${plainName}`, why: reason });
        continue;
      }
      const documentRecord =
        names?.mayHave(family, plainName) === false ? undefined : toDocumentRecord(codec, record, reading.calls, plans);
      if (documentRecord) addSize(documentRecord);
      heads.push(headOf(record));
      documentRecords.push(documentRecord);
    }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'missing_capability') throw error;
    leaveOut({ what: family, why: error.message });
    return [];
  }
  const namedRecords = namesOf(heads).flatMap((name, index) => {
    const record = documentRecords[index];
    return record && names?.has(family, name) !== false ? [{ name, ...record } as ExportedRecord] : [];
  });
  // Concurrent writes can put an entry on two pages.
  const unique = new Map(namedRecords.map((record) => [identityOf(record.name), record]));
  return [...unique.values()].sort((a, b) => (orderOf(a.name) < orderOf(b.name) ? -1 : 1));
}

/** Names depend on texts and times only; full records can be large. */
const headOf = (record: Json): Json =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => ['string', 'number'].includes(typeof value)));

/** @throws Fault `validation_failed` */
function parseSelection({ family, name }: { family?: string; name?: string }): Selection {
  const families = family === undefined ? FAMILIES : partsOf(family);
  const unknown = families.filter((part) => !FAMILIES.some((name) => name === part));
  if (families.length === 0 || unknown.length > 0)
    throw invalid([{ field: 'family', message: `must be one or more of ${FAMILIES.join(', ')}` }]);
  const selected = FAMILIES.filter((name) => families.includes(name));
  return { families: selected, names: name === undefined ? undefined : new Names(name) };
}

const partsOf = (text: string): string[] => text.split(',').flatMap((part) => part.trim() || []);

const formsOf = (family: string, name: string): string[] => [name, `${family}/${name}`].map(foldedName);

/** Comma-separated names, each with or without its family. The whole text is tried too, for names with commas. */
class Names {
  readonly #text: string;
  readonly #parts: string[];
  readonly #folded: Set<string>;
  readonly #unnumbered: Set<string>;
  readonly #met = new Set<string>();

  constructor(text: string) {
    this.#text = foldedName(text);
    this.#parts = partsOf(text);
    this.#folded = new Set([this.#text, ...this.#parts.map(foldedName)]);
    this.#unnumbered = new Set([...this.#folded].map((name) => name.replace(/ #\d+$/, '')));
  }

  has(family: string, name: string): boolean {
    const met = formsOf(family, name).filter((form) => this.#folded.has(form));
    for (const form of met) this.#met.add(form);
    return met.length > 0;
  }

  /** Whether a record with this plain name can match, perhaps with a number appended. */
  mayHave(family: string, name: string): boolean {
    return formsOf(family, name).some((form) => this.#folded.has(form) || this.#unnumbered.has(form));
  }

  unmatched(): string[] {
    return this.#met.has(this.#text) ? [] : this.#parts.filter((part) => !this.#met.has(foldedName(part)));
  }
}
