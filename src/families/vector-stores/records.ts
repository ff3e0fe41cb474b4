import { METADATA_SORT_KEYS } from '../../contract/schemas/sortKeys.ts';
import { type AwsKeys, awsAddresses, pairProblems } from '../../domain/net/awsKeys.ts';
import { secretsAfter } from '../../domain/secrets/secrets.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { AllFields, ResourceKind } from '../../resources/kind.ts';
import { mergeFields, replaceValue } from '../../resources/merge.ts';
import { assertUnused } from '../agents/public.ts';
import type { VectorStoreRecord, VectorStoreUpdate } from './schemas.ts';
import { FAMILY, type StoreDetails, type StoreStored, VECTOR_STORES } from './stored.ts';

/** The body of a create, an update or a test. */
export type StoreFields = Partial<VectorStoreUpdate>;

export const SECRET = 'details/cloud_access_key_token';
export const OPERATIONS = { one: 'VectorStore', many: 'VectorStores' } as const;

export const SORT_KEYS = [
  'name',
  'type',
  'description',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof StoreStored)[];

export const keysOf = (details: StoreDetails): AwsKeys => ({
  region: details.cloud_region,
  accessKeyId: details.cloud_access_key_id,
  roleArn: details.role_arn,
});

export const storeKind: ResourceKind<StoreStored, StoreFields, VectorStoreRecord> = {
  family: FAMILY,
  collection: VECTOR_STORES,
  label: 'vector store',
  access: BY_LIST,
  addresses: ({ details }) =>
    awsAddresses(keysOf(details), { region: 'details.cloud_region', role: 'details.role_arn' }),
  merge: (base, { name = '', type = 'CLOUD_KB', description, details = {} }) => ({
    name: base?.name ?? name,
    type: base?.type ?? type,
    description: replaceValue(base?.description, description, ''),
    details: mergeFields<StoreDetails>(base?.details ?? {}, details),
  }),
  problems: ({ details }, secrets) =>
    pairProblems(details.cloud_access_key_id !== undefined, secretsAfter(secrets).includes(SECRET), {
      id: 'details.cloud_access_key_id',
      secret: 'details.cloud_access_key_token',
    }),
  view: ({ name, type, description, details }) =>
    ({ name, type, description, details }) satisfies AllFields<VectorStoreRecord>,
  hasInlineConfig: ({ details }) => details !== undefined,
  missingForTest: ({ details }) =>
    (['cloud_region', 'kb_id'] as const)
      .filter((field) => details?.[field] === undefined)
      .map((field) => ({
        field: `details.${field}`,
        message: 'is required, unless only the name of a saved vector store is given',
      })),
  assertUnused: (records, caller, { name }) => assertUnused(records, caller, 'knowledge_base', name),
};
