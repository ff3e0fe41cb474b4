import { Type } from 'typebox';
import { INTERVAL_S } from '../../contract/families/agents.ts';
import { named } from '../../contract/schemas/named.ts';
import { Action, JobId, LastState, RuntimeKind, State } from './schemas.ts';

const ReplyName = Type.String({ description: 'Name of the agent' });

export const AgentStarted = named(
  'AgentStarted',
  Type.Object(
    { agent_name: ReplyName, runtime_type: RuntimeKind, state: State, tracking_job_id: JobId },
    { description: 'An agent whose runtime has been asked for' },
  ),
);

const ShownState = LastState('State of the agent now; Deleted: the record is gone');

export const AgentDeleting = named(
  'AgentDeleting',
  Type.Object(
    {
      agent_name: ReplyName,
      state: ShownState,
      agent_status: Type.Literal('DELETING', { description: 'Always the same; state tells how far the deletion is' }),
      tracking_job_id: JobId,
    },
    { description: 'An agent that is being deleted, or is deleted already' },
  ),
);

export const AgentFollow = named(
  'AgentFollow',
  Type.Object(
    {
      action: Action('What is followed: the creation or the deletion'),
      interval: Type.Optional(
        Type.Number({
          minimum: INTERVAL_S.min,
          maximum: INTERVAL_S.max,
          description:
            'For a monitor that polls repeatedly: its longest wait, in seconds. The cloud is asked if the last poll is older than the wait that results from this; otherwise the reply comes from the record. Without it, a poll within the last 0.8 seconds is recent enough.',
        }),
      ),
    },
    { description: 'One step of following an agent' },
  ),
);

export const AgentProgress = named(
  'AgentProgress',
  Type.Object(
    {
      agent_name: ReplyName,
      action: Type.String({ description: 'What is followed: create or delete' }),
      state: ShownState,
      previous_state: LastState('State of the agent before this step'),
      runtime_id: Type.String({ description: 'Id that the cloud gave the runtime; empty while none is known' }),
      runtime_status: Type.String({
        description: "State of the runtime in the cloud's own word; GONE once it is removed, empty while unknown",
      }),
      attempt: Type.Integer({ description: 'How often the cloud has been asked since the action began' }),
      elapsed_ms: Type.Integer({ description: 'Milliseconds since the action began' }),
      done: Type.Integer({ minimum: 0, maximum: 1, description: '1: there is nothing more to follow; 0: it goes on' }),
      outcome: Type.Enum(['', 'success', 'fail'], { description: 'How the action ended; empty until it has' }),
      error_code: Type.String({ description: 'What went wrong, or the last trouble; empty when all is well' }),
    },
    { description: 'How far the creation or deletion of an agent is; also a row of | agentstatus' },
  ),
);
