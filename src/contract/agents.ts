/** Terms about agents that the endpoint rows, the search command and the cloud services share. */

/** Also a name for the cloud's runtime and an argument of a search: nothing in it needs quoting anywhere. */
export const AGENT_NAME_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,47}$';
export const AGENT_NAME_MESSAGE = 'must be 1 to 48 characters: first a letter (A-Z, a-z), then letters, digits and _';

/** Kinds of cloud services that can run an agent: one adapter and one stanza each. */
export const RUNTIME_TYPES = ['CLOUD_AGENT_CORE'] as const;
export type RuntimeType = (typeof RUNTIME_TYPES)[number];

/** What a new agent gets where it is not told otherwise. */
export const AGENT_DEFAULTS = { runtime_type: 'CLOUD_AGENT_CORE', agent_timeout: 450, is_enabled: true } as const;

export const AGENT_STATES = ['Creating', 'Available', 'Failed', 'Deleting', 'Delete Failed'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** `Deleted`: the record is gone. */
export type ShownState = AgentState | 'Deleted';

/** What can be followed. */
export const AGENT_ACTIONS = ['create', 'delete'] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/** Seconds that a creation or deletion may take unless the stanza says otherwise. */
export const DEFAULT_DEADLINE_S = 900;

/** The longest wait between two polls of an agent unless another is given. */
export const DEFAULT_INTERVAL_S = 5;

/** One report on an agent's progress. Every value is text or a number: it becomes a row of a search. */
export interface ProgressRow {
  agent_name: string;
  action: AgentAction;
  state: ShownState;
  previous_state: ShownState;
  runtime_id: string;
  /** The cloud's own word. */
  runtime_status: string;
  attempt: number;
  elapsed_ms: number;
  done: 0 | 1;
  outcome: '' | 'success' | 'fail';
  error_code: string;
  message: string;
}

export const PROGRESS_FIELDS = [
  'agent_name',
  'action',
  'state',
  'previous_state',
  'runtime_id',
  'runtime_status',
  'attempt',
  'elapsed_ms',
  'done',
  'outcome',
  'error_code',
  'message',
] as const satisfies readonly (keyof ProgressRow)[];
