/** A search tool is also a part of the name of a tool, so it needs no quoting. */
export const SEARCH_TOOL_PATTERN = '^[a-z][a-z0-9_]{0,47}$';
export const SEARCH_TOOL_MESSAGE = 'must be 1 to 48 characters: first a letter (a-z), then letters (a-z), digits and _';

export const SEARCH_TOOL_DEFAULTS = {
  earliest: '-24h',
  latest: 'now',
  app: 'search',
  max_rows: 200,
  timeout_s: 60,
  is_enabled: true,
} as const;

export const MAX_SEARCH_ROWS = 1000;
export const MAX_SEARCH_TIMEOUT_S = 100;

export const ARGUMENT_TYPES = [
  'string',
  'integer',
  'number',
  'boolean',
  'time',
  'index',
  'sourcetype',
  'field',
] as const;

/** Tools that every installation has, each with the capability that it needs. */
export const BUILT_IN_SEARCH_TOOLS = {
  spl: 'run_spl_tool',
  indexes: 'list_search_tools',
  sourcetypes: 'list_search_tools',
  fields: 'list_search_tools',
  lookups: 'list_search_tools',
  data_models: 'list_search_tools',
  saved_searches: 'list_search_tools',
} as const;

export type BuiltInSearchTool = keyof typeof BUILT_IN_SEARCH_TOOLS;

export const isBuiltInSearchTool = (name: string): name is BuiltInSearchTool =>
  Object.hasOwn(BUILT_IN_SEARCH_TOOLS, name);

/** The provider of searches in records of use. */
export const SEARCH_PROVIDER = 'splunk';
