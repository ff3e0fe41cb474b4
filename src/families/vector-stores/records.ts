import type { Problem } from '../../contract/codes/faults.ts';
import { secretsAfter } from '../../domain/secrets/secrets.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { StoreStored } from './definition.ts';
import { kindOf } from './kinds/registry.ts';
import { DEFAULT_TYPE, FAMILY, type StoreType, VECTOR_STORES } from './names.ts';
import type { VectorStoreRecord, VectorStoreUpdate } from './schemas.ts';

/** The body of a create, an update or a test. */
export type StoreFields = Partial<VectorStoreUpdate>;

export const OPERATIONS = { one: 'VectorStore', many: 'VectorStores' } as const;

const missing = (type: StoreType, details: object, message: string): Problem[] =>
  kindOf(type)
    .required.filter((field) => !(field in details))
    .map((field) => ({ field: `details.${field}`, message }));

export const storeKind: ResourceKind<StoreStored, StoreFields, VectorStoreRecord> = {
  family: FAMILY,
  collection: VECTOR_STORES,
  label: 'vector store',
  access: BY_LIST,
  addresses: ({ type, details }) => kindOf(type).addresses(details),
  problems: ({ type, details }, secrets) => [
    ...missing(type, details, 'is required'),
    ...kindOf(type).problems(details, secretsAfter(secrets)),
  ],
  hasInlineConfig: ({ details }) => details !== undefined,
  missingForTest: ({ type = DEFAULT_TYPE, details = {} }) =>
    missing(type, details, 'is required, unless only the name of a saved vector store is given'),
};
