import type { Json } from '../../../contract/basics.ts';
import type { RunState, StepKind, StepState } from '../../../contract/families/runs.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { Doc } from '../../../ports/stores/recordStore.ts';

export const RUNS = 'ml_runs';
export const STEPS = 'ml_run_steps';
export const DECISIONS = 'ml_run_decisions';
export const CLAIMS = 'ml_run_claims';

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
export interface Packable extends Doc {
  /** The fields that are JSON text; only in the store. */
  json?: string[];
}

/** The document of a run: a summary of its steps, and what they begin with. */
export interface RunDoc extends Packable {
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
  worker: 'job' | 'caller';
  job_id?: string;
  output?: string;
  error_code?: string;
  message?: string;
  /** Epoch seconds, as all times of a run. */
  started_at: number;
  ended_at?: number;
  /** Since when the run waits for approval. */
  waits_since?: number;
  /** Seconds in which it waited for approval before. */
  waited: number;
  usage: RunUsage;
  /** The step that has failed last in a way that will not pass by itself, and how often it has. */
  trouble?: { step: string; code: string; count: number };
}

/** A call that a model asked for. */
export interface TurnCall {
  id: string;
  /** The name that the model used. */
  name: string;
  /** As the model wrote them. */
  arguments: string;
  /** Absent if the model may not call such a tool. */
  target?: { kind: 'tool'; connection: string; tool: string } | { kind: 'retrieve'; store: string };
  /** Why the call goes back to the model as an error. */
  problem?: string;
  needsApproval: boolean;
  /** Whether it may be called again after a crash. */
  isRepeatable: boolean;
  /** What the provider wants to see again beside the call. */
  extra?: Json;
  /** Of a call that waits: what a person is shown it for. */
  shown?: ShownTarget;
}

/** What an agent names and whose server did not answer. */
export interface Unavailable {
  kind: 'mcp_connection';
  name: string;
  error_code: string;
}

/** Which tool, of which server, a person is asked about. */
export interface ShownTarget {
  /** Scheme, host and port of the server. */
  host: string;
  /** Of the definition of the tool. */
  fingerprint: string;
}

/** A step of a run. Its key is `<run_id>.<index>`. */
export interface StepDoc extends Packable {
  run_id: string;
  index: number;
  kind: StepKind;
  name?: string;
  state: StepState;
  started_at: number;
  ended_at?: number;
  /** What was asked: messages are not repeated here. */
  input?: Json | string;
  /** What the model goes on with: its own text, the result of a tool. */
  output?: string;
  usage?: RunUsage;
  error_code?: string;
  decided_by?: string;
  /** Of a model step. */
  calls?: TurnCall[];
  /** Of a model step with calls: fields of the answer that its provider wants to see again, such as `reasoning_content`. */
  echoed?: Json;
  /** Of a model step that could not ask the model for lack of these. */
  unavailable?: Unavailable[];
  /** Of a tool or retrieve step: which call of the model step before it. */
  call?: TurnCall;
  /** How often a person was asked; a decision belongs to one of these. */
  round?: number;
}

/**
 * What a person decided: about a step that waits, or about the whole run. It is only ever inserted, so that of two people one
 * decides. Its key is `<run_id>.<index>.<round>`, or `<run_id>.cancel`.
 */
export interface DecisionDoc extends Packable {
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
  /** What the call would be made to by now, if that is something else than was shown: the decision is void. */
  changed?: ShownTarget & { what: string };
  decided_by: string;
  /** Epoch seconds. */
  decided_at: number;
}

/**
 * What one process has begun and no other may begin: the call of a step that waited, or a worker. It is inserted, so that of two
 * processes one begins. Its key is `<run_id>.<index>.<round>`, or `<run_id>.job.<round>`.
 */
export interface ClaimDoc extends Doc {
  run_id: string;
  kind: 'call' | 'job';
  /** -1 for a worker. */
  index: number;
  /** Of the step; workers are numbered. */
  round: number;
  /** Of a worker: whose session it has. */
  user?: string;
  /** Epoch seconds. */
  claimed_at: number;
  /** Of a worker, once its search was dispatched. */
  job_id?: string;
}

/** Everything that has happened to a run. */
export interface RunHistory {
  steps: readonly StepDoc[];
  decisions: readonly DecisionDoc[];
  claims: readonly ClaimDoc[];
}

const padded = (index: number) => String(index).padStart(4, '0');
export const stepKey = (run: string, index: number): string => `${run}.${padded(index)}`;
/** Of a decision, and of the claim of the call that it allowed. */
export const decisionKey = (run: string, index: number, round: number): string => `${run}.${padded(index)}.${round}`;
export const jobKey = (run: string, round: number): string => `${run}.job.${round}`;
export const cancelKey = (run: string): string => `${run}.cancel`;

export const hasEnded = ({ state }: Pick<RunDoc, 'state'>): boolean =>
  state === 'succeeded' || state === 'failed' || state === 'cancelled';
