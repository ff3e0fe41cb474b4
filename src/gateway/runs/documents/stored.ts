import type { Json } from '../../../contract/basics.ts';
import type { AlertSource } from '../../../contract/families/alerts.ts';
import type { EvidenceCounts, EvidenceEntity } from '../../../contract/families/evidence.ts';
import type { RunState, StepKind, StepState, TOOL_SOURCES } from '../../../contract/families/runs.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';

export const RUNS = 'ml_runs';
export const STEPS = 'ml_run_steps';
export const DECISIONS = 'ml_run_decisions';
export const CLAIMS = 'ml_run_claims';

/** Where the answer of a run goes. */
export interface AnswerPlace {
  index: string;
  sourcetype: string;
  written: boolean;
  /** Why it was not written. */
  error_code?: string;
}

/** The result that an answer belongs to, by the names of the Common Information Model. */
export interface AnswerOrigin {
  orig_action_name: string;
  orig_sid: string;
  orig_rid: string;
}

export interface RunUsage {
  /** To models. */
  requests: number;
  input_tokens: number;
  output_tokens: number;
  cost?: number;
}

/** The accepted tools of one connection. */
export interface AcceptedTools {
  connection: string;
  tools: { name: string; fingerprint: string }[];
}

/** A document of which values from outside are stored as text. @see packed */
export interface PackableDoc extends Doc {
  /** The fields that are JSON text; only in the store. */
  json?: string[];
}

/** The document of a run: a summary of its steps, and what they begin with. */
export interface RunDoc extends PackableDoc {
  /** The key. */
  run_id: string;
  user: string;
  /** Name of the agent; absent for a run of a definition. */
  agent?: string;
  of_definition: boolean;
  /** Tells it from a later agent of the same name. */
  agent_created_at?: number;
  definition: AgentDefinition;
  /** The accepted tools of its connections when it began; a connection that was never listed before is added by the first step. */
  accepted?: AcceptedTools[];
  state: RunState;
  input: string | Json;
  /** Messages of earlier runs of the session, as Chat Completions has them. */
  history: (Json & { role: string })[];
  session_id?: string;
  /** The earlier runs of the session that `history` is of, by id. */
  session_runs?: string[];
  worker: 'job' | 'caller';
  job_id?: string;
  /** An object where the agent has a schema of its answers. */
  output?: string | Json;
  /** Counts of the check of the output, or why nothing was compared. Absent if nothing was checked. */
  evidence?: EvidenceCounts | { error_code: string };
  /** The first entities of the check, which lists of runs do not read. */
  entities?: EvidenceEntity[];
  /** Index of the step whose answer was checked last. */
  checked?: number;
  error_code?: string;
  message?: string;
  /** Epoch seconds, as all times of a run. */
  started_at: number;
  ended_at?: number;
  /** Since when the run waits for approval. */
  waits_since?: number;
  /** When the first call that waits expires; of a run that waits, as it was last looked at. */
  expires_at?: number;
  /** Seconds in which it waited for approval before. */
  waited: number;
  usage: RunUsage;
  /**
   * The request to the model for which tools were missing, by the index of its step: how often they were listed, and when they are
   * listed again, in epoch seconds.
   */
  lack?: { index: number; tries: number; until: number };
  /** The step that has failed last in a way that will not pass by itself, and how often it has. */
  trouble?: { step: string; code: string; count: number };
  source?: AlertSource;
  /** That of the source, by which lists find the run. */
  search_name?: string;
  origin?: AnswerOrigin;
  /** Absent where the answer goes to no index. */
  result?: AnswerPlace;
  /** Calls that need approval are rejected, and nobody is asked. */
  on_approval?: 'reject';
}

/** A call that a model asked for. */
export interface TurnCall {
  id: string;
  /** The name that the model used. */
  name: string;
  /** As the model wrote them, with values in place of placeholders. */
  arguments: string;
  /** The arguments for its tool, where it must not get each of the values. */
  sent?: string;
  /** Absent if the model may not call such a tool. */
  target?:
    | { kind: 'tool'; connection: string; tool: string }
    | { kind: 'retrieve'; store: string }
    | { kind: 'search'; tool: string };
  /** Why the call goes back to the model as an error. */
  problem?: string;
  needsApproval: boolean;
  /** Whether it may be called again after a crash. */
  isRepeatable: boolean;
  /** Fields that the provider wants to see again beside the call. */
  extra?: Json;
  /** The target that a person is shown; only for a call that waits. */
  shown?: ShownTarget;
}

/** A connection, store or search tool that an agent names and that a run could not use. */
export interface UnavailableTools {
  kind: (typeof TOOL_SOURCES)[number];
  name: string;
  error_code: string;
}

/** Which tool, of which server, a person is asked about. */
export interface ShownTarget {
  /** Scheme, host and port of the server. */
  host: string;
  /** Hash of the definition of the tool. */
  fingerprint: string;
}

/** A step of a run. Its key is `<run_id>.<index>`. */
export interface StepDoc extends PackableDoc {
  run_id: string;
  index: number;
  kind: StepKind;
  name?: string;
  state: StepState;
  started_at: number;
  ended_at?: number;
  /** The request, without its messages. */
  input?: Json | string;
  /** The text that the model goes on with: its own, or the result of a tool. */
  output?: string;
  usage?: RunUsage;
  error_code?: string;
  decided_by?: string;
  /** Since when people are asked, where that is later than `started_at`. */
  asked_at?: number;
  /** Whether the model saw only a part of the result. */
  is_cut?: boolean;
  /** Claims of an answer without calls about which the model is asked again. */
  unverified?: string[];
  /** The search job of a search tool. */
  sid?: string;
  /** Only in a model step. */
  calls?: TurnCall[];
  /** Fields of an answer with calls that its provider wants to see again, such as `reasoning_content`. */
  echoed?: Json;
  /** Why an answer without calls does not fit the schema of the agent. */
  problems?: string[];
  /** Only in a model step: what was missing at its request. */
  unavailable?: UnavailableTools[];
  /** The call of the model step before it that a tool or retrieve step makes. */
  call?: TurnCall;
  /** How often a person was asked; a decision belongs to one of these. */
  round?: number;
}

/**
 * A person's decision about a step that waits, or about the whole run, or that nobody decided in time. It is only ever inserted,
 * so that of two people one decides. Its key is `<run_id>.<index>.<round>`, or `<run_id>.cancel`.
 */
export interface DecisionDoc extends PackableDoc {
  run_id: string;
  /** -1 for the run. */
  index: number;
  round: number;
  decision: 'approve' | 'reject' | 'cancel';
  /** In place of the model's. */
  arguments?: Json;
  /** In place of a call. */
  result?: string;
  comment?: string;
  /** The target that the call has by now, if it is another than was shown: the decision is void. */
  changed?: ShownTarget & { what: string };
  decided_by: string;
  /** Epoch seconds. */
  decided_at: number;
}

/**
 * Work that one process has begun and no other may begin: the call of a step that waited, or a worker. It is inserted, so that of
 * two processes one begins. Its key is `<run_id>.<index>.<round>`, or `<run_id>.job.<round>`.
 */
export interface ClaimDoc extends Doc {
  run_id: string;
  kind: 'call' | 'job';
  /** -1 for a worker. */
  index: number;
  /** The round of the step, or the number of the worker. */
  round: number;
  /** The user whose session a worker has. */
  user?: string;
  /** Epoch seconds. */
  claimed_at: number;
  /** The search of a worker, once it was dispatched. */
  job_id?: string;
  /** When the search went on with another run, or ended. Epoch seconds. */
  left_at?: number;
  /** The user of a run that names search tools, whose runs have one worker at a time. */
  search_user?: string;
}

/** Everything that has happened to a run. */
export interface RunHistory {
  steps: readonly StepDoc[];
  decisions: readonly DecisionDoc[];
  claims: readonly ClaimDoc[];
}

const padded = (index: number) => String(index).padStart(4, '0');
export const stepKey = (run: string, index: number): string => `${run}.${padded(index)}`;
/** Key of a decision, and of the claim of the call that it allowed. */
export const decisionKey = (run: string, index: number, round: number): string => `${run}.${padded(index)}.${round}`;
export const jobKey = (run: string, round: number): string => `${run}.job.${round}`;
export const cancelKey = (run: string): string => `${run}.cancel`;

export const hasEnded = ({ state }: Pick<RunDoc, 'state'>): boolean =>
  state === 'succeeded' || state === 'failed' || state === 'cancelled';

/** The code of an answer whose index `[agents] result_indexes` does not name: it is not tried again. */
export const INDEX_NOT_ALLOWED = 'index_not_allowed';

/** Whether a run has ended and its answer is still to be written to an index. */
export const isAnswerDue = ({ state, result }: Pick<RunDoc, 'state' | 'result'>): boolean =>
  hasEnded({ state }) && result?.written === false && result.error_code !== INDEX_NOT_ALLOWED;
