import type { CollectionShape } from '../../domain/records/shape.ts';

type Load = () => Promise<Readonly<Record<string, CollectionShape>>>;

const mcp: Load = async () => (await import('../../families/mcp-connections/records.ts')).mcpShapes;
const llm: Load = async () => (await import('../../families/llm-providers/records/connection.ts')).llmShapes;
const containerConnections: Load = async () =>
  (await import('../../families/containers/connections/records.ts')).containerConnectionShapes;
const runtimes: Load = async () => (await import('../../families/containers/runtime/records.ts')).runtimeShapes;
const agents: Load = async () => (await import('../../families/agents/records/records.ts')).agentShapes;
const experiments: Load = async () => (await import('../../families/experiments/records.ts')).experimentShapes;
const history: Load = async () => (await import('../../families/experiments/records.ts')).historyShapes;
const vectorStores: Load = async () => (await import('../../families/vector-stores/stored.ts')).vectorStoreShapes;
const registrations: Load = async () =>
  (await import('../../families/model-registrations/stored.ts')).registrationShapes;
const aliases: Load = async () => (await import('../../families/model-aliases/stored.ts')).aliasShapes;
const limits: Load = async () => (await import('../../families/usage-limits/stored.ts')).limitShapes;
const counters: Load = async () => (await import('../../domain/limits/counterShapes.ts')).counterShapes;
const uploadedModels: Load = async () => (await import('../../families/models/stored.ts')).uploadedModelShapes;
const audit: Load = async () => (await import('../../families/audit/stored.ts')).auditShapes;
const runs: Load = async () => (await import('../../families/runs/stored.ts')).runShapes;
const usage: Load = async () => (await import('../../families/usage/stored.ts')).usageShapes;

const RECORDS: Readonly<Record<string, Load>> = {
  ml_mcp_connections: mcp,
  ml_mcp_listings: mcp,
  ml_llm_connections: llm,
  ml_llm_models: llm,
  ml_container_connections: containerConnections,
  ml_containers: runtimes,
  ml_agents: agents,
  ml_experiments: experiments,
  ml_vector_stores: vectorStores,
  ml_registered_models: registrations,
  ml_model_aliases: aliases,
  ml_usage_limits: limits,
  ml_uploaded_models: uploadedModels,
};

/** Logs, counters and definitions of tools are too large to be searched for unreadable ones by a request. */
const NOT_SEARCHED: Readonly<Record<string, Load>> = {
  ml_mcp_accepted: mcp,
  ml_audit: audit,
  ml_experiment_history: history,
  ml_usage: usage,
  ml_usage_counters: counters,
  ml_runs: runs,
  ml_run_steps: runs,
  ml_run_decisions: runs,
  ml_run_claims: runs,
};

const SHAPES: Readonly<Record<string, Load>> = { ...RECORDS, ...NOT_SEARCHED };

/** The collections whose documents have a shape. */
export const SHAPED: readonly string[] = Object.keys(SHAPES);

/** The collections in which health looks for unreadable records. */
export const SEARCHED: readonly string[] = Object.keys(RECORDS);

/** Loads the records module of one family only: a request reads few collections. */
export const shapeOf = async (collection: string): Promise<CollectionShape | undefined> =>
  (await SHAPES[collection]?.())?.[collection];
