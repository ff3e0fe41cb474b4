/** The name is also used for the cloud runtime and in searches, so it needs no quoting. */
export const AGENT_NAME_PATTERN = '^[A-Za-z][A-Za-z0-9_]{0,47}$';
export const AGENT_NAME_MESSAGE = 'must be 1 to 48 characters: first a letter (A-Z, a-z), then letters, digits and _';

/** Cloud services that can run an agent; each has an adapter and a stanza. */
export const CLOUD_RUNTIME_TYPES = ['CLOUD_AGENT_CORE'] as const;
export type CloudRuntimeType = (typeof CLOUD_RUNTIME_TYPES)[number];

/** Types of runtimes of agents; each has an entry in `runtimeTypes.ts` of the family. */
export const RUNTIME_TYPES = [...CLOUD_RUNTIME_TYPES, 'BUILT_IN', 'CONTAINER'] as const;
export type RuntimeType = (typeof RUNTIME_TYPES)[number];

/** Which tool calls of a run a person has to approve. */
export const APPROVALS = ['never', 'destructive', 'writes', 'always'] as const;
export type Approval = (typeof APPROVALS)[number];

/** Ways on for a run whose tools are unavailable. */
export const UNAVAILABLE_POLICIES = ['fail', 'continue'] as const;

/** Ways to treat an answer with values that stand nowhere in the data of its run. */
export const UNVERIFIED_POLICIES = ['mark', 'ask_again', 'fail'] as const;

/** Ways to treat a call that nobody has approved in time. */
export const EXPIRY_POLICIES = ['reject', 'cancel'] as const;

/** Longest `approval_timeout_s`: a week. */
export const MAX_APPROVAL_TIMEOUT_S = 604_800;

/** Largest `output_schema`, in bytes of JSON. */
export const MAX_OUTPUT_SCHEMA_BYTES = 16 * 1024;

export const AGENT_DEFAULTS = {
  runtime_type: 'CLOUD_AGENT_CORE',
  agent_timeout: 450,
  max_steps: 20,
  approve_tools: 'destructive',
  on_unavailable: 'fail',
  on_unverified: 'mark',
  approval_timeout_s: 0,
  on_approval_timeout: 'reject',
  is_enabled: true,
} as const;

/** Longest `agent_timeout`, in seconds. */
export const MAX_AGENT_TIMEOUT = 3600;

export const AGENT_STATES = ['Creating', 'Available', 'Failed', 'Deleting', 'Delete Failed'] as const;
export type AgentState = (typeof AGENT_STATES)[number];

/** `Deleted`: the record no longer exists. */
export type ReportedState = AgentState | 'Deleted';

/** Operations that can be monitored. */
export const AGENT_ACTIONS = ['create', 'delete'] as const;
export type AgentAction = (typeof AGENT_ACTIONS)[number];

/** Default limit of a creation or deletion, in seconds. */
export const DEFAULT_DEADLINE_S = 900;

/** Default limit of the wait between two polls, in seconds. */
export const DEFAULT_INTERVAL_S = 5;

/** Progress of an agent. Every value is a string or a number, since it becomes a search result. */
export interface ProgressRow {
  agent_name: string;
  action: AgentAction;
  state: ReportedState;
  previous_state: ReportedState;
  runtime_id: string;
  /** Status as the cloud reports it. */
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

const FIRST_MS = 1000;
const GROWTH = 1.6;
/** Limit of the wait while polls fail. */
const LONGEST_MS = 30_000;
const JITTER = 0.2;

export const MIN_WAIT_MS = FIRST_MS * (1 - JITTER);
/** Allowed values for the poll interval of a monitor, in seconds. */
export const INTERVAL_S = { min: 0.1, max: 60 };

export interface PollHistory {
  /** Polls of the cloud so far, by all monitors. */
  polls: number;
  /** Number of failed polls since the last successful one. */
  troubles: number;
}

/**
 * Grows to the interval, and beyond it while polls fail. The jitter depends only on agent and poll: all monitors of an agent
 * get the same wait, so together they poll no more often than one.
 */
export function waitMs(name: string, { polls, troubles }: PollHistory, intervalS: number): number {
  const normal = Math.min(intervalS * 1000, FIRST_MS * GROWTH ** Math.max(0, polls - 1));
  const longest = troubles === 0 ? normal : Math.min(LONGEST_MS, intervalS * 1000 * 2 ** troubles);
  return longest * (1 - JITTER + 2 * JITTER * fraction(`${name.toLowerCase()} ${polls}`));
}

/** A pseudo-random number from 0 to 1 (FNV-1a). */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The last characters have hardly reached the upper bits yet.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
