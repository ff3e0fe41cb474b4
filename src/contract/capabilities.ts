/** Capabilities in the order of authorize.conf; `user` grants one to the role ml_user. */
export const CAPABILITIES = {
  edit_agent_connections: {
    user: false,
    for: 'change and test MCP connections and vector stores, and list the tools of MCP connections',
  },
  edit_agents: { user: false, for: 'create, change and delete agents' },
  run_agents: { user: true, for: 'run agents' },
  edit_ai_commander_config: { user: false, for: 'change and test LLM provider configurations' },
  list_ai_commander_config: { user: true, for: 'read LLM provider configurations' },
  list_container_connections: { user: true, for: 'read container connections' },
  edit_container_connections: { user: false, for: 'change and test container connections' },
  list_containers: { user: true, for: 'read runtime data and logs of containers' },
  control_containers: { user: false, for: 'start and stop containers' },
  upload_ml_models: { user: false, for: 'upload models' },
  register_ml_models: { user: false, for: 'register cloud models' },
  use_ai_gateway: { user: true, for: 'use language models through the gateway' },
  list_ml_audit: { user: false, for: 'read the audit trail' },
  list_ml_usage: { user: false, for: 'read the usage of others' },
  edit_usage_limits: { user: false, for: 'read and change usage limits' },
  edit_search_tools: { user: false, for: 'change and test search tools' },
  list_search_tools: { user: true, for: 'use the search tools that list what can be searched' },
  edit_masking: { user: false, for: 'read and change masking policies' },
  run_spl_tool: { user: false, for: 'use the search tool that runs any search which only reads' },
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Capabilities to change what others use. The platform itself has others of this prefix. */
const EDITING = Object.keys(CAPABILITIES).filter((name) => name.startsWith('edit_'));

/** Whether a user has a capability to change what others use. */
export const mayEdit = (capabilities: readonly string[]): boolean =>
  EDITING.some((name) => capabilities.includes(name));

/** Access to an endpoint: for any session, or for callers with any or all of some capabilities. */
export type Gate = 'session' | { any: readonly Capability[] } | { all: readonly Capability[] };

export const USE_GATEWAY = { all: ['use_ai_gateway'] } as const satisfies Gate;
export const RUN_AGENTS = { all: ['use_ai_gateway', 'run_agents'] } as const satisfies Gate;

const AGENT_CONNECTION_CAPABILITIES = { all: ['edit_agent_connections'] } as const satisfies Gate;
export const AGENT_RUN_CAPABILITIES = { all: ['edit_agents', 'run_agents'] } as const satisfies Gate;

export function passes(gate: Gate, capabilities: readonly string[]): boolean {
  if (gate === 'session') return true;
  return 'any' in gate
    ? gate.any.some((name) => capabilities.includes(name))
    : gate.all.every((name) => capabilities.includes(name));
}

export function required(gate: Gate): readonly Capability[] {
  if (gate === 'session') return [];
  return 'any' in gate ? gate.any : gate.all;
}

export const EDIT_MCP_CONNECTIONS = { gate: AGENT_CONNECTION_CAPABILITIES, flag: 'mcp_connections' } as const;

export const EDIT_VECTOR_STORES = { gate: AGENT_CONNECTION_CAPABILITIES, flag: 'vector_stores' } as const;

export const EDIT_USAGE_LIMITS = { all: ['edit_usage_limits'] } as const satisfies Gate;

export const EDIT_MASKING = { all: ['edit_masking'] } as const satisfies Gate;

export const EDIT_SEARCH_TOOLS = { gate: { all: ['edit_search_tools'] }, flag: 'search_tools' } as const;

export const REGISTER_MODELS = { all: ['register_ml_models'] } as const;
export const REGISTRATION_FLAG = 'model_registration';

export const READ_LLM_CONFIGURATIONS = {
  any: ['edit_ai_commander_config', 'list_ai_commander_config'],
} as const satisfies Gate;

export const EDIT_LLM_CONFIGURATIONS = {
  gate: { all: ['edit_ai_commander_config', 'list_ai_commander_config'] },
  flag: 'llm_providers',
} as const;

export const READ_CONNECTIONS = { any: ['list_container_connections', 'edit_container_connections'] } as const;
export const EDIT_CONNECTIONS = { gate: { all: ['edit_container_connections'] }, flag: 'containers' } as const;
export const READ_CONTAINERS = { any: ['list_containers', 'control_containers'] } as const;
