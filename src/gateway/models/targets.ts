import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { within } from '../../domain/async/deadline.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { LlmIdentity, OpenModel } from '../../families/llm-providers/public.ts';
import { type ModelRoute, nameOf } from '../../families/model-aliases/public.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { CallEstimate, RecordedUse } from '../use/recordedUse.ts';
import { withRepeat } from '../use/repeat.ts';
import type { RateLimitBackoff } from './rateLimitBackoff.ts';

export interface ModelDependencies {
  stores: Stores;
  /** Reads a configuration and its secrets. @throws Fault `not_found`; OutboundError `configuration_invalid` */
  open(caller: Caller, model: LlmIdentity): Promise<OpenModel>;
  backoff: RateLimitBackoff;
}

/** How a model is called. */
export interface CallTerms {
  caller: Caller;
  use: RecordedUse;
  deadline: Deadline;
  /** Whether a call is repeated after a 429; a batch waits by itself. */
  waits: boolean;
  /** Once the limits have admitted a target, just before it is asked. */
  beforeCall?: () => Promise<void>;
}

interface ModelCall<A> {
  estimate(model: OpenModel): CallEstimate;
  /**
   * Counts each answer in the use.
   * @param isRepeat whether the request was sent before
   */
  send(model: OpenModel, deadline: Deadline, isRepeat: boolean): Promise<A>;
}

/** An answer, and which model gave it. */
interface Answered<A> {
  answer: A;
  model: OpenModel;
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
  if (!route.alias) return callTarget(deps, route.targets[0], terms, call);
  const { alias, targets } = route;
  const ordered = withoutPaused(alias.strategy === 'spread' ? spread(targets) : targets, deps.backoff);
  const failures: { target: LlmIdentity; error: Fault | OutboundError }[] = [];
  const fallsBackOn = (code: string) => alias.fallback_on.some((one) => one === code);
  for (const target of ordered) {
    const hasNext = target !== ordered.at(-1);
    // The next target answers sooner than one that asks to wait.
    const waits = terms.waits && !(hasNext && fallsBackOn('rate_limited'));
    try {
      return await callTarget(deps, target, { ...terms, waits }, call);
    } catch (error) {
      if (!(error instanceof Fault || error instanceof OutboundError)) throw error;
      failures.push({ target, error });
      if (!fallsBackOn(error.code) && !isMissing(error)) break;
      if (terms.deadline.remaining() === 0) break;
    }
  }
  throw allFailed(failures);
}

/** A target that was deleted meanwhile. */
const isMissing = (error: Fault | OutboundError): boolean => error.code === 'not_found';

function allFailed(failures: readonly { target: LlmIdentity; error: Fault | OutboundError }[]): Fault {
  const [first] = failures;
  if (!first) throw new Error('an alias has at least one target');
  const { error } = first;
  const fault = error instanceof Fault ? error : Fault.of(error);
  const tried = failures.map(({ target, error: { code } }) => ({ model: nameOf(target), error_code: code }));
  return new Fault(fault.code, fault.message, { ...fault.extra, attempts: tried }, { cause: error });
}

async function callTarget<A extends { attempts: number }>(
  { open, backoff }: ModelDependencies,
  target: LlmIdentity,
  { caller, use, deadline: outer, waits, beforeCall }: CallTerms,
  call: ModelCall<A>,
): Promise<Answered<A>> {
  const model = await open(caller, target);
  using deadline = within(outer, model.timeoutMs);
  await use.begin(model, call.estimate(model));
  await beforeCall?.();
  try {
    const answer = await use.meter.upstream(() =>
      withRepeat((isRepeat) => call.send(model, deadline, isRepeat), { deadline, waits }),
    );
    use.answered(answer.attempts);
    return { answer, model };
  } catch (thrown) {
    const error = withTimeout(thrown, model, deadline);
    use.failed(error);
    if (error instanceof OutboundError) {
      if (error.code === 'rate_limited' && error.retryAfter !== undefined) backoff.pause(model, error.retryAfter);
    }
    throw error;
  }
}

function withTimeout(error: unknown, model: LlmIdentity, deadline: Deadline): unknown {
  if (error instanceof OutboundError || !deadline.signal.aborted) return error;
  const late = new OutboundError('timeout', `${nameOf(model)} did not answer in time.`);
  late.attempts = 1;
  return late;
}

/** Without the targets whose providers asked to wait; when all have, the first is asked. */
function withoutPaused(targets: readonly LlmIdentity[], backoff: RateLimitBackoff): readonly LlmIdentity[] {
  const ready = targets.filter((target) => !backoff.isPaused(target));
  return ready.length > 0 ? ready : targets.slice(0, 1);
}

/** A random one first, then the rest in order. */
function spread(targets: readonly LlmIdentity[]): LlmIdentity[] {
  const index = Math.floor(Math.random() * targets.length);
  return [targets[index] as LlmIdentity, ...targets.filter((_, at) => at !== index)];
}
