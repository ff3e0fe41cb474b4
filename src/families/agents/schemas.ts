import { type Static, Type } from 'typebox';
import { AGENT_ACTIONS, AGENT_STATES } from '../../contract/families/agents.ts';
import { Acl, Metadata } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ABOUT, AgentLlm, AgentMcp, AgentRuntime, Approval, RuntimeKind } from './inputSchemas.ts';

const ABOUT_STATES =
  'Creating: the runtime is being created. Available: the agent can run. Failed: the creation failed, see state_reason; it can be retried. Deleting: the runtime is being removed. Delete Failed: the deletion failed and can be repeated.';
/** A state, or `Deleted`. */
export const LastState = (description: string) =>
  named('AgentState', Type.Enum([...AGENT_STATES, 'Deleted'], { description }));
export const State = narrowed(LastState(''), Type.Enum([...AGENT_STATES], { description: ABOUT_STATES }));
const Mcps = Type.Array(AgentMcp, { description: ABOUT.mcps });
const StoreNames = Type.Array(Type.String(), { description: ABOUT.knowledge_bases });

/** What the record and its version say of a run. */
const prompts = {
  llm: Type.Optional(AgentLlm),
  system_prompt: Type.String({ description: ABOUT.system_prompt }),
  task_prompt: Type.String({ description: ABOUT.task_prompt }),
};
const limits = {
  agent_timeout: Type.Integer({ description: ABOUT.agent_timeout }),
  max_steps: Type.Integer({ description: ABOUT.max_steps }),
  max_tokens_per_run: Type.Optional(
    Type.Integer({ description: `${ABOUT.max_tokens_per_run}; absent if there is none` }),
  ),
  approve_tools: Approval,
  approve_tools_named: Type.Array(Type.String(), { description: ABOUT.approve_tools_named }),
};
const Runtime = Type.Optional(AgentRuntime);

const AgentVersion = named(
  'AgentVersion',
  Type.Object(
    {
      version: Type.Integer({ description: 'Number of this version: 1' }),
      state: State,
      runtime: Runtime,
      ...prompts,
      tools: Type.Object(
        { mcps: Mcps, knowledge_bases: StoreNames },
        { description: 'Tools and vector stores of the agent' },
      ),
      ...limits,
      runtime_params: Type.Object(
        {
          runtime_id: Type.Union([Type.String(), Type.Null()], {
            description: 'Id of the runtime in the cloud; null while unknown, and without a cloud',
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
  description:
    'Id of the monitoring search; null if there is nothing to follow, or if it could not be started: see warnings',
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
      description: Type.String({ description: ABOUT.description }),
      is_enabled: Type.Boolean({ description: ABOUT.is_enabled }),
      runtime_type: RuntimeKind,
      runtime: Runtime,
      state: State,
      state_reason: Type.Optional(
        Type.String({
          description: 'Reason of the state, or error of the last poll; absent if there is none',
        }),
      ),
      error_code: Type.Optional(Type.String({ description: 'Code of state_reason' })),
      remedy: Type.Optional(Type.String({ description: 'What a person can do about error_code' })),
      ...prompts,
      mcps: Mcps,
      knowledge_bases: StoreNames,
      ...limits,
      acl: Acl,
      versions: Type.Array(AgentVersion, { description: 'The versions of the agent; there is one' }),
      tracking: Tracking,
      ...Metadata,
    },
    { description: 'A prompt, a language model and tools, run by the app, a container or a cloud service' },
  ),
);

export type AgentRecord = Static<typeof AgentRecord>;
