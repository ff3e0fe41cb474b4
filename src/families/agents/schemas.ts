import { type Static, Type } from 'typebox';
import {
  AGENT_ACTIONS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  AGENT_STATES,
  RUNTIME_TYPES,
} from '../../contract/agents.ts';
import { Acl, AclInput, Clearable, Metadata, Name, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';
import { INTERVAL_S } from '../../contract/pollWaits.ts';

export const AgentName = Type.String({
  minLength: 1,
  maxLength: 48,
  pattern: AGENT_NAME_PATTERN,
  description: 'Unique name, compared without regard to case; also the name of the runtime.',
  'x-trim': true,
  'x-message': AGENT_NAME_MESSAGE,
});

const Prompt = (description: string) => Type.String({ maxLength: 262_144, description });

export const AgentLlm = named(
  'AgentLlm',
  Type.Object(
    {
      service: Type.String({ minLength: 1, maxLength: 128 }),
      connection_name: Type.String({ minLength: 1, maxLength: 256, 'x-trim': true }),
      model: Type.String({ minLength: 1, maxLength: 256, 'x-trim': true }),
      max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
      response_variability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    },
    { description: 'The saved LLM configuration that the agent thinks with' },
  ),
);

const AgentMcp = named(
  'AgentMcpInput',
  Type.Object({
    name: Name,
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 2000,
        description: 'Names of tools; if none are given, every tool that the connection allows',
      }),
    ),
  }),
);

const RuntimeKind = named(
  'AgentRuntimeType',
  Type.Enum([...RUNTIME_TYPES], { description: 'The cloud service that runs the agent' }),
);

const optionalInput = {
  description: Type.Optional(Clearable(Type.String({ maxLength: 4096 }))),
  runtime_type: Type.Optional(RuntimeKind),
  system_prompt: Type.Optional(Clearable(Prompt('Who the agent is'))),
  task_prompt: Type.Optional(Clearable(Prompt('What it is asked to do'))),
  llm: Type.Optional(Clearable(AgentLlm)),
  mcps: Type.Optional(
    Clearable(Type.Array(AgentMcp, { maxItems: 100, description: 'MCP connections and their tools' })),
  ),
  knowledge_bases: Type.Optional(
    Clearable(Type.Array(Name, { maxItems: 100, description: 'Vector stores that the agent may search' })),
  ),
  agent_timeout: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 3600, description: 'Seconds that one run may take. Default 450.' }),
  ),
  is_enabled: Type.Optional(Type.Boolean({ description: 'Default true' })),
  acl: Type.Optional(AclInput),
};

export const AgentCreate = named('AgentCreate', Type.Object({ name: AgentName, ...optionalInput }));
export const AgentUpdate = named(
  'AgentUpdate',
  Type.Object({ name: AgentName, ...optionalInput, version: Type.Optional(Version) }),
);

const State = named('AgentState', Type.Enum([...AGENT_STATES]));
const Mcps = Type.Array(named('AgentMcp', Type.Object({ name: Type.String(), tools: Type.Array(Type.String()) })));
const Names = Type.Array(Type.String());
const Seconds = Type.Number({ description: 'epoch seconds with a fraction' });

const AgentVersion = named(
  'AgentVersion',
  Type.Object({
    version: Type.Integer(),
    state: State,
    llm: Type.Optional(AgentLlm),
    system_prompt: Type.String(),
    task_prompt: Type.String(),
    tools: Type.Object({ mcps: Mcps, knowledge_bases: Names }),
    agent_timeout: Type.Integer(),
    runtime_params: Type.Object({
      runtime_id: Type.Union([Type.String(), Type.Null()]),
      runtime_arn: Type.Optional(Type.String()),
      runtime_version: Type.Optional(Type.String()),
    }),
  }),
);

const Tracking = named(
  'AgentTracking',
  Type.Object({
    job_id: Type.Union([Type.String(), Type.Null()], { description: 'The search that follows the action' }),
    action: Type.Enum([...AGENT_ACTIONS]),
    started_at: Seconds,
    last_polled_at: Type.Union([Seconds, Type.Null()]),
    attempts: Type.Integer({ description: 'Polls of the cloud since it started' }),
  }),
);

/** What a read shows. */
export const AgentRecord = named(
  'Agent',
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    is_enabled: Type.Boolean(),
    runtime_type: RuntimeKind,
    state: State,
    state_reason: Type.Optional(Type.String({ description: 'Why it is in this state, or the last problem' })),
    llm: Type.Optional(AgentLlm),
    system_prompt: Type.String(),
    task_prompt: Type.String(),
    mcps: Mcps,
    knowledge_bases: Names,
    agent_timeout: Type.Integer(),
    acl: Acl,
    versions: Type.Array(AgentVersion),
    tracking: Tracking,
    ...Metadata,
  }),
);

const JobId = Type.Union([Type.String(), Type.Null()], {
  description: 'The search that follows it; null if none was started',
});

export const AgentStarted = named(
  'AgentStarted',
  Type.Object({
    agent_name: Type.String(),
    runtime_type: RuntimeKind,
    state: State,
    tracking_job_id: JobId,
  }),
);

const ShownState = named('AgentLastState', Type.Enum([...AGENT_STATES, 'Deleted']));

export const AgentDeleting = named(
  'AgentDeleting',
  Type.Object({
    agent_name: Type.String(),
    state: ShownState,
    agent_status: Type.Literal('DELETING'),
    tracking_job_id: JobId,
  }),
);

export const AgentFollow = named(
  'AgentFollow',
  Type.Object({
    action: Type.Enum([...AGENT_ACTIONS]),
    interval: Type.Optional(
      Type.Number({
        minimum: INTERVAL_S.min,
        maximum: INTERVAL_S.max,
        description:
          'For a monitor that polls repeatedly: its longest wait, in seconds. The cloud is asked if the last poll is older than the wait that results from this; otherwise the reply comes from the record. Without it, a poll within the last 0.8 seconds is recent enough.',
      }),
    ),
  }),
);

const Text = Type.String();
export const AgentProgress = named(
  'AgentProgress',
  Type.Object({
    agent_name: Text,
    action: Text,
    state: ShownState,
    previous_state: ShownState,
    runtime_id: Text,
    runtime_status: Type.String({ description: "The cloud's own word for it" }),
    attempt: Type.Integer(),
    elapsed_ms: Type.Integer({ description: 'Since the action started' }),
    done: Type.Integer({ minimum: 0, maximum: 1 }),
    outcome: Type.Enum(['', 'success', 'fail'], { description: 'Empty until done' }),
    error_code: Type.String({ description: 'Empty when all is well' }),
  }),
);

export type AgentLlm = Static<typeof AgentLlm>;
export type AgentCreate = Static<typeof AgentCreate>;
export type AgentUpdate = Static<typeof AgentUpdate>;
export type AgentRecord = Static<typeof AgentRecord>;
export type AgentProgress = Static<typeof AgentProgress>;
