import type { AgentAction, AgentState, RuntimeType } from '../../contract/families/agents.ts';
import type { Acl } from '../../contract/schemas/common.ts';
import { metadataOf, type Sealed, type SealSpec } from '../../domain/records/sealedRecord.ts';
import type { AgentLlm, AgentRecord } from './schemas.ts';

export interface Tracking {
  job_id: string | null;
  action: AgentAction;
  /** Epoch seconds; the deadline counts from here. */
  started_at: number;
  last_polled_at: number | null;
  /** Polls since then. */
  attempts: number;
}

/** The last poll, by the clock of the host that made it. */
export interface Polled {
  domain: string;
  at: number;
  /** How many polls in a row, up to this one, had trouble. */
  troubles: number;
}

/** How the runtime was requested from the cloud. */
export interface Order {
  /** New for each creation and apart from the key: a reused name must not reuse a token. */
  token: string;
  /** Where it was requested; settings may have changed since. */
  place: string | null;
  /** The cloud said no: nothing was made by this token. */
  refused: boolean;
  /** Something was made, and it will never be ready: another try needs a new token. */
  spent: boolean;
  /** A runtime that failed, to be removed before another one takes its name. */
  discarded: string | null;
}

export interface AgentStored extends Sealed {
  name: string;
  description: string;
  is_enabled: boolean;
  runtime_type: RuntimeType;
  system_prompt: string;
  task_prompt: string;
  llm: AgentLlm | null;
  mcps: { name: string; tools: string[] }[];
  knowledge_bases: string[];
  agent_timeout: number;
  acl: Acl;
  state: AgentState;
  /** Why the state is what it is, with its code; also the last problem of a poll. */
  state_reason: string | null;
  state_code: string | null;
  runtime_id: string | null;
  runtime_arn: string | null;
  runtime_version: string | null;
  runtime_status: string | null;
  tracking: Tracking;
  /** Absent until the first poll. */
  polled?: Polled;
  order: Order;
}

const FAMILY = 'agents';

/** What a list can be sorted by; the search looks at name and description. */
export const SORT_KEYS = [
  'name',
  'description',
  'state',
  'runtime_type',
  'created_at',
  'created_by',
  'last_updated_at',
  'last_updated_by',
  'version',
] as const satisfies readonly (keyof AgentStored)[];

export const agentSpec: SealSpec<AgentStored> = {
  family: FAMILY,
  collection: 'ml_agents',
  label: 'agent',
  addresses: () => ({}),
  // What the cloud makes of it is no change of anybody's.
  audited(record) {
    const { versions, tracking, state, state_reason, ...audited } = agentView(record);
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

/** No runtime is known, and none was ever said to be ready or on its way. */
export const NO_RUNTIME = { runtime_id: null, runtime_arn: null, runtime_version: null, runtime_status: null } as const;

/**
 * The record as a reply shows it: the order stays inside. Input fields stand flat beside `versions`, so that it can be sent
 * back.
 */
export function agentView(record: AgentStored): AgentRecord {
  const { name, description, is_enabled, runtime_type, state, acl, tracking } = record;
  const { system_prompt, task_prompt, mcps, knowledge_bases, agent_timeout } = record;
  const llm = record.llm ? { llm: record.llm } : {};
  return {
    name,
    description,
    is_enabled,
    runtime_type,
    state,
    ...(record.state_reason === null ? {} : { state_reason: record.state_reason }),
    ...llm,
    system_prompt,
    task_prompt,
    mcps,
    knowledge_bases,
    agent_timeout,
    acl,
    versions: [
      {
        version: 1,
        state,
        ...llm,
        system_prompt,
        task_prompt,
        tools: { mcps, knowledge_bases },
        agent_timeout,
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
