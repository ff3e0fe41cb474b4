/** Sort keys of all lists; each list supports some. */
export const SORT_KEYS = [
  'name',
  'id',
  'title',
  'description',
  'type',
  'family',
  'state',
  'status',
  'auth_state',
  'runtime_type',
  'service',
  'connection_name',
  'connection_type',
  'container_type',
  'model',
  'owner',
  'app',
  'sharing',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'updated_at',
  'expires_at',
  'started_at',
  'time',
  'timestamp',
  'version',
  'window',
] as const;

/** Sort keys of records with metadata. */
export const METADATA_SORT_KEYS = [
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const satisfies readonly SortKey[];

export type SortKey = (typeof SORT_KEYS)[number];
