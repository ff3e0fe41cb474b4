import { remedyOf } from '../../../contract/codes/codes.ts';
import { type AgentAction, RUNTIME_TYPES } from '../../../contract/families/agents.ts';
import { METADATA_SORT_KEYS } from '../../../contract/schemas/sortKeys.ts';
import { metadataOf, type SealSpec } from '../../../domain/records/sealedRecord.ts';
import * as is from '../../../domain/records/shape.ts';
import { ACL, type CollectionShape, SEALED, type ShapeOf } from '../../../domain/records/shape.ts';
import type { AgentLlm } from '../inputSchemas.ts';
import type { AgentRecord } from '../schemas.ts';
import {
  type AgentStored,
  inputOf,
  type Order,
  type Polled,
  type StoredMcp,
  type Tracking,
  toolsOf,
} from './stored.ts';

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

const agent: ShapeOf<AgentStored> = {
  ...SEALED,
  name: is.text,
  description: is.text,
  is_enabled: is.flag,
  runtime_type: is.oneOf(...RUNTIME_TYPES),
  runtime: is.optional(is.fields<NonNullable<AgentStored['runtime']>>({ container: is.text })),
  system_prompt: is.text,
  task_prompt: is.text,
  // Without a service, `model` is a model reference.
  llm: is.nullable(
    is.fields<AgentLlm>({ service: is.optional(is.text), connection_name: is.optional(is.text), model: is.text }),
  ),
  mcps: is.arrayOf(is.fields<StoredMcp>({ name: is.text, tools: is.texts })),
  knowledge_bases: is.texts,
  agent_timeout: is.number,
  max_steps: is.optional(is.number),
  max_tokens_per_run: is.optional(is.number),
  approve_tools: is.optional(is.text),
  approve_tools_named: is.optional(is.texts),
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
