import {
  AGENT_STATES,
  type AgentAction,
  type AgentState,
  type ProgressRow,
  type ReportedState,
} from '../../contract/families/agents.ts';

/** What can happen to an agent. */
export type AgentEvent = 'ready' | 'failed' | 'retry' | 'delete' | 'removed' | 'remove_failed';

/** Every transition there is (contract 9). `gone`: the record is removed. Any other transition is refused. */
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

/** States from which an event leads somewhere, for messages. */
export function statesFor(event: AgentEvent): AgentState[] {
  return AGENT_STATES.filter((state) => nextState(state, event) !== undefined);
}

/** The cloud is at work: the record must not change under it. */
export const isPending = (state: AgentState): boolean => state === 'Creating' || state === 'Deleting';

type Verdict = Pick<ProgressRow, 'done' | 'outcome'> | undefined;

/** How far an action is in each state; undefined: the action does not fit the state. */
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
