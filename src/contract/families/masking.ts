/** Operations that a masking policy can name. */
export const MASKED_OPERATIONS = ['chat', 'embeddings', 'execute_tool', 'retrieve', 'predict', 'invoke_agent'] as const;
export type MaskedOperation = (typeof MASKED_OPERATIONS)[number];
