export const FAMILY = 'vector-stores';
export const VECTOR_STORES = 'ml_vector_stores';

/** Kinds of stores, as `type` of a record names them. */
export const STORE_TYPES = ['CLOUD_KB', 'BUILT_IN', 'OPENSEARCH', 'PGVECTOR'] as const;

export type StoreType = (typeof STORE_TYPES)[number];

/** The type of a body that names none. */
export const DEFAULT_TYPE: StoreType = 'CLOUD_KB';

const EMBEDDING = ['embedding_model', 'chunk_tokens', 'overlap_tokens'] as const;

/** Fields of `details` by type, with secrets; their schemas are not loaded to serve requests. */
export const DETAIL_FIELDS = {
  CLOUD_KB: ['cloud_region', 'kb_id', 'cloud_access_key_id', 'cloud_access_key_token', 'role_arn'],
  BUILT_IN: EMBEDDING,
  OPENSEARCH: [
    ...(['url', 'index', 'vector_field', 'text_field', 'id_field', 'metadata_field'] as const),
    ...(['username', 'password', 'api_key', 'verify_tls', 'ca_certificate'] as const),
    ...EMBEDDING,
  ],
  PGVECTOR: [
    ...(['host', 'port', 'database', 'table', 'username', 'password', 'ssl', 'ca_certificate'] as const),
    ...(['id_column', 'text_column', 'vector_column', 'metadata_column'] as const),
    ...EMBEDDING,
  ],
} as const satisfies Readonly<Record<StoreType, readonly string[]>>;
