/** Filters of the list that ask for equality. */
export const FILTERS = ['family', 'action', 'user', 'outcome', 'error_code', 'request_id'] as const;
/** What `search` looks at. */
export const SEARCHED = ['name', 'user', 'action', 'family', 'error_code'] as const;
