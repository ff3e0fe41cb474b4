import { Fault, type Problem } from '../../contract/codes/faults.ts';
import { storedCertificates } from '../../domain/net/certificates.ts';
import { secretsAfter } from '../../domain/secrets/secrets.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { StoreStored } from './definition.ts';
import { hasPassages } from './documents/catalogue.ts';
import type { EmbeddingDetails } from './kinds/embedding.ts';
import { kindOf } from './kinds/registry.ts';
import { DEFAULT_TYPE, FAMILY, STORE_TYPES, type StoreType, VECTOR_STORES } from './names.ts';
import type { VectorStoreRecord, VectorStoreUpdate } from './schemas.ts';

/** The body of a create, an update or a test. */
export type StoreFields = Partial<VectorStoreUpdate>;

export const OPERATIONS = { one: 'VectorStore', many: 'VectorStores' } as const;

const missing = (type: StoreType, details: object, message: string): Problem[] =>
  kindOf(type)
    .required.filter((field) => !(field in details))
    .map((field) => ({ field: `details.${field}`, message }));

/** The details with the values that a body omits. */
function completed(
  type: StoreType,
  details: StoreStored['details'],
  before: StoreStored['details'] | undefined,
): StoreStored['details'] {
  const { ca_certificate: ca } = details as { ca_certificate?: unknown };
  const { ca_certificate: stored } = (before ?? {}) as { ca_certificate?: string };
  return {
    ...kindOf(type).defaults,
    ...details,
    // Rules also run on bodies that fail their schema.
    ...(typeof ca === 'string' && { ca_certificate: storedCertificates(ca, stored) }),
  };
}

function fieldsOf(type: StoreType): readonly string[] {
  const { required, optional } = kindOf(type);
  return [...required, ...optional];
}

/** Fields of other types; a field that no type has may be one of a newer version. @param secrets paths such as `details/password` */
function foreign(type: StoreType, details: object, secrets: readonly string[]): Problem[] {
  const others = STORE_TYPES.flatMap(fieldsOf);
  return [...Object.keys(details), ...secrets.map((path) => path.replace(/^details\//, ''))]
    .filter((field) => others.includes(field) && !fieldsOf(type).includes(field))
    .map((field) => ({ field: `details.${field}`, message: `is not for stores of type ${type}` }));
}

const PASSAGE_FIELDS = ['embedding_model', 'chunk_tokens', 'overlap_tokens'] as const;

/** @throws Fault `invalid_state`: passages of two models cannot be compared */
async function assertKeepsEmbedding(
  records: RecordStore,
  before: StoreStored,
  details: EmbeddingDetails,
): Promise<void> {
  const stored = before.details as EmbeddingDetails;
  const changed = PASSAGE_FIELDS.filter((field) => details[field] !== stored[field]);
  if (changed.length === 0 || !(await hasPassages(records, before))) return;
  const names = changed.map((field) => `details.${field}`).join(', ');
  throw new Fault('invalid_state', `${names} cannot be changed while the store has documents: delete them first`);
}

export const storeKind: ResourceKind<StoreStored, StoreFields, VectorStoreRecord> = {
  family: FAMILY,
  collection: VECTOR_STORES,
  label: 'vector store',
  access: BY_LIST,
  addresses: ({ type, details }) => kindOf(type).addresses(details),
  trust: ({ type, details }) => kindOf(type).trust?.(details) ?? {},
  merge: (base, _body, _context, { type, details }) => ({ details: completed(type, details, base?.details) }),
  problems: ({ type, details }, secrets) => [
    ...foreign(type, details, secretsAfter(secrets)),
    ...missing(type, details, 'is required'),
    ...kindOf(type).problems(details, secretsAfter(secrets)),
  ],
  async assertMayMove(records, before, { type, details }) {
    if (type === 'BUILT_IN') await assertKeepsEmbedding(records, before, details as EmbeddingDetails);
  },
  hasInlineConfig: ({ details }) => details !== undefined,
  missingForTest: ({ type = DEFAULT_TYPE, details = {} }) =>
    missing(type, details, 'is required, unless only the name of a saved vector store is given'),
};
