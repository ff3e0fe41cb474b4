import { Type } from 'typebox';
import { INTERVAL_S } from '../../../contract/families/agents.ts';
import { named } from '../../../contract/schemas/named.ts';
import { Action, JobId, LastState, RuntimeKind, State } from '../schemas.ts';

const ReplyName = Type.String({ description: 'Name of the agent' });

export const AgentStarted = named(
  'AgentStarted',
  Type.Object(
    { agent_name: ReplyName, runtime_type: RuntimeKind, state: State, tracking_job_id: JobId },
    { description: 'An agent that is available, or whose runtime was requested' },
  ),
);

const ReportedState = LastState('State of the agent now; Deleted: the record is gone');

export const AgentDeleting = named(
  'AgentDeleting',
  Type.Object(
    {
      agent_name: ReplyName,
      state: ReportedState,
      agent_status: Type.Literal('DELETING', { description: 'Constant; see state for the progress' }),
      tracking_job_id: JobId,
    },
    { description: 'An agent that is being deleted, or is deleted already' },
  ),
);

export const AgentFollow = named(
  'AgentFollow',
  Type.Object(
    {
      action: Action('The action to poll: creation or deletion'),
      interval: Type.Optional(
        Type.Number({
          minimum: INTERVAL_S.min,
          maximum: INTERVAL_S.max,
          description:
            'For a monitor that polls repeatedly: its longest wait, in seconds. The cloud is asked if the last poll is older than the resulting wait; otherwise the reply comes from the record. Default: 0.8 seconds.',
        }),
      ),
    },
    { description: 'One poll of an agent' },
  ),
);

export const AgentProgress = named(
  'AgentProgress',
  Type.Object(
    {
      agent_name: ReplyName,
      action: Type.String({ description: 'The polled action: create or delete' }),
      state: ReportedState,
      previous_state: LastState('State of the agent before this step'),
      runtime_id: Type.String({ description: 'Id of the runtime in the cloud; empty while unknown' }),
      runtime_status: Type.String({
        description: "The cloud's name for the runtime state; GONE after removal, empty while unknown",
      }),
      attempt: Type.Integer({ description: 'Polls of the cloud since the action began' }),
      elapsed_ms: Type.Integer({ description: 'Milliseconds since the action began' }),
      done: Type.Integer({ minimum: 0, maximum: 1, description: '1: the action has ended; 0: it is in progress' }),
      outcome: Type.Enum(['', 'success', 'fail'], { description: 'How the action ended; empty until then' }),
      error_code: Type.String({ description: 'Code of the last error; empty if there is none' }),
      remedy: Type.Optional(Type.String({ description: 'What a person can do about error_code' })),
    },
    { description: 'Progress of the creation or deletion of an agent; also a row of | agentstatus' },
  ),
);
