import type { Json } from '../../contract/basics.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import type { RecordPlan, RecordPlans } from '../../contract/rows/recordPlan.ts';
import { differences, joinPath, sortKeysDeep } from '../../domain/values/json.ts';
import { type RecordCodec, SCHEMA_LAYOUT, type SecretLayout } from '../../resources/recordCodec.ts';

/** A record of a document without its name. */
export interface DocumentRecord {
  spec: Json;
  /** Dotted paths of stored secrets. */
  secrets: string[];
  acl?: Json;
}

export const layoutOf = ({ secretLayout: secrets = SCHEMA_LAYOUT }: RecordCodec): SecretLayout => secrets;
const UNPLANNED: RecordPlan = { secrets: [], fields: {} };
export const planOf = ({ planned }: RecordCodec, plans: RecordPlans): RecordPlan =>
  planned === undefined ? UNPLANNED : plans[planned];

export function specOf({ excludedKeys: apart = [] }: RecordCodec, body: Json): Json {
  const left = ['acl', 'version', ...apart];
  return Object.fromEntries(Object.entries(body).filter(([key]) => !left.includes(key)));
}

export function toDocumentRecord(
  codec: RecordCodec,
  record: Json,
  calls: InternalCalls,
  plans: RecordPlans,
): DocumentRecord {
  const { body } = calls.known(codec.rows.create, record);
  const { open, secrets } = layoutOf(codec).split(specOf(codec, body), planOf(codec, plans).secrets);
  return {
    spec: sortKeysDeep(open) as Json,
    secrets: secrets.map(({ keys }) => joinPath(keys)).sort(),
    ...(codec.hasAcl ? { acl: sortKeysDeep(record.acl) as Json } : {}),
  };
}

/** Dotted paths of changed fields, without secrets. */
export function changesOf(before: DocumentRecord, after: DocumentRecord): string[] {
  const acl = ({ acl }: DocumentRecord): Json => (acl ? { acl } : {});
  return [...differences(before.spec, after.spec), ...differences(acl(before), acl(after))];
}
