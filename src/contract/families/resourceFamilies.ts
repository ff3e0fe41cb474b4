/** Names of resource families in the audit trail, exports and health reports. */
export const RESOURCE_FAMILIES = [
  'mcp-connections',
  'llm-providers',
  'container-connections',
  'vector-stores',
  'model-registrations',
  'experiments',
  'agents',
  'containers',
  'models',
  'feature-flags',
  'configuration',
  'connection-health',
  'model_aliases',
  'usage_limits',
  'search_tools',
  'masking_policies',
  'runs',
] as const;

export type ResourceFamily = (typeof RESOURCE_FAMILIES)[number];
