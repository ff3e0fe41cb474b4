/** Capabilities of the app, in the order of authorize.conf; `user` marks those of the role ml_user. */
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
  list_ml_audit: { user: false, for: 'read the audit trail' },
} as const;

export type Capability = keyof typeof CAPABILITIES;

/** Who may call an endpoint: any session, or the owner of any / all of some capabilities. */
export type Gate = 'session' | { any: readonly Capability[] } | { all: readonly Capability[] };

export const AGENT_CONNECTION_CAPABILITIES = { all: ['edit_agent_connections'] } as const satisfies Gate;
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
