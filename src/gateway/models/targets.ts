import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { within } from '../../domain/async/deadline.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LlmIdentity, OpenModel } from '../../families/llm-providers/public.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Meter } from '../use/meter.ts';
import { withRepeat } from '../use/repeat.ts';
import type { ModelPauses } from './pauses.ts';
import { type ModelRoute, nameOf } from './references.ts';

export interface ModelDependencies {
  stores: Stores;
  /** Reads a configuration and its secrets. @throws Fault `not_found`; OutboundError `configuration_invalid` */
  open(caller: Caller, model: LlmIdentity): Promise<OpenModel>;
  pauses: ModelPauses;
}

/** How a model is called. */
export interface CallTerms {
  caller: Caller;
  meter: Meter;
  /** Requests that were sent for the same use before. */
  attemptsBefore: number;
  deadline: Deadline;
  /** Whether a call is repeated after a 429; a batch waits by itself. */
  waits: boolean;
}

/** @param isRepeat whether the request was sent before */
type ModelCall<A> = (model: OpenModel, deadline: Deadline, isRepeat: boolean) => Promise<A>;

/** An answer, and which model gave it after how many requests. */
export interface Answered<A> {
  answer: A;
  model: OpenModel;
  attempts: number;
}

/**
 * Calls the targets of a route, in order, until one answers.
 * @throws Fault; OutboundError of the first target
 */
export async function callTargets<A extends { attempts: number }>(
  deps: ModelDependencies,
  route: ModelRoute,
  terms: CallTerms,
  call: ModelCall<A>,
): Promise<Answered<A>> {
  let attempts = terms.attemptsBefore;
  if (!route.alias) {
    const answered = await callTarget(deps, route.targets[0], terms, call);
    return { ...answered, attempts: answered.attempts + attempts };
  }
  const { alias, targets } = route;
  const ordered = withoutPaused(alias.strategy === 'spread' ? spread(targets) : targets, deps.pauses);
  const failures: { target: LlmIdentity; error: Fault | OutboundError }[] = [];
  const fallsBackOn = (code: string) => alias.fallback_on.some((one) => one === code);
  for (const target of ordered) {
    const hasNext = target !== ordered.at(-1);
    // The next target answers sooner than one that asks to wait.
    const waits = terms.waits && !(hasNext && fallsBackOn('rate_limited'));
    try {
      const answered = await callTarget(deps, target, { ...terms, waits }, call);
      return { ...answered, attempts: answered.attempts + attempts };
    } catch (error) {
      if (!(error instanceof Fault || error instanceof OutboundError)) throw error;
      failures.push({ target, error });
      attempts += attemptsOf(error);
      if (!fallsBackOn(error.code) && !isMissing(error)) break;
      if (terms.deadline.remaining() === 0) break;
    }
  }
  throw allFailed(failures);
}

/** A target that was deleted meanwhile. */
const isMissing = (error: Fault | OutboundError): boolean => error.code === 'not_found';
const attemptsOf = (error: unknown): number => (error instanceof OutboundError ? (error.attempts ?? 0) : 0);

function allFailed(failures: readonly { target: LlmIdentity; error: Fault | OutboundError }[]): Fault {
  const [first] = failures;
  if (!first) throw new Error('an alias has at least one target');
  const { error } = first;
  const fault = error instanceof Fault ? error : Fault.of(error);
  const tried = failures.map(({ target, error: { code } }) => ({ model: nameOf(target), error_code: code }));
  return new Fault(fault.code, fault.message, { ...fault.extra, attempts: tried }, { cause: error });
}

async function callTarget<A extends { attempts: number }>(
  { open, pauses }: ModelDependencies,
  target: LlmIdentity,
  { caller, meter, deadline: outer, waits }: CallTerms,
  call: ModelCall<A>,
): Promise<Answered<A>> {
  const model = await open(caller, target);
  using deadline = within(outer, model.timeoutMs);
  try {
    const answer = await meter.upstream(() =>
      withRepeat((isRepeat) => call(model, deadline, isRepeat), { deadline, waits }),
    );
    return { answer, model, attempts: answer.attempts };
  } catch (error) {
    if (error instanceof OutboundError) {
      if (error.code === 'rate_limited' && error.retryAfter !== undefined) pauses.pause(model, error.retryAfter);
      throw error;
    }
    if (!deadline.signal.aborted) throw error;
    const late = new OutboundError('timeout', `${nameOf(model)} did not answer in time.`);
    late.attempts = 1;
    throw late;
  }
}

/** Without the targets whose providers asked to wait; when all have, the first is asked. */
function withoutPaused(targets: readonly LlmIdentity[], pauses: ModelPauses): readonly LlmIdentity[] {
  const ready = targets.filter((target) => !pauses.isPaused(target));
  return ready.length > 0 ? ready : targets.slice(0, 1);
}

/** A random one first, then the rest in order. */
function spread(targets: readonly LlmIdentity[]): LlmIdentity[] {
  const index = Math.floor(Math.random() * targets.length);
  return [targets[index] as LlmIdentity, ...targets.filter((_, at) => at !== index)];
}
