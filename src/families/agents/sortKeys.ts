/** What a list can be sorted by; the search looks at name and description. */
export const AGENT_SORT_KEYS = [
  'name',
  'description',
  'state',
  'runtime_type',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const;
