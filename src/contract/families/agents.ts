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
export type ReportedState = AgentState | 'Deleted';

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
  state: ReportedState;
  previous_state: ReportedState;
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

/** How often the cloud is asked about an agent's state: monitors schedule their polls by it, and the app enforces it. */

const FIRST_MS = 1000;
const GROWTH = 1.6;
/** While there is trouble. */
const LONGEST_MS = 30_000;
const JITTER = 0.2;

/** No monitor waits less unless it is told to. */
export const MIN_WAIT_MS = FIRST_MS * (1 - JITTER);
/** The longest wait between two looks that a monitor can be told, in seconds. */
export const INTERVAL_S = { min: 0.1, max: 60 };

export interface PollHistory {
  /** Polls of the cloud so far, whoever made them. */
  polls: number;
  /** How many of them, the last ones, had trouble. */
  troubles: number;
}

/**
 * The wait after so many polls. It grows to the interval, and beyond it while there is trouble, with a jitter that differs
 * from agent to agent and from poll to poll. All monitors of one agent come to the same wait, so that together they ask no
 * more often than one of them.
 */
export function waitMs(name: string, { polls, troubles }: PollHistory, intervalS: number): number {
  const usual = Math.min(intervalS * 1000, FIRST_MS * GROWTH ** Math.max(0, polls - 1));
  const longest = troubles === 0 ? usual : Math.min(LONGEST_MS, intervalS * 1000 * 2 ** troubles);
  return longest * (1 - JITTER + 2 * JITTER * fraction(`${name.toLowerCase()} ${polls}`));
}

/** From 0 to 1, as if at random (FNV-1a). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  // The last letters have hardly reached the upper bits yet.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
