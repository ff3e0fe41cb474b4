import { type Static, Type } from 'typebox';
import {
  AGENT_DEFAULTS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  APPROVALS,
  MAX_AGENT_TIMEOUT,
  RUNTIME_TYPES,
} from '../../contract/families/agents.ts';
import { AclInput, Clearable, DescriptionInput, Name, NameOf, Version } from '../../contract/schemas/common.ts';
import { ContainerModel } from '../../contract/schemas/containerModel.ts';
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

/** Descriptions of fields that a record repeats. */
export const ABOUT = {
  description: 'Purpose of the agent, in free text',
  system_prompt: 'System prompt of the model',
  task_prompt: 'Task of the agent',
  mcps: 'MCP connections whose tools the agent may call',
  mcp: 'Name of the MCP connection',
  tools: 'Names of the tools that it may call; empty: none; absent: all tools that the connection allows',
  knowledge_bases: 'Names of the vector stores that the agent may search',
  agent_timeout: 'Time limit of one run, in seconds',
  max_steps: 'Limit of the requests to the model in one run',
  max_tokens_per_run: 'Limit of the input and output tokens of one run together, checked before each request',
  approve_tools_named:
    'Tools whose calls a person has to approve whatever approve_tools says, named as the model sees them: <connection>__<tool>',
  is_enabled: 'Whether the agent is enabled; false does not change its runtime',
} as const;

const Prompt = (what: string) => Type.String({ maxLength: 262_144, description: `${what}; null empties it` });

export const AgentLlm = named(
  'AgentLlm',
  Type.Object(
    {
      service: Type.Optional(llmReference.service),
      connection_name: Type.Optional(llmReference.connection_name),
      model: Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "With service and connection_name the provider's id of the model, compared exactly. Alone a model reference: an alias, <connection>/<model>, <service>/<connection>/<model>, or a model that only one configuration has.",
        'x-trim': true,
      }),
      max_tokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Max output tokens' })),
      response_variability: Type.Optional(
        Type.Number({ minimum: 0, maximum: 1, description: 'Temperature: 0 is the most predictable' }),
      ),
    },
    { description: 'Model of the agent. It is replaced as a whole; null removes it.' },
  ),
);

const ABOUT_MCP = { description: 'An MCP connection that an agent may use' };
const McpName = Type.String({ description: ABOUT.mcp });
export const AgentMcp = named(
  'AgentMcp',
  Type.Object(
    { name: McpName, tools: Type.Optional(Type.Array(Type.String(), { description: ABOUT.tools })) },
    ABOUT_MCP,
  ),
);
const McpInput = narrowed(
  AgentMcp,
  Type.Object(
    {
      name: NameOf(ABOUT.mcp),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 2000, description: ABOUT.tools }),
      ),
    },
    ABOUT_MCP,
  ),
);

export const AgentRuntime = named(
  'AgentRuntime',
  Type.Object(
    { container: Type.Optional(ContainerModel('Model of the container that runs the agent; required for CONTAINER')) },
    { description: 'What the runtime type needs. It is replaced as a whole.' },
  ),
);

const runtimeKind = (more: { default?: string } = {}) =>
  named(
    'AgentRuntimeType',
    Type.Enum([...RUNTIME_TYPES], {
      description:
        'What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container.',
      ...more,
    }),
  );
export const RuntimeKind = runtimeKind();

const approval = (more: { default?: string } = {}) =>
  named(
    'AgentApproval',
    Type.Enum([...APPROVALS], {
      description:
        'Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none.',
      ...more,
    }),
  );
export const Approval = approval();

type Default<T> = { default?: T };
const timeout = (more: Default<number> = {}) =>
  Type.Integer({ minimum: 1, maximum: MAX_AGENT_TIMEOUT, description: ABOUT.agent_timeout, ...more });
const maxSteps = (more: Default<number> = {}) =>
  Type.Integer({ minimum: 1, maximum: 100, description: ABOUT.max_steps, ...more });
const isEnabled = (more: Default<boolean> = {}) => Type.Boolean({ description: ABOUT.is_enabled, ...more });

const replacedList = (about: string) => `${about}. The list is replaced as a whole; null empties it.`;

const definition = {
  description: DescriptionInput(ABOUT.description),
  runtime_type: Type.Optional(RuntimeKind),
  runtime: Type.Optional(Clearable(AgentRuntime)),
  system_prompt: Type.Optional(Clearable(Prompt(ABOUT.system_prompt))),
  task_prompt: Type.Optional(Clearable(Prompt(ABOUT.task_prompt))),
  llm: Type.Optional(Clearable(AgentLlm)),
  mcps: Type.Optional(Clearable(Type.Array(McpInput, { maxItems: 100, description: replacedList(ABOUT.mcps) }))),
  knowledge_bases: Type.Optional(
    Clearable(
      Type.Array(Name, {
        maxItems: 100,
        description: replacedList(ABOUT.knowledge_bases),
        'x-form': { uniqueItems: true },
      }),
    ),
  ),
  agent_timeout: Type.Optional(timeout()),
  max_steps: Type.Optional(maxSteps()),
  max_tokens_per_run: Type.Optional(
    Clearable(
      Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: `${ABOUT.max_tokens_per_run}; null removes it` }),
    ),
  ),
  approve_tools: Type.Optional(Approval),
  approve_tools_named: Type.Optional(
    Clearable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 1000,
        description: replacedList(ABOUT.approve_tools_named),
      }),
    ),
  ),
  is_enabled: Type.Optional(isEnabled()),
};
const withDefaults = {
  ...definition,
  runtime_type: Type.Optional(runtimeKind({ default: AGENT_DEFAULTS.runtime_type })),
  agent_timeout: Type.Optional(timeout({ default: AGENT_DEFAULTS.agent_timeout })),
  max_steps: Type.Optional(maxSteps({ default: AGENT_DEFAULTS.max_steps })),
  approve_tools: Type.Optional(approval({ default: AGENT_DEFAULTS.approve_tools })),
  is_enabled: Type.Optional(isEnabled({ default: AGENT_DEFAULTS.is_enabled })),
};

export const AgentCreate = named(
  'AgentCreate',
  Type.Object(
    { name: AgentName, ...withDefaults, acl: Type.Optional(AclInput) },
    { description: 'A new agent; the records that it names must exist and be readable by the caller' },
  ),
);
export const AgentUpdate = named(
  'AgentUpdate',
  Type.Object(
    { name: AgentName, ...definition, acl: Type.Optional(AclInput), version: Type.Optional(Version) },
    { description: 'A change of the agent with this name. Omitted fields stay; runtime_type cannot change.' },
  ),
);
/** For one run; nothing of it is stored under a name. */
export const AgentDefinitionInput = named(
  'AgentDefinition',
  Type.Object(
    { ...withDefaults, runtime_type: Type.Optional(runtimeKind({ default: 'BUILT_IN' })) },
    { description: 'An agent without a name; the records that it names must exist and be readable by the caller' },
  ),
);

export type AgentLlm = Static<typeof AgentLlm>;
export type AgentCreate = Static<typeof AgentCreate>;
export type AgentUpdate = Static<typeof AgentUpdate>;
export type AgentDefinitionInput = Static<typeof AgentDefinitionInput>;
