/** Operations of uses, with their names in `POST /ai_gateway/batch`; undefined if a batch cannot contain them. */
export const BATCH_NAMES = {
  chat: 'chat',
  embeddings: 'embed',
  execute_tool: 'tool',
  retrieve: 'retrieve',
  predict: 'predict',
  invoke_agent: undefined,
  search: undefined,
  index: undefined,
} as const;

export type UsageOperation = keyof typeof BATCH_NAMES;
export const USAGE_OPERATIONS = Object.keys(BATCH_NAMES) as UsageOperation[];

export type BatchName = Exclude<(typeof BATCH_NAMES)[UsageOperation], undefined>;
export const BATCH_OPERATIONS = Object.values(BATCH_NAMES).filter((name) => name !== undefined);

/** Where a use comes from. */
export type UsageWay = 'openai' | 'anthropic' | 'mcp' | 'run' | 'search' | 'rest';

/** Grouping keys of usage reports. */
export const USAGE_KEYS = ['user', 'operation', 'provider', 'connection', 'model', 'alias', 'agent', 'via'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];

export const USAGE_INTERVALS = ['hour', 'day', 'month'] as const;
export type UsageInterval = (typeof USAGE_INTERVALS)[number];

/** Hours are kept apart for so many days, then days. */
export const DAYS_BY_HOUR = 35;

/** Rows of one report. */
export const MAX_USAGE_ROWS = 10_000;

/** Default index for events of uses. */
export const USAGE_INDEX = '_internal';
export const USAGE_SOURCETYPE = 'ml_extension:usage';

/** The app's search commands send the id of their search in this header. It is informational and grants nothing. */
export const SID_HEADER = 'X-ML-Sid';

/** Seconds after which a prediction that a search has begun, and nobody has ended, is forgotten. */
export const BEGUN_KEPT_S = 7 * 86_400;
