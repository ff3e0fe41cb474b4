import type { Json } from '../../contract/basics.ts';
import type { InternalCalls } from '../../contract/rows/internalCalls.ts';
import { differences, joinPath, sortKeysDeep } from '../../domain/values/json.ts';
import { MARKED_SECRETS, type Portable, type SecretPlaces } from '../../resources/portable.ts';

/** Family -> paths of secret fields in its schema. */
export type SecretPaths = Readonly<Record<string, readonly string[]>>;

/** A record of a document without its name. */
export interface DocumentRecord {
  spec: Json;
  /** Dotted paths of stored secrets. */
  secrets: string[];
  acl?: Json;
}

export const placesOf = ({ secrets = MARKED_SECRETS }: Portable): SecretPlaces => secrets;
export const secretPathsOf = ({ marks }: Portable, paths: SecretPaths): readonly string[] =>
  marks === undefined ? [] : (paths[marks] ?? []);

export function specOf({ apart = [] }: Portable, body: Json): Json {
  const left = ['acl', 'version', ...apart];
  return Object.fromEntries(Object.entries(body).filter(([key]) => !left.includes(key)));
}

export function toDocumentRecord(
  exporter: Portable,
  record: Json,
  calls: InternalCalls,
  paths: SecretPaths,
): DocumentRecord {
  const { body } = calls.known(exporter.rows.create, record);
  const { open, secrets } = placesOf(exporter).split(specOf(exporter, body), secretPathsOf(exporter, paths));
  return {
    spec: sortKeysDeep(open) as Json,
    secrets: secrets.map(({ keys }) => joinPath(keys)).sort(),
    ...(exporter.hasAcl ? { acl: sortKeysDeep(record.acl) as Json } : {}),
  };
}

/** Dotted paths of changed fields, without secrets. */
export function changesOf(before: DocumentRecord, after: DocumentRecord): string[] {
  const acl = ({ acl }: DocumentRecord): Json => (acl ? { acl } : {});
  return [...differences(before.spec, after.spec), ...differences(acl(before), acl(after))];
}
