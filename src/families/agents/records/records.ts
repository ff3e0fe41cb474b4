import { remedyOf } from '../../../contract/codes/codes.ts';
import type { AgentAction, AgentState, RuntimeType } from '../../../contract/families/agents.ts';
import type { Acl } from '../../../contract/schemas/common.ts';
import { METADATA_SORT_KEYS } from '../../../contract/schemas/sortKeys.ts';
import { metadataOf, type Sealed, type SealSpec } from '../../../domain/records/sealedRecord.ts';
import * as is from '../../../domain/records/shape.ts';
import { ACL, type CollectionShape, SEALED, type ShapeOf } from '../../../domain/records/shape.ts';
import type { AgentLlm, AgentRecord } from '../schemas.ts';

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
  name: is.text,
  description: is.text,
  is_enabled: is.flag,
  runtime_type: is.text,
  system_prompt: is.text,
  task_prompt: is.text,
  // Without a service, `model` is a model reference.
  llm: is.nullable(
    is.fields<AgentLlm>({ service: is.optional(is.text), connection_name: is.optional(is.text), model: is.text }),
  ),
  mcps: is.arrayOf(is.fields<AgentStored['mcps'][number]>({ name: is.text, tools: is.texts })),
  knowledge_bases: is.texts,
  agent_timeout: is.number,
  acl: ACL,
  state: is.text,
  state_reason: is.nullable(is.text),
  state_code: is.nullable(is.text),
  runtime_id: is.nullable(is.text),
  runtime_arn: is.nullable(is.text),
  runtime_version: is.nullable(is.text),
  runtime_status: is.nullable(is.text),
  tracking: is.fields<Tracking>({
    job_id: is.nullable(is.text),
    action: is.text,
    started_at: is.number,
    last_polled_at: is.nullable(is.number),
    attempts: is.number,
  }),
  polled: is.optional(is.fields<Polled>({ domain: is.text, at: is.number, troubles: is.number })),
  order: is.fields<Order>({
    token: is.text,
    place: is.nullable(is.text),
    refused: is.flag,
    spent: is.flag,
    discarded: is.nullable(is.text),
  }),
};

export const agentShapes: Record<string, CollectionShape> = {
  [agentSpec.collection]: { family: FAMILY, shape: agent },
};
