import type { Acl, LastTest } from '../../contract/common.ts';
import { invalid } from '../../contract/faults.ts';
import { type AwsKeys, awsAddresses, pairProblems } from '../../domain/awsKeys.ts';
import type { Open, Sealed, SealSpec } from '../../domain/sealed.ts';
import { decide, type GivenSecrets, masked } from '../../domain/secrets.ts';
import type { VectorStoreRecord } from './schemas.ts';

export type StoreType = 'CLOUD_KB';

/** What is stored of `details`: its secret lives elsewhere. */
export interface StoreDetails {
  cloud_access_key_id?: string;
  role_arn?: string;
  cloud_region: string;
  kb_id: string;
}

export interface StoreStored extends Sealed {
  name: string;
  type: StoreType;
  description: string;
  details: StoreDetails;
  acl: Acl;
  last_test?: LastTest;
}
export type StoreOpen = Open<StoreStored>;

export const FAMILY = 'vector-stores';
export const SECRET = 'details/cloud_access_key_token';

export const storeSpec: SealSpec<StoreStored> = {
  family: FAMILY,
  collection: 'ml_vector_stores',
  label: 'vector store',
  addresses: ({ details }) =>
    awsAddresses(keysOf(details), { region: 'details.cloud_region', role: 'details.role_arn' }),
};

export const keysOf = (details: StoreDetails): AwsKeys => ({
  region: details.cloud_region,
  accessKeyId: details.cloud_access_key_id,
  roleArn: details.role_arn,
});

/**
 * Checks what the schema cannot say of a whole vector store.
 * @throws Fault `validation_failed`, `masked_value_without_stored_secret`
 */
export function assertValid(details: StoreDetails, given: GivenSecrets, stored: readonly string[]): void {
  const { keep, set } = decide(given, stored);
  const hasSecret = keep.includes(SECRET) || SECRET in set;
  const problems = pairProblems(details.cloud_access_key_id !== undefined, hasSecret, {
    id: 'details.cloud_access_key_id',
    secret: 'details.cloud_access_key_token',
  });
  if (problems.length > 0) throw invalid(problems);
}

/** The record as a reply shows it: the secret masked, inner fields left out. */
export function storeView(record: StoreStored): VectorStoreRecord {
  const { name, type, description, details, acl, version, created_at, created_by, last_updated_at, last_updated_by } =
    record;
  const view = { name, type, description, details, acl, version, created_at, created_by };
  return masked<VectorStoreRecord>(
    { ...view, last_updated_at, last_updated_by, ...(record.last_test ? { last_test: record.last_test } : {}) },
    record.secret_fields,
  );
}
