import { remedyOf } from '../../../contract/codes/codes.ts';
import type { AgentAction } from '../../../contract/families/agents.ts';
import { METADATA_SORT_KEYS } from '../../../contract/schemas/sortKeys.ts';
import { metadataOf, type SealSpec } from '../../../domain/records/sealedRecord.ts';
import type { AgentRecord } from '../schemas.ts';
import { type AgentStored, inputOf, type Order, type StoredMcp, type Tracking, toolsOf } from './stored.ts';

const FAMILY = 'agents';

export const SORT_KEYS = [
  'name',
  'description',
  'state',
  'runtime_type',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof AgentStored)[];

export const agentSpec: SealSpec<AgentStored> = {
  family: FAMILY,
  collection: 'ml_agents',
  label: 'agent',
  addresses: () => ({}),
  // State changes made by the cloud are not changes by a user.
  audited(record) {
    const { versions, tracking, state, state_reason, error_code, remedy, ...audited } = agentView(record);
    return audited;
  },
};

export function newTracking(action: AgentAction, now: number): Tracking {
  return { job_id: null, action, started_at: now, last_polled_at: null, attempts: 0 };
}

export const newOrder = (token: string, location: string | null, discarded: string | null = null): Order => ({
  token,
  place: location,
  refused: false,
  spent: false,
  discarded,
});

export const NO_RUNTIME = { runtime_id: null, runtime_arn: null, runtime_version: null, runtime_status: null } as const;

function failureOf({ state_code }: AgentStored): Pick<AgentRecord, 'error_code' | 'remedy'> {
  if (state_code === null) return {};
  const remedy = remedyOf(state_code);
  return { error_code: state_code, ...(remedy ? { remedy } : {}) };
}

/** Input fields are repeated beside `versions`, so that a read can be sent back as an update. */
export function agentView(record: AgentStored): AgentRecord {
  const { name, description, is_enabled, runtime_type, state, acl, tracking } = record;
  const { runtime, llm, mcps, knowledge_bases, max_tokens_per_run, ...rest } = inputOf(record);
  const { system_prompt, task_prompt, agent_timeout, max_steps, approve_tools, approve_tools_named } = rest;
  const before = { ...(runtime ? { runtime } : {}), ...(llm ? { llm } : {}), system_prompt, task_prompt };
  const tools = { mcps: mcps.map(mcpView), knowledge_bases };
  const limits = {
    agent_timeout,
    max_steps,
    ...(max_tokens_per_run === undefined ? {} : { max_tokens_per_run }),
    approve_tools,
    approve_tools_named,
  };
  return {
    name,
    description,
    is_enabled,
    runtime_type,
    state,
    ...(record.state_reason === null ? {} : { state_reason: record.state_reason }),
    ...failureOf(record),
    ...before,
    ...tools,
    ...limits,
    acl,
    versions: [
      {
        version: 1,
        state,
        ...before,
        tools,
        ...limits,
        runtime_params: {
          runtime_id: record.runtime_id,
          ...(record.runtime_arn === null ? {} : { runtime_arn: record.runtime_arn }),
          ...(record.runtime_version === null ? {} : { runtime_version: record.runtime_version }),
        },
      },
    ],
    tracking,
    ...metadataOf(record),
  };
}

function mcpView(mcp: StoredMcp): AgentRecord['mcps'][number] {
  const tools = toolsOf(mcp);
  return { name: mcp.name, ...(tools && { tools }) };
}
