export const FAMILY = 'vector-stores';
export const VECTOR_STORES = 'ml_vector_stores';

/** Kinds of stores, as `type` of a record names them. */
export const STORE_TYPES = ['CLOUD_KB', 'BUILT_IN', 'OPENSEARCH', 'PGVECTOR'] as const;

export type StoreType = (typeof STORE_TYPES)[number];

/** The type of a body that names none. */
export const DEFAULT_TYPE: StoreType = 'CLOUD_KB';
