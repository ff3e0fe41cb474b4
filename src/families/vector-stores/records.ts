import type { Problem } from '../../contract/codes/faults.ts';
import { METADATA_SORT_KEYS } from '../../contract/schemas/sortKeys.ts';
import { secretsAfter } from '../../domain/secrets/secrets.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { AllFields, ResourceKind } from '../../resources/kind.ts';
import { mergeFields, replaceValue } from '../../resources/merge.ts';
import { STORE_KINDS } from './kinds/registry.ts';
import { DEFAULT_TYPE, type StoreType } from './names.ts';
import type { VectorStoreRecord, VectorStoreUpdate } from './schemas.ts';
import { FAMILY, type StoreDetails, type StoreStored, VECTOR_STORES } from './stored.ts';

/** The body of a create, an update or a test. */
export type StoreFields = Partial<VectorStoreUpdate>;

export const OPERATIONS = { one: 'VectorStore', many: 'VectorStores' } as const;

export const SORT_KEYS = [
  'name',
  'type',
  'description',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof StoreStored)[];

const missing = (type: StoreType, details: { [Field in keyof StoreDetails]?: unknown }, message: string): Problem[] =>
  STORE_KINDS[type].required
    .filter((field) => details[field] === undefined)
    .map((field) => ({ field: `details.${field}`, message }));

export const storeKind: ResourceKind<StoreStored, StoreFields, VectorStoreRecord> = {
  family: FAMILY,
  collection: VECTOR_STORES,
  label: 'vector store',
  access: BY_LIST,
  addresses: ({ type, details }) => STORE_KINDS[type].addresses(details),
  merge: (base, { name = '', type = DEFAULT_TYPE, description, details = {} }) => ({
    name: base?.name ?? name,
    type: base?.type ?? type,
    description: replaceValue(base?.description, description, ''),
    details: mergeFields<StoreDetails>(base?.details ?? {}, details),
  }),
  problems: ({ type, details }, secrets) => [
    ...missing(type, details, 'is required'),
    ...STORE_KINDS[type].problems(details, secretsAfter(secrets)),
  ],
  view: ({ name, type, description, details }) =>
    ({ name, type, description, details }) satisfies AllFields<VectorStoreRecord>,
  hasInlineConfig: ({ details }) => details !== undefined,
  missingForTest: ({ type = DEFAULT_TYPE, details = {} }) =>
    missing(type, details, 'is required, unless only the name of a saved vector store is given'),
};
