/** What a use asks for. */
export const USAGE_OPERATIONS = ['chat', 'embeddings', 'execute_tool', 'retrieve', 'predict', 'invoke_agent'] as const;
export type UsageOperation = (typeof USAGE_OPERATIONS)[number];

/** Where a use comes from. */
export const USAGE_WAYS = ['openai', 'mcp', 'run', 'search', 'rest'] as const;
export type UsageWay = (typeof USAGE_WAYS)[number];

/** By what usage is summed. */
export const USAGE_KEYS = ['user', 'operation', 'provider', 'connection', 'model', 'alias', 'agent', 'via'] as const;
export type UsageKey = (typeof USAGE_KEYS)[number];
