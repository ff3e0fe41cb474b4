import { Fault } from '../../../contract/codes/faults.ts';
import {
  AGENT_STATES,
  type AgentAction,
  type AgentState,
  type ProgressRow,
  type ReportedState,
} from '../../../contract/families/agents.ts';

export type AgentEvent = 'ready' | 'failed' | 'retry' | 'delete' | 'removed' | 'remove_failed';

/** All allowed transitions; `gone`: the record is removed. */
const TRANSITIONS: Readonly<Record<AgentState, Partial<Record<AgentEvent, AgentState | 'gone'>>>> = {
  Creating: { ready: 'Available', failed: 'Failed', delete: 'Deleting' },
  Available: { delete: 'Deleting' },
  Failed: { retry: 'Creating', delete: 'Deleting' },
  Deleting: { removed: 'gone', remove_failed: 'Delete Failed', delete: 'Deleting' },
  'Delete Failed': { delete: 'Deleting' },
};

export function nextState(state: AgentState, event: AgentEvent): AgentState | 'gone' | undefined {
  return TRANSITIONS[state][event];
}

function statesFor(event: AgentEvent): AgentState[] {
  return AGENT_STATES.filter((state) => nextState(state, event) !== undefined);
}

/** Whether a creation or deletion is in progress, during which the record must not change. */
const isPending = (state: AgentState): boolean => state === 'Creating' || state === 'Deleting';

type Verdict = Pick<ProgressRow, 'done' | 'outcome'> | undefined;

/** Progress of an action by state; undefined: the action is not possible in that state. */
const VERDICTS: Readonly<Record<AgentAction, Partial<Record<ReportedState, Verdict>>>> = {
  create: {
    Creating: { done: 0, outcome: '' },
    Available: { done: 1, outcome: 'success' },
    Failed: { done: 1, outcome: 'fail' },
  },
  delete: {
    Deleting: { done: 0, outcome: '' },
    'Delete Failed': { done: 1, outcome: 'fail' },
    Deleted: { done: 1, outcome: 'success' },
  },
};

export const progressOf = (action: AgentAction, state: ReportedState): Verdict => VERDICTS[action][state];

/** @throws Fault `invalid_state` while a creation or deletion is in progress */
export function assertNotPending({ state }: { state: AgentState }): void {
  if (isPending(state)) throw invalidState(state, 'changed once that is over');
}

/** @throws Fault `invalid_state` with the states that allow the event */
export function assertAllowed({ state }: { state: AgentState }, event: AgentEvent): void {
  if (nextState(state, event) === undefined)
    throw invalidState(state, `possible when it is ${statesFor(event).join(', ')}`);
}

function invalidState(state: string, when: string): Fault {
  return new Fault('invalid_state', `The agent is ${state}; this is ${when}`, { state });
}
