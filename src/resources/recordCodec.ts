import type { Json } from '../contract/basics.ts';
import type { Caller } from '../contract/caller.ts';
import type { RESOURCE_FAMILIES } from '../contract/families/resourceFamilies.ts';
import type { InternalCall, InternalCalls } from '../contract/rows/internalCalls.ts';
import type { RecordPlans } from '../contract/rows/recordPlan.ts';
import { insertSecrets, splitSecrets } from '../domain/secrets/secrets.ts';
import type { RecordStore } from '../ports/stores/recordStore.ts';

export interface Reading {
  calls: InternalCalls;
  caller: Caller;
  records: RecordStore;
}

/** A secret and the keys that lead to it. */
export interface LocatedSecret {
  keys: string[];
  value: string;
}

/** Paths of the secrets in a family's schema; `*` stands for any key. */
type SecretPatterns = readonly string[];

/** Finds the secrets in the records of a family. */
export interface SecretLayout {
  /** Separates the secrets from a record or a spec. */
  split(record: Json, patterns: SecretPatterns): { open: Json; secrets: LocatedSecret[] };
  /** Adds secrets to a spec; `refused` are those that are no secret fields of it. */
  put(
    spec: Json,
    secrets: readonly LocatedSecret[],
    patterns: SecretPatterns,
  ): { spec: Json; refused: LocatedSecret[] };
  /** The keys of a stored secret; undefined if it belongs to another record. */
  keysOf(path: string, spec: Json): string[] | undefined;
}

/**
 * Converts the records of one family to entries of a document and back, in terms of the family's rows. A spec holds the fields of
 * a read that a create accepts, so fields need no line here.
 */
export interface RecordCodec {
  family: (typeof RESOURCE_FAMILIES)[number];
  /** Records may refer only to records of a lower rank, which are imported first. */
  rank: number;
  rows: { read: string; create: string; update: string };
  collection: string;
  keyOf(id: string): string;
  /** The plan of the records, which marks the secrets and says how fields are merged. */
  planned?: keyof RecordPlans;
  secretLayout?: SecretLayout;
  /** Secrets that the server generates if none is sent. */
  generatedSecrets?: readonly string[];
  hasAcl?: boolean;
  /** Every record that the caller may read, as in its reply. */
  all(reading: Reading): AsyncIterable<Json>;
  /** Why a record is excluded from documents; undefined if it is not. */
  exclusionReason?(record: Json): string | undefined;
  /** Unique names of records, in their order. */
  namesOf(records: readonly Json[]): string[];
  /** Normalizes a name for comparison. */
  identityOf(name: string): string;
  /** Whether a reference of another record means the one with this identity; default: it is its name. */
  fitsReference?(identity: string, reference: string): boolean;
  /** Sort key of a name, which is also the order of creation; default: the name. */
  orderOf?(name: string): string;
  /** Whether the names in a spec match the name of its record. */
  matchesName(name: string, spec: Json): boolean;
  /** Name -> id for the rows; undefined if the caller may read no such record. Default: the name is the id. */
  ids?(reading: Reading): Promise<(name: string) => string | undefined>;
  /** The call of the row `read`, which answers the record in `config`; undefined for an impossible id. */
  readCall(id: string): InternalCall | undefined;
  /** Returns further properties of the call of an update, besides the spec. */
  updateCall?(id: string): InternalCall;
  /** An update replaces the whole record: secrets to keep are sent as masks. */
  replaces?: true;
  /** Fields whose objects an update merges, beside those of the plan. */
  mergedFields?: readonly string[];
  /** Dotted path -> default of a field, sent by an update to unset it, beside those of the plan. */
  defaults?: Readonly<Record<string, unknown>>;
  /** The part of a spec that all records of one key share. */
  shared?: string;
  /** Keys that the row `create` accepts and that are not part of a spec. */
  excludedKeys?: readonly string[];
}

/** For names in `field`, compared without regard to case. */
export const namedBy = (field: string): Pick<RecordCodec, 'namesOf' | 'identityOf' | 'matchesName'> => ({
  namesOf: (records) => records.map((record) => String(record[field])),
  identityOf: foldedName,
  matchesName: (name, spec) => !areTexts([spec[field]]) || foldedName(String(spec[field])) === foldedName(name),
});

/** Names of another type are reported by the schema of the row. */
export const areTexts = (parts: readonly unknown[]): boolean => parts.every((part) => typeof part === 'string');

export const foldedName = (name: string): string => name.trim().toLowerCase();

/** All entries of a list; concurrent writes can repeat one. */
export async function* pagesOf(calls: InternalCalls, id: string, call: InternalCall = {}): AsyncGenerator<Json> {
  let offset: number | null = 0;
  while (offset !== null) {
    const query: Record<string, string> = { ...call.query, count: '0', offset: String(offset) };
    const reply: Json = await calls.perform(id, { ...call, query });
    yield* (reply.result ?? []) as Json[];
    offset = (reply.pagination as { next_offset: number | null }).next_offset;
  }
}

/** Secrets are only in the fields that the schema marks. */
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
        (parts) => parts.length === keys.length && parts.every((part, index) => part === '*' || part === keys[index]),
      );
    const values = secrets.filter(isMarked).map(({ keys, value }) => [keys.join('/'), value]);
    return {
      spec: insertSecrets(spec, Object.fromEntries(values)),
      refused: secrets.filter((secret) => !isMarked(secret)),
    };
  },
  keysOf: (path) => path.split('/'),
};
