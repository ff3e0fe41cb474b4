import type { Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import type { RESOURCE_FAMILIES } from '../contract/families/resourceFamilies.ts';
import type { InternalCall, InternalCalls } from '../contract/rows/internalCalls.ts';
import { insertSecrets, splitSecrets } from '../domain/secrets/secrets.ts';
import type { RecordStore } from '../ports/stores/recordStore.ts';

/** What records are read with. */
export interface Reading {
  calls: InternalCalls;
  caller: Caller;
  records: RecordStore;
}

/** A secret's place in a record, key by key, and what stands there. */
export interface LocatedSecret {
  keys: string[];
  value: string;
}

/** Paths of the secrets that a family's schema marks. */
type SecretPatterns = readonly string[];

/** Where a family's records have their secrets. */
export interface SecretLayout {
  /** A record, or a spec, without its secrets, and those. */
  split(record: Json, patterns: SecretPatterns): { open: Json; secrets: LocatedSecret[] };
  /** A spec with more secrets, and those that do not fit in it. */
  put(
    spec: Json,
    secrets: readonly LocatedSecret[],
    patterns: SecretPatterns,
  ): { spec: Json; refused: LocatedSecret[] };
  /** The place of a secret by the path under which it is stored; undefined if it belongs to another record. */
  keysOf(path: string, spec: Json): string[] | undefined;
}

/**
 * How the records of one family are written into a document and read from it, in terms of the family's rows. What a record is in
 * a document, its spec, is what the row `create` takes of what the row `read` shows: fields need no line here.
 */
export interface RecordCodec {
  family: (typeof RESOURCE_FAMILIES)[number];
  /** Records of a lower rank come first: those of a higher one may name them. */
  rank: number;
  rows: { read: string; create: string; update: string };
  /** Where records are stored, and under which key. */
  collection: string;
  keyOf(id: string): string;
  /** The family whose schema marks the secrets of these records, if they have any. */
  secretFamily?: string;
  secretLayout?: SecretLayout;
  /** Secrets that the server makes up where none is sent. */
  generatedSecrets?: readonly string[];
  hasAcl?: true;
  /** Every record that the caller may read, as its row shows it. */
  all(reading: Reading): AsyncIterable<Json>;
  /** Why a record does not belong into a document; undefined if it does. */
  exclusionReason?(record: Json): string | undefined;
  /** Names of records in a document, in their order: each is unique. */
  namesOf(records: readonly Json[]): string[];
  /** Two names with one identity are one name. */
  identityOf(name: string): string;
  /** What the records of a document are sorted by, in place of their names: they are created in this order. */
  orderOf?(name: string): string;
  /** Whether a spec belongs under a name. */
  matchesName(name: string, spec: Json): boolean;
  /**
   * Name -> what the rows call the record of this name; undefined if there is none that the caller may read. Absent where that is the
   * name itself.
   */
  ids?(reading: Reading): Promise<(name: string) => string | undefined>;
  /** What the row `read`, which answers the record in `config`, takes for an id; undefined for an id that no record can have. */
  readCall(id: string): InternalCall | undefined;
  /** What an update takes beside the spec. */
  updateCall?(id: string): InternalCall;
  /** Whether an update replaces the whole record: nothing needs to be unset, and secrets that are to stay are sent as masks. */
  replaces?: true;
  /** Fields whose objects an update merges: what it leaves out of them stays. */
  mergedFields?: readonly string[];
  /** Dotted path -> what a field is that is not given, where that is more than absent; an update sends it to unset the field. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The part of a spec that all records of one key have in common. */
  shared?: string;
  /** Keys that the row `create` takes and that are not part of a spec. */
  excludedKeys?: readonly string[];
}

/** The usual kind: names are compared without regard to case, and stand in `field`. */
export const namedBy = (field: string): Pick<RecordCodec, 'namesOf' | 'identityOf' | 'matchesName'> => ({
  namesOf: (records) => records.map((record) => String(record[field])),
  identityOf: foldedName,
  matchesName: (name, spec) => !areTexts([spec[field]]) || foldedName(String(spec[field])) === foldedName(name),
});

/** A name that is no text is not compared: the schema of its row tells of it. */
export const areTexts = (parts: readonly unknown[]): boolean => parts.every((part) => typeof part === 'string');

export const foldedName = (name: string): string => name.trim().toLowerCase();

/** All pages of a list. Others may write meanwhile: an entry can come twice. */
export async function* pagesOf(calls: InternalCalls, id: string, call: InternalCall = {}): AsyncGenerator<Json> {
  let offset: number | null = 0;
  while (offset !== null) {
    const query: Record<string, string> = { ...call.query, count: '0', offset: String(offset) };
    const reply: Json = await calls.perform(id, { ...call, query });
    yield* (reply.result ?? []) as Json[];
    offset = (reply.pagination as { next_offset: number | null }).next_offset;
  }
}

/** Secrets stand where the schema says. */
export const SCHEMA_LAYOUT: SecretLayout = {
  split(record, patterns) {
    const { open, submitted } = splitSecrets(record, patterns);
    const secrets = Object.entries(submitted).flatMap(([path, value]) =>
      value === null ? [] : [{ keys: path.split('/'), value }],
    );
    return { open, secrets };
  },
  put(spec, secrets, marks) {
    const patterns = marks.map((mark) => mark.split('/'));
    const isMarked = ({ keys }: LocatedSecret) =>
      keys.every((key) => !key.includes('/')) &&
      patterns.some(
        (parts) => parts.length === keys.length && parts.every((part, at) => part === '*' || part === keys[at]),
      );
    const values = secrets.filter(isMarked).map(({ keys, value }) => [keys.join('/'), value]);
    return {
      spec: insertSecrets(spec, Object.fromEntries(values)),
      refused: secrets.filter((secret) => !isMarked(secret)),
    };
  },
  keysOf: (path) => path.split('/'),
};
