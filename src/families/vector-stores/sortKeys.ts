/** What a list can be sorted by; the search looks at name and description. */
export const STORE_SORT_KEYS = [
  'name',
  'type',
  'description',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const;
