import type { Reply } from '../../client/src/index.ts';

export type Flag = keyof Reply<'getFeatureFlags'>['flags'];

/** Feature flag -> name and effect. */
export const FEATURES: Readonly<Record<Flag, readonly [name: string, about: string]>> = {
  agent_builder: ['Agents', 'Create, change and delete agents'],
  ctsm: ['Curated time series models', 'Let users opt out of these models'],
  vector_stores: ['Vector stores', 'Change and test vector stores'],
  mcp_connections: ['MCP connections', 'Change and test MCP connections; list their tools'],
  containers: ['Containers', 'Start and stop containers; change and test their connections'],
  experiments: ['Experiments', 'Change experiments, their history and their models'],
  llm_providers: ['LLM providers', 'Change and test LLM connections'],
  model_upload: ['Model upload', 'Upload and delete models'],
  search_tools: ['Search tools', 'Change and test search tools; search the platform by tools'],
  model_registration: ['Models in the cloud', 'Register, change and test models in the cloud'],
};
