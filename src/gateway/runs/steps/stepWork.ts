import type { Caller } from '../../../contract/caller.ts';
import { Fault, withSentence } from '../../../contract/codes/faults.ts';
import { roundDollars } from '../../../domain/values/numbers.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RequestContext } from '../../context.ts';
import type { OperationContext } from '../../operation.ts';
import { packed } from '../documents/packed.ts';
import { type RunDoc, type RunHistory, type RunUsage, type StepDoc, stepKey } from '../documents/stored.ts';
import type { HeldRun } from '../heldRun.ts';
import type { RuntimeSite } from '../invoke/runtimes.ts';
import type { RunStore } from '../runStore.ts';
import { jobOf } from '../workers.ts';
import { isAsked } from './next.ts';
import type { DueStep, NextAction } from './nextAction.ts';

/** Access of a request that takes steps. */
export interface StepSite {
  deps: RequestContext;
  store: RunStore;
  /** Access to agents that run elsewhere. */
  runtimes: RuntimeSite;
  /** The run's user, with the rights that the user has now. @throws Fault `acl_denied` if they cannot be known */
  userOf(run: RunDoc): Promise<Caller>;
  /** Whether the run's user takes the step, and nobody else. */
  isOwn: boolean;
  /** Takes a slot. @throws Fault `too_many_requests` */
  enter(): Promise<Deadline>;
  /** Waits without the slot. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  keepRunEvent: RequestContext['keepRunEvent'];
  /** Writes the answer of a run to its index. Does not reject. @returns its result as it is now */
  sendAnswer(run: RunDoc): Promise<NonNullable<RunDoc['result']>>;
  /** Stops the session of a cancelled run where its agent runs, after the reply. */
  stopSession(run: RunDoc): void;
  /** Records one use of the run. */
  record<T>(run: RunDoc, context: StepContext, work: (context: OperationContext) => Promise<T>): Promise<T>;
}

/** A context without a use, which is recorded for each call. */
export type StepContext = Omit<OperationContext, 'use'>;

/** A step that is due, and what it is taken with. */
export interface StepWork {
  site: StepSite;
  writer: StepWriter;
  run: RunDoc;
  history: RunHistory;
  context: StepContext;
}

export type RunEnd = Extract<NextAction, { do: 'end' }>;

/** The history and the step after it was taken. */
export interface StepOutcome {
  history: RunHistory;
  step: StepDoc | undefined;
  /** Where its first step has listed the tools of a connection for the first time. */
  accepted?: RunDoc['accepted'];
  /** Its tools were missing, and are listed again. */
  lack?: RunDoc['lack'];
  /** The run cannot go on. */
  ended?: RunEnd;
}

/** Writes the steps of a run whose lease is held. */
export class StepWriter {
  readonly #held: HeldRun;
  readonly #id: string;
  /** Epoch seconds. */
  readonly now: () => number;

  /** @param now epoch seconds */
  constructor(held: HeldRun, id: string, now: () => number) {
    this.#held = held;
    this.#id = id;
    this.now = now;
  }

  fresh(index: number, kind: StepDoc['kind'], more: Partial<StepDoc>): StepDoc {
    const key = { _key: stepKey(this.#id, index), run_id: this.#id, index, kind };
    return { ...key, state: 'started', started_at: this.now(), ...more };
  }

  async insert(step: StepDoc): Promise<StepDoc> {
    await this.#held.insertStep(step);
    return step;
  }

  /**
   * Stores that the call of a step begins. The call of a step that people were asked about is claimed first: a replaced step
   * does not show a process with a stale copy that it was begun.
   * @param stored the step as it is stored, if it is
   */
  async begin(step: StepDoc, { step: stored, isClaimed }: Pick<DueStep, 'step' | 'isClaimed'>): Promise<StepDoc> {
    const started: StepDoc = { ...step, state: 'started', started_at: this.now() };
    if (!stored) return this.insert(started);
    if (isAsked(stored) && !isClaimed) await this.#held.claimCall(stored);
    return this.save(started);
  }

  /** Stores a step that ended without a call. */
  insertEnded(step: StepDoc): Promise<StepDoc> {
    return this.insert({ ...step, ended_at: this.now() });
  }

  async save(step: StepDoc): Promise<StepDoc> {
    await this.#held.saveStep(step);
    return step;
  }

  /** Stores the outcome of a step; one that is too large for the store fails the step. */
  finish(step: StepDoc): Promise<StepDoc> {
    const ended: StepDoc = { ...step, ended_at: this.now() };
    if (Buffer.byteLength(JSON.stringify(packed(ended))) <= MAX_STEP) return this.save(ended);
    const { calls: _, ...small } = ended;
    const output = `The answer takes more than ${MAX_STEP / 2 ** 20} MB in the store.`;
    return this.save({ ...small, state: 'failed', output, error_code: 'context_length_exceeded' });
  }
}

/** Maximum of one step, in bytes of JSON: the document of the run holds its last answer beside what the run begins with. */
const MAX_STEP = 8 * 1024 * 1024;

/**
 * Refuses a step of somebody else where the run's user may no longer read something: only the user's own steps end a run for it.
 * Capabilities are listed by the platform, so a missing one ends it in any case.
 */
export function asRefusal({ isOwn }: Pick<StepSite, 'isOwn'>, { user }: RunDoc, error: unknown): unknown {
  if (isOwn || !(error instanceof Fault) || error.code !== 'unknown_reference' || error.extra.required) return error;
  const message = withSentence(error.message, `A step that ${user} takes ends the run, if this is so.`);
  return new Fault('acl_denied', message);
}

export const endOf = (code: string, message: string): RunEnd => ({ do: 'end', state: 'failed', code, message });

export function replaced(history: RunHistory, ...steps: readonly StepDoc[]): RunHistory {
  const keys = new Set(steps.map(({ _key }) => _key));
  return { ...history, steps: [...history.steps.filter(({ _key }) => !keys.has(_key)), ...steps] };
}

/** The run with its search, and with what its steps have used. */
export function summary(run: RunDoc, history: RunHistory): RunDoc {
  const usage: RunUsage = { requests: 0, input_tokens: 0, output_tokens: 0 };
  for (const { usage: own } of history.steps) {
    if (!own) continue;
    usage.requests += own.requests;
    usage.input_tokens += own.input_tokens;
    usage.output_tokens += own.output_tokens;
    if (own.cost !== undefined) usage.cost = roundDollars((usage.cost ?? 0) + own.cost);
  }
  const job_id = jobOf(history);
  return { ...run, ...(job_id === undefined ? {} : { job_id }), usage };
}
