import { remedyOf } from '../../contract/codes/codes.ts';
import type { AgentAction, AgentState, RuntimeType } from '../../contract/families/agents.ts';
import type { Acl } from '../../contract/schemas/common.ts';
import { metadataOf, type Sealed, type SealSpec } from '../../domain/records/sealedRecord.ts';
import {
  ACL,
  arrayOf,
  type CollectionShape,
  fields,
  flag,
  nullable,
  number,
  optional,
  SEALED,
  type ShapeOf,
  text,
  texts,
} from '../../domain/records/shape.ts';
import type { AgentLlm, AgentRecord } from './schemas.ts';

export interface Tracking {
  job_id: string | null;
  action: AgentAction;
  /** Epoch seconds; the deadline starts here. */
  started_at: number;
  last_polled_at: number | null;
  /** Polls since `started_at`. */
  attempts: number;
}

/** Last poll, timed by the clock of the host that made it. */
export interface Polled {
  domain: string;
  at: number;
  /** Consecutive failed polls. */
  troubles: number;
}

export interface Order {
  /** Idempotency token, new for each creation: a reused name must not reuse a token. */
  token: string;
  /** Cloud location of the request; settings may have changed since. */
  place: string | null;
  /** The cloud refused the request, so nothing was created with this token. */
  refused: boolean;
  /** The created runtime will never be ready: a retry needs a new token. */
  spent: boolean;
  /** Failed runtime to be removed before its name is reused. */
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
  /** Reason and code of the state, or of the last failed poll. */
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
  const { system_prompt, task_prompt, mcps, knowledge_bases, agent_timeout } = record;
  const llm = record.llm ? { llm: record.llm } : {};
  return {
    name,
    description,
    is_enabled,
    runtime_type,
    state,
    ...(record.state_reason === null ? {} : { state_reason: record.state_reason }),
    ...failureOf(record),
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

const agent: ShapeOf<AgentStored> = {
  ...SEALED,
  name: text,
  description: text,
  is_enabled: flag,
  runtime_type: text,
  system_prompt: text,
  task_prompt: text,
  llm: nullable(fields<AgentLlm>({ service: text, connection_name: text, model: text })),
  mcps: arrayOf(fields<AgentStored['mcps'][number]>({ name: text, tools: texts })),
  knowledge_bases: texts,
  agent_timeout: number,
  acl: ACL,
  state: text,
  state_reason: nullable(text),
  state_code: nullable(text),
  runtime_id: nullable(text),
  runtime_arn: nullable(text),
  runtime_version: nullable(text),
  runtime_status: nullable(text),
  tracking: fields<Tracking>({
    job_id: nullable(text),
    action: text,
    started_at: number,
    last_polled_at: nullable(number),
    attempts: number,
  }),
  polled: optional(fields<Polled>({ domain: text, at: number, troubles: number })),
  order: fields<Order>({
    token: text,
    place: nullable(text),
    refused: flag,
    spent: flag,
    discarded: nullable(text),
  }),
};

export const agentShapes: Record<string, CollectionShape> = {
  [agentSpec.collection]: { family: FAMILY, shape: agent },
};
