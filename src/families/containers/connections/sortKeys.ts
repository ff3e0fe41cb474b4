/** What a list can be sorted by. */
export const CONNECTION_SORT_KEYS = [
  'connection_name',
  'container_type',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const;
