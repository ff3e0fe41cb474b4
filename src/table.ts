import type { TObject, TSchema } from 'typebox';
import { RESOURCE_FAMILIES } from './contract/families/resourceFamilies.ts';
import { COUNTER_INDEXES } from './contract/families/usageLimits.ts';
import type { Endpoint } from './contract/rows/endpoint.ts';
import type { RecordPlan, RecordPlans } from './contract/rows/recordPlan.ts';
import type { UnreadableRecord } from './contract/unreadable.ts';
import { agent } from './families/agents/definition.ts';
import { agents } from './families/agents/endpoints.ts';
import { AUDIT_INDEXES, audit } from './families/audit/endpoints.ts';
import { StoredEntry } from './families/audit/storedSchema.ts';
import { configuration } from './families/configuration/endpoints.ts';
import { connectionHealth } from './families/connection-health/endpoints.ts';
import { connectionInventory } from './families/connection-inventory/endpoints.ts';
import { containers } from './families/containers/endpoints.ts';
import { ConnectionInput } from './families/containers/schemas.ts';
import * as containerSchemas from './families/containers/storedSchemas.ts';
import { EXPERIMENT_INDEXES, experiments, HISTORY_INDEXES } from './families/experiments/endpoints.ts';
import { StoredExperiment, StoredHistoryEntry } from './families/experiments/storedSchemas.ts';
import { featureFlags } from './families/feature-flags/endpoints.ts';
import { llmProviders } from './families/llm-providers/endpoints.ts';
import * as llmSchemas from './families/llm-providers/records/storedSchemas.ts';
import { LlmConfigurationInput } from './families/llm-providers/schemas.ts';
import { maskingPolicy } from './families/masking-policies/definition.ts';
import { maskingPolicies } from './families/masking-policies/endpoints.ts';
import { mcpConnection } from './families/mcp-connections/definition.ts';
import { mcpConnections } from './families/mcp-connections/endpoints.ts';
import * as mcpSchemas from './families/mcp-connections/storedSchemas.ts';
import { modelAlias } from './families/model-aliases/definition.ts';
import { modelAliases } from './families/model-aliases/endpoints.ts';
import { models } from './families/model-files/endpoints.ts';
import { StoredUploadedModel } from './families/model-files/storedSchema.ts';
import { registration } from './families/sagemaker-endpoints/definition.ts';
import { modelRegistrations } from './families/sagemaker-endpoints/endpoints.ts';
import { searchTool } from './families/search-tools/definition.ts';
import { searchTools } from './families/search-tools/endpoints.ts';
import { service } from './families/service/endpoints.ts';
import { usage } from './families/usage/endpoints.ts';
import { StoredUsage } from './families/usage/storedSchema.ts';
import { usageLimit } from './families/usage-limits/definition.ts';
import { usageLimits } from './families/usage-limits/endpoints.ts';
import { STORED_COUNTER_KINDS, StoredCounter } from './families/usage-limits/storedCounters.ts';
import { vectorStore } from './families/vector-stores/definition.ts';
import { documentCollections } from './families/vector-stores/documents/storedSchemas.ts';
import { vectorStores } from './families/vector-stores/endpoints.ts';
import { gateway } from './gateway/endpoints.ts';
import * as runSchemas from './gateway/runs/documents/storedSchemas.ts';
import { RUN_INDEXES, runs } from './gateway/runs/endpoints.ts';

/** Endpoints by family. A new family is one folder and one line here. */
export const families = {
  'mcp-connections': mcpConnections,
  'llm-providers': llmProviders,
  containers,
  agents,
  'feature-flags': featureFlags,
  experiments,
  'vector-stores': vectorStores,
  'model-registrations': modelRegistrations,
  model_aliases: modelAliases,
  usage_limits: usageLimits,
  search_tools: searchTools,
  masking_policies: maskingPolicies,
  'connection-inventory': connectionInventory,
  'connection-health': connectionHealth,
  models,
  audit,
  usage,
  configuration,
  service,
} as const;

/** Endpoints below `/ai_gateway`, by group. */
export const gatewayGroups = { gateway, runs } as const;

export const ABOUT_FAMILIES: Readonly<Record<keyof typeof families | keyof typeof gatewayGroups, string>> = {
  'mcp-connections': 'Connections to MCP servers, their tests and their tools',
  'llm-providers': 'Providers of language models: connections, settings, models',
  containers: 'Connections to Docker and Kubernetes, and the containers that run there',
  agents: 'AI agents: their definitions, versions and runtimes in the cloud',
  'feature-flags': 'Feature flags, and choices of users about curated time series models',
  experiments: 'Experiments, their history and their models',
  'vector-stores': 'Vector stores, which agents search',
  'model-registrations': 'Models that run in a cloud',
  model_aliases: 'Names for language models, with fallbacks',
  usage_limits: 'Limits on the use of models: how much users may use in a window of time',
  search_tools: 'Search tools: searches of the platform that models call, with typed arguments',
  masking_policies: 'Masking policies: what is replaced before a request leaves for a provider, and a preview of it',
  'connection-inventory': 'Connections for forms',
  audit: 'Audit trail: who changed, tested, started and stopped what',
  usage: 'Usage: who used what, how often and at what cost',
  'connection-health': 'Health of the connections of all families: last tests and expiry of credentials',
  models: 'Models in lookup files: upload, list, deletion',
  configuration: 'Configuration as a file: export, plan, import',
  service: 'The app itself: health, and this document',
  gateway: 'Use of what is managed: language models, tools, vector stores, predictions',
  runs: 'Runs of agents: start, steps, approval',
};

/** Families whose endpoints apply access lists. */
const ACCESS_LISTS: readonly (keyof typeof families)[] = [
  'mcp-connections',
  'vector-stores',
  'experiments',
  'agents',
  'model-registrations',
  'model_aliases',
  'search_tools',
];

/** Bodies that mark the secrets of each kind of records, and how the fields of a defined kind are merged. */
export const definitions: Readonly<Record<keyof RecordPlans, { create: TSchema; plan: RecordPlan['fields'] }>> = {
  'mcp-connections': mcpConnection,
  'vector-stores': vectorStore,
  'model-registrations': registration,
  model_aliases: modelAlias,
  usage_limits: usageLimit,
  search_tools: searchTool,
  masking_policies: maskingPolicy,
  agents: agent,
  'llm-providers': { create: LlmConfigurationInput, plan: {} },
  containers: { create: ConnectionInput, plan: {} },
};

export interface CollectionRow {
  holds: string;
  accelerated?: readonly (readonly string[])[];
  /** How a document is checked when it is read; absent for documents that one module of the app writes and reads. */
  stored?: {
    family: UnreadableRecord['family'];
    schema: TObject;
    /** Further fields of documents of a kind, by their field `kind`. */
    kinds?: Readonly<Record<string, TObject>>;
    /** The app can do without the document: an unreadable one counts as missing and is replaced by the next write. */
    replaceable?: true;
    /** `GET /ml/health` does not look for unreadable documents in logs and other large collections. */
    isSearched?: false;
  };
}

export const collections: Readonly<Record<string, string | CollectionRow>> = {
  ml_mcp_connections: {
    holds: 'MCP connections',
    stored: { family: 'mcp-connections', schema: mcpConnection.stored },
  },
  ml_mcp_listings: {
    holds: 'The last tool listing of each MCP connection, the baseline of drift',
    stored: { family: 'mcp-connections', schema: mcpSchemas.StoredListing, replaceable: true },
  },
  ml_mcp_accepted: {
    holds: 'Definitions of the tools of MCP connections that were accepted',
    stored: { family: 'mcp-connections', schema: mcpSchemas.StoredDefinitions, replaceable: true, isSearched: false },
  },
  ml_llm_connections: {
    holds: 'LLM connections, each with its models',
    stored: { family: 'llm-providers', schema: llmSchemas.StoredConnection },
  },
  ml_llm_models: {
    holds: 'The model ids that providers listed last',
    stored: { family: 'llm-providers', schema: llmSchemas.StoredModelList, replaceable: true },
  },
  ml_llm_cooldowns: {
    holds: 'Models that aliases ask last for a while, since a call to them failed',
    stored: { family: 'llm-providers', schema: llmSchemas.StoredCooldown, replaceable: true, isSearched: false },
  },
  ml_container_connections: {
    holds: 'Connections to Docker engines and Kubernetes clusters',
    stored: { family: 'container-connections', schema: containerSchemas.StoredConnection },
  },
  ml_vector_stores: {
    holds: 'Vector store connections',
    stored: { family: 'vector-stores', schema: vectorStore.stored },
  },
  ...documentCollections,
  ml_registered_models: {
    holds: 'Registered cloud models',
    stored: { family: 'model-registrations', schema: registration.stored },
  },
  ml_model_aliases: { holds: 'Model aliases', stored: { family: 'model_aliases', schema: modelAlias.stored } },
  ml_search_tools: { holds: 'Search tools', stored: { family: 'search_tools', schema: searchTool.stored } },
  ml_masking_policies: {
    holds: 'Masking policies',
    stored: { family: 'masking_policies', schema: maskingPolicy.stored },
  },
  ml_usage_limits: { holds: 'Usage limits', stored: { family: 'usage_limits', schema: usageLimit.stored } },
  ml_usage_counters: {
    holds: 'What is used of usage limits in their present windows, and uses that searches have begun',
    accelerated: COUNTER_INDEXES,
    stored: {
      family: 'usage_limits',
      schema: StoredCounter,
      kinds: STORED_COUNTER_KINDS,
      // A counter goes on without a document that cannot be read.
      replaceable: true,
      isSearched: false,
    },
  },
  ml_containers: {
    holds: 'Runtime records: which container runs for a model, and in which state',
    stored: { family: 'containers', schema: containerSchemas.StoredRuntime },
  },
  ml_containers_installation: 'The id that marks objects on engines as those of this installation',
  ml_agents: { holds: 'AI agents', stored: { family: 'agents', schema: agent.stored } },
  ml_runs: {
    holds: 'Runs of agents',
    accelerated: RUN_INDEXES,
    stored: { family: 'runs', schema: runSchemas.StoredRun, isSearched: false },
  },
  ml_run_steps: {
    holds: 'Steps of runs',
    accelerated: [['run_id']],
    stored: { family: 'runs', schema: runSchemas.StoredStep, isSearched: false },
  },
  ml_run_claims: {
    holds: 'Calls and workers of runs that were begun',
    accelerated: [['run_id'], ['search_user', 'claimed_at']],
    stored: { family: 'runs', schema: runSchemas.StoredClaim, isSearched: false },
  },
  ml_alert_claims: {
    holds: 'Results of alerts for which runs were started, and what suppresses others',
    accelerated: [['sid'], ['ends']],
    stored: { family: 'runs', schema: runSchemas.StoredAlertClaim, isSearched: false },
  },
  ml_run_decisions: {
    holds: 'What people decided about runs',
    accelerated: [['run_id']],
    stored: { family: 'runs', schema: runSchemas.StoredDecision, isSearched: false },
  },
  ml_experiments: {
    holds: 'Experiments',
    accelerated: EXPERIMENT_INDEXES,
    stored: { family: 'experiments', schema: StoredExperiment },
  },
  ml_experiment_history: {
    holds: 'What happened to experiments',
    accelerated: HISTORY_INDEXES,
    stored: { family: 'experiments', schema: StoredHistoryEntry, isSearched: false },
  },
  ml_audit: {
    holds: 'The audit trail',
    accelerated: AUDIT_INDEXES,
    stored: { family: 'audit', schema: StoredEntry, isSearched: false },
  },
  ml_usage: {
    holds: 'Sums of usage by hour and day',
    accelerated: [['from'], ['to'], ['kind', 'to'], ['users']],
    stored: { family: 'usage', schema: StoredUsage, isSearched: false },
  },
  ml_uploaded_models: {
    holds: 'Fields and targets of uploaded models',
    stored: { family: 'models', schema: StoredUploadedModel, replaceable: true },
  },
  ml_platform_tokens: 'When tokens that the app was given are renewed; the tokens are in the secret store',
  ml_masking_secret: 'Which secret of the secret store placeholders are derived from',
  ml_ctsm: 'What users have decided about curated time series models',
  ml_doctor: 'Test documents of `mlx doctor`, which empties it',
  ml_schema: 'Schema version of the other collections',
  ml_leases: 'Short-lived leases that serialise writes of one record across processes',
  ml_journal: 'Secrets that are being written or removed, so that a crash leaves nothing behind',
};

export const table: readonly (Endpoint & { family: string })[] = Object.entries({
  ...families,
  ...gatewayGroups,
}).flatMap(([family, rows]) =>
  Object.entries(rows as Readonly<Record<string, Omit<Endpoint, 'id'>>>).map(([id, row]) => ({
    ...row,
    ...(ACCESS_LISTS.some((name) => name === family) ? { acl: true as const } : {}),
    id,
    family,
  })),
);

const usedKeys = new Set<string>();
for (const row of table) {
  const key = `${row.method} ${row.path.replaceAll(/\{\w+/g, '{')}`;
  if (usedKeys.has(key)) throw new Error(`Two endpoint rows for ${row.method} ${row.path}`);
  if (row.method === 'DELETE' && Boolean(row.conditional) === Boolean(row.unversioned)) {
    throw new Error(`${row.id} must be conditional, or say why it is not`);
  }
  if (row.conditional && row.query && 'version' in row.query.properties) {
    throw new Error(`version in the query of ${row.id} is its condition`);
  }
  if (row.audit && !RESOURCE_FAMILIES.some((family) => family === (row.audit?.family ?? row.family))) {
    throw new Error(`${row.id} is of no family that the audit trail knows`);
  }
  if (row.method === 'GET' ? row.unaudited : Boolean(row.audit) === Boolean(row.unaudited)) {
    throw new Error(`${row.id} must have an audit action, or say why it has none`);
  }
  if (usedKeys.has(row.id)) throw new Error(`Two endpoint rows with the id ${row.id}`);
  usedKeys.add(key).add(row.id);
}
