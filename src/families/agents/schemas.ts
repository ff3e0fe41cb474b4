import { type Static, Type } from 'typebox';
import {
  AGENT_ACTIONS,
  AGENT_DEFAULTS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  AGENT_STATES,
  RUNTIME_TYPES,
} from '../../contract/families/agents.ts';
import {
  Acl,
  AclInput,
  Clearable,
  DescriptionInput,
  Metadata,
  Name,
  NameOf,
  Version,
} from '../../contract/schemas/common.ts';
import { llmReference } from '../../contract/schemas/llmReference.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';

export const agentName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 48,
    pattern: AGENT_NAME_PATTERN,
    description,
    'x-trim': true,
    'x-message': AGENT_NAME_MESSAGE,
  });
export const AgentName = agentName('Unique name, compared without regard to case; also the name of the runtime');

const SYSTEM_PROMPT = 'System prompt of the model';
const TASK_PROMPT = 'Task of the agent';
const DESCRIPTION = 'Purpose of the agent, in free text';
const Prompt = (what: string) => Type.String({ maxLength: 262_144, description: `${what}; null empties it` });

export const AgentLlm = named(
  'AgentLlm',
  Type.Object(
    {
      ...llmReference,
      max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Max output tokens' })),
      response_variability: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, description: 'Temperature: 0 is the most predictable' }),
      ),
    },
    {
      description: 'LLM configuration of the agent. It is replaced as a whole; null removes it.',
    },
  ),
);

const TOOLS = 'Names of the tools that it may call; empty: all tools that the connection allows';
const MCP_NAME = 'Name of the MCP connection';
const ABOUT_MCP = { description: 'An MCP connection that an agent may use' };
const AnyMcp = named(
  'AgentMcp',
  Type.Object(
    {
      name: Type.String({ description: MCP_NAME }),
      tools: Type.Optional(Type.Array(Type.String(), { description: TOOLS })),
    },
    ABOUT_MCP,
  ),
);
const AgentMcp = narrowed(
  AnyMcp,
  Type.Object(
    {
      name: NameOf(MCP_NAME),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 2000, description: TOOLS }),
      ),
    },
    { description: 'An MCP connection that the agent may use' },
  ),
);

const runtimeKind = (more: { default?: string } = {}) =>
  named(
    'AgentRuntimeType',
    Type.Enum([...RUNTIME_TYPES], {
      description:
        'The cloud service that runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore.',
      ...more,
    }),
  );
export const RuntimeKind = runtimeKind();
const TIMEOUT = 'Time limit of one run, in seconds';
const Timeout = (more: { default?: number } = {}) =>
  Type.Integer({ minimum: 1, maximum: 3600, description: TIMEOUT, ...more });
const IS_ENABLED = 'Whether the agent is enabled; false does not change its runtime';
const MCPS = 'MCP connections whose tools the agent may call';
const KNOWLEDGE_BASES = 'Names of the vector stores that the agent may search';

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
  runtime_type: Type.Optional(RuntimeKind),
  system_prompt: Type.Optional(Clearable(Prompt(SYSTEM_PROMPT))),
  task_prompt: Type.Optional(Clearable(Prompt(TASK_PROMPT))),
  llm: Type.Optional(Clearable(AgentLlm)),
  mcps: Type.Optional(
    Clearable(
      Type.Array(AgentMcp, {
        maxItems: 100,
        description: `${MCPS}. The list is replaced as a whole; null empties it.`,
      }),
    ),
  ),
  knowledge_bases: Type.Optional(
    Clearable(
      Type.Array(Name, {
        maxItems: 100,
        description: `${KNOWLEDGE_BASES}. The list is replaced as a whole; null empties it.`,
        'x-form': { uniqueItems: true },
      }),
    ),
  ),
  agent_timeout: Type.Optional(Timeout()),
  is_enabled: Type.Optional(Type.Boolean({ description: IS_ENABLED })),
  acl: Type.Optional(AclInput),
};

export const AgentCreate = named(
  'AgentCreate',
  Type.Object(
    {
      name: AgentName,
      ...optionalInput,
      runtime_type: Type.Optional(runtimeKind({ default: AGENT_DEFAULTS.runtime_type })),
      agent_timeout: Type.Optional(Timeout({ default: AGENT_DEFAULTS.agent_timeout })),
      is_enabled: Type.Optional(Type.Boolean({ default: AGENT_DEFAULTS.is_enabled, description: IS_ENABLED })),
    },
    { description: 'A new agent; the records that it names must exist and be readable by the caller' },
  ),
);
export const AgentUpdate = named(
  'AgentUpdate',
  Type.Object(
    { name: AgentName, ...optionalInput, version: Type.Optional(Version) },
    { description: 'A change of the agent with this name. Omitted fields stay; runtime_type cannot change.' },
  ),
);

const ABOUT_STATES =
  'Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated.';
/** A state, or `Deleted`. */
export const LastState = (description: string) =>
  named('AgentState', Type.Enum([...AGENT_STATES, 'Deleted'], { description }));
export const State = narrowed(LastState(''), Type.Enum([...AGENT_STATES], { description: ABOUT_STATES }));
const McpView = narrowed(
  AnyMcp,
  Type.Object(
    {
      name: Type.String({ description: MCP_NAME }),
      tools: Type.Array(Type.String(), { description: TOOLS }),
    },
    ABOUT_MCP,
  ),
);
const Mcps = Type.Array(McpView, { description: MCPS });
const StoreNames = Type.Array(Type.String(), { description: KNOWLEDGE_BASES });
const SystemPromptView = Type.String({ description: SYSTEM_PROMPT });
const TaskPromptView = Type.String({ description: TASK_PROMPT });
const TimeoutView = Type.Integer({ description: TIMEOUT });

const AgentVersion = named(
  'AgentVersion',
  Type.Object(
    {
      version: Type.Integer({ description: 'Number of this version: 1' }),
      state: State,
      llm: Type.Optional(AgentLlm),
      system_prompt: SystemPromptView,
      task_prompt: TaskPromptView,
      tools: Type.Object(
        { mcps: Mcps, knowledge_bases: StoreNames },
        { description: 'Tools and vector stores of the agent' },
      ),
      agent_timeout: TimeoutView,
      runtime_params: Type.Object(
        {
          runtime_id: Type.Union([Type.String(), Type.Null()], {
            description: 'Id of the runtime in the cloud; null while unknown',
          }),
          runtime_arn: Type.Optional(Type.String({ description: 'ARN of the runtime; absent while unknown' })),
          runtime_version: Type.Optional(
            Type.String({
              description: 'Version of the runtime in the cloud; absent while unknown',
            }),
          ),
        },
        { description: 'The runtime in the cloud' },
      ),
    },
    { description: 'Definition of the agent. The same fields are at the top level of the agent.' },
  ),
);

export const JobId = Type.Union([Type.String(), Type.Null()], {
  description: 'Id of the monitoring search; null if it could not be started, see warnings',
});

export const Action = (description: string) => named('AgentAction', Type.Enum([...AGENT_ACTIONS], { description }));

const Tracking = named(
  'AgentTracking',
  Type.Object(
    {
      job_id: JobId,
      action: Action('The last action on the runtime'),
      started_at: Type.Number({ description: 'When it began, epoch seconds with a fraction' }),
      last_polled_at: Type.Union([Type.Number(), Type.Null()], {
        description: 'When the cloud was last polled, epoch seconds with a fraction; null if not yet',
      }),
      attempts: Type.Integer({ description: 'Polls of the cloud since it began' }),
    },
    { description: 'Monitoring of the last creation or deletion' },
  ),
);

export const AgentRecord = named(
  'Agent',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the agent, as written at its creation' }),
      description: Type.String({ description: DESCRIPTION }),
      is_enabled: Type.Boolean({ description: IS_ENABLED }),
      runtime_type: RuntimeKind,
      state: State,
      state_reason: Type.Optional(
        Type.String({
          description: 'Reason of the state, or error of the last poll; absent if there is none',
        }),
      ),
      error_code: Type.Optional(Type.String({ description: 'Code of state_reason' })),
      remedy: Type.Optional(Type.String({ description: 'What a person can do about error_code' })),
      llm: Type.Optional(AgentLlm),
      system_prompt: SystemPromptView,
      task_prompt: TaskPromptView,
      mcps: Mcps,
      knowledge_bases: StoreNames,
      agent_timeout: TimeoutView,
      acl: Acl,
      versions: Type.Array(AgentVersion, { description: 'The versions of the agent; there is one' }),
      tracking: Tracking,
      ...Metadata,
    },
    { description: 'A prompt, a language model and tools, run by a cloud service' },
  ),
);

export type AgentLlm = Static<typeof AgentLlm>;
export type AgentCreate = Static<typeof AgentCreate>;
export type AgentUpdate = Static<typeof AgentUpdate>;
export type AgentRecord = Static<typeof AgentRecord>;
