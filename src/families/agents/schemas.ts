import { type Static, Type } from 'typebox';
import {
  AGENT_ACTIONS,
  AGENT_NAME_MESSAGE,
  AGENT_NAME_PATTERN,
  AGENT_STATES,
  APPROVALS,
  EXPIRY_POLICIES,
  RUNTIME_TYPES,
  UNAVAILABLE_POLICIES,
  UNVERIFIED_POLICIES,
} from '../../contract/families/agents.ts';
import { NameOf } from '../../contract/schemas/common.ts';
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

const TOOLS = 'Names of the tools that it may call; empty: none; absent: all tools that the connection allows';
const ABOUT_MCP = { description: 'An MCP connection that an agent may use' };
const McpName = Type.String({ description: 'Name of the MCP connection' });
export const AgentMcp = named(
  'AgentMcp',
  Type.Object({ name: McpName, tools: Type.Optional(Type.Array(Type.String(), { description: TOOLS })) }, ABOUT_MCP),
);
export const McpInput = narrowed(
  AgentMcp,
  Type.Object(
    {
      name: NameOf('Name of the MCP connection'),
      tools: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 2000, description: TOOLS }),
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

export const RuntimeKind = named(
  'AgentRuntimeType',
  Type.Enum([...RUNTIME_TYPES], {
    description:
      'What runs the agent; it cannot change. CLOUD_AGENT_CORE: Amazon Bedrock AgentCore. BUILT_IN: the app. CONTAINER: the container of runtime.container.',
  }),
);

export const Approval = named(
  'AgentApproval',
  Type.Enum([...APPROVALS], {
    description:
      'Calls that a person has to approve. destructive: of tools that say they destroy. writes: of all but those that say they only read. always, never: all calls, or none.',
  }),
);

export const OnUnavailable = named(
  'AgentOnUnavailable',
  Type.Enum([...UNAVAILABLE_POLICIES], {
    description:
      'A server, store or search tool that the agent names is not available. fail: the run fails after three tries. continue: the model is told what is missing.',
  }),
);

export const OnUnverified = named(
  'AgentOnUnverified',
  Type.Enum([...UNVERIFIED_POLICIES], {
    description:
      'The answer has values that do not stand in the data of the run. mark: they are marked. ask_again: the model is asked once more. fail: the run fails.',
  }),
);

export const OnApprovalTimeout = named(
  'AgentOnApprovalTimeout',
  Type.Enum([...EXPIRY_POLICIES], {
    description: 'Nobody approved a call in time. reject: the call is rejected. cancel: the run is cancelled.',
  }),
);

const ABOUT_STATES =
  'Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated.';
/** A state, or `Deleted`. */
export const LastState = (description: string) =>
  named('AgentState', Type.Enum([...AGENT_STATES, 'Deleted'], { description }));
export const State = narrowed(LastState(''), Type.Enum([...AGENT_STATES], { description: ABOUT_STATES }));
export const JobId = Type.Union([Type.String(), Type.Null()], {
  description:
    'Id of the monitoring search; null if there is nothing to follow, or if it could not be started: see warnings',
});

export const Action = (description: string) => named('AgentAction', Type.Enum([...AGENT_ACTIONS], { description }));

export const Tracking = named(
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

export type AgentLlm = Static<typeof AgentLlm>;
