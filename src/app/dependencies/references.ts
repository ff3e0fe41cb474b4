/** The references between records of all families, loaded when they are asked for. */
export const references = async () => [
  (await import('../../families/agents/naming.ts')).AGENT_NAMING,
  (await import('../../families/model-aliases/naming.ts')).ALIAS_NAMING,
  (await import('../../families/vector-stores/naming.ts')).STORE_NAMING,
  (await import('../../families/masking-policies/naming.ts')).POLICY_NAMING,
];
