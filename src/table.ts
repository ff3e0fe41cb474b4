import type { TSchema } from 'typebox';
import type { Endpoint } from './contract/endpoint.ts';
import { featureFlags } from './families/feature-flags/endpoints.ts';
import { llmProviders } from './families/llm-providers/endpoints.ts';
import { LlmConfigurationInput } from './families/llm-providers/schemas.ts';
import { mcpConnections } from './families/mcp-connections/endpoints.ts';
import { McpCreate } from './families/mcp-connections/schemas.ts';
import { service } from './families/service/endpoints.ts';

/** Every family's rows, by folder name. A new family is one folder and one line here. */
export const families = {
  'mcp-connections': mcpConnections,
  'llm-providers': llmProviders,
  'feature-flags': featureFlags,
  service,
} as const;

/** The schemas that mark each family's secrets. */
export const secretSchemas: Readonly<Record<string, TSchema>> = {
  'mcp-connections': McpCreate,
  'llm-providers': LlmConfigurationInput,
};

/** Collections of the record store, with what each holds. */
export const collections = {
  ml_mcp_connections: 'MCP connections',
  ml_mcp_listings: 'The last tool listing of each MCP connection, against which drift is told',
  ml_llm_connections: 'LLM connections, each with its models',
  ml_llm_models: 'The model ids that providers listed last',
  ml_agents: 'AI agents',
  ml_leases: 'Short-lived claims that serialise writes of one record across processes',
  ml_journal: 'Secret references in play, so that a crash leaves nothing over',
} as const;

export const table: readonly (Endpoint & { family: string })[] = Object.entries(families).flatMap(([family, rows]) =>
  Object.entries(rows as Readonly<Record<string, Omit<Endpoint, 'id'>>>).map(([id, row]) => ({ ...row, id, family })),
);

const seen = new Set<string>();
for (const row of table) {
  const key = `${row.method} ${row.path.replaceAll(/\{\w+/g, '{')}`;
  if (seen.has(key)) throw new Error(`Two endpoint rows for ${row.method} ${row.path}`);
  if (seen.has(row.id)) throw new Error(`Two endpoint rows with the id ${row.id}`);
  seen.add(key).add(row.id);
}
