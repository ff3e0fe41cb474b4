import { setTimeout as sleep } from 'node:timers/promises';
import { OVERLOADED_STATUS } from '../contract/codes/codes.ts';
import { Fault } from '../contract/codes/faults.ts';
import { OutboundError } from '../contract/codes/outbound.ts';
import { within } from '../domain/async/deadline.ts';
import type { LlmIdentity } from '../families/llm-providers/public.ts';
import { nameOf } from '../families/model-aliases/public.ts';
import type { Tokens } from '../metering/tokens.ts';
import type { Deadline } from '../ports/platform/clock.ts';
import { BEGUN, type RequestOptions } from '../ports/platform/upstream.ts';
import type { MeteredUpstream, Operation, OperationContext, OperationResult, Plan, Target } from './operation.ts';

const NO_PRICES = () => undefined;

/**
 * Runs an operation: rights, slot, limits, begin, requests, count. Whatever asks an upstream below `/ai_gateway` comes through here.
 * @throws Fault; OutboundError
 */
export async function runOperation<B, T extends Target, A, R>(
  operation: Operation<B, T, A, R>,
  context: OperationContext,
  body: B,
): Promise<OperationResult<R>> {
  const complete = await operation.open(context, body);
  const outer = await context.enter();
  const plan = await complete(outer);
  const { alias, prices = NO_PRICES, input, targets, timeoutMs } = plan;
  using deadline = within(outer, timeoutMs ?? outer.remaining());
  const target = targets[0] as LlmIdentity;
  const { use } = context;
  use.describe({ operation: operation.name, alias, target, prices, deadlineMs: deadline.remaining(), input });
  const { answer, answered } = await askTargets(plan, context, deadline, repetitionOf(operation));
  const result = plan.result(answer, answered);
  use.output = result.output;
  return result;
}

interface TargetAnswer<T, A> {
  answer: A;
  answered: T;
}

/** Asks the targets in order until one answers. */
async function askTargets<T extends Target, A, R>(
  plan: Plan<T, A, R>,
  context: OperationContext,
  deadline: Deadline,
  repetition: Repetition,
): Promise<TargetAnswer<T, A>> {
  const { targets, fallsBackOn } = plan;
  if (!fallsBackOn) return askTarget(plan, targets[0] as LlmIdentity, context, deadline, repetition);
  const failures: Failure[] = [];
  for (const [index, target] of targets.entries()) {
    // The next target answers sooner than one that asks to wait.
    const waits = context.waits && !(index + 1 < targets.length && fallsBackOn('rate_limited'));
    try {
      return await askTarget(plan, target, { ...context, waits }, deadline, repetition);
    } catch (error) {
      if (!isFailure(error)) throw error;
      failures.push({ target, error });
      if (!fallsBackOn(error.code) || deadline.remaining() === 0) break;
    }
  }
  throw allFailed(failures);
}

async function askTarget<T extends Target, A, R>(
  plan: Plan<T, A, R>,
  identity: LlmIdentity,
  context: OperationContext,
  outer: Deadline,
  repetition: Repetition,
): Promise<TargetAnswer<T, A>> {
  const target = await plan.open(identity);
  using deadline = within(outer, target.timeoutMs ?? outer.remaining());
  const { use, beforeCall } = context;
  await use.begin(target, plan.estimate?.(target));
  await beforeCall?.();
  const upstream = new UpstreamCall(context, deadline, repetition);
  try {
    const answer = await plan.send(upstream, target);
    use.answered();
    await plan.answered?.(target);
    return { answer, answered: target };
  } catch (thrown) {
    const isLate = deadline.signal.aborted && !isFailure(thrown) && plan.lateText;
    const error = isLate ? new OutboundError('timeout', isLate(target)) : thrown;
    use.failed(error);
    // Where the whole use ran out of time, nothing is known about the target.
    if (error instanceof OutboundError && outer.remaining() > 0) await plan.failed?.(target, error);
    throw error;
  }
}

interface Failure {
  target: LlmIdentity;
  error: Fault | OutboundError;
}

const isFailure = (error: unknown): error is Failure['error'] =>
  error instanceof Fault || error instanceof OutboundError;

/** The first failure, with the codes of all. */
function allFailed(failures: readonly Failure[]): Fault {
  const [first] = failures;
  if (!first) throw new Error('a use has at least one target');
  const { error } = first;
  const fault = error instanceof Fault ? error : Fault.of(error);
  const attempts = failures.map(({ target, error: { code } }) => ({ model: nameOf(target), error_code: code }));
  return new Fault(fault.code, fault.message, { ...fault.extra, attempts }, { cause: error });
}

/** How requests are sent once more. */
interface Repetition {
  /** Each of them may be; otherwise one. */
  isForEach: boolean;
  /** @param waits whether to wait as a 429 asks */
  pauseBefore(error: OutboundError, waits: boolean): number | undefined;
}

function repetitionOf<B, T extends Target, A, R>(operation: Operation<B, T, A, R>): Repetition {
  const { hasEffects, repeatsEach, pauseBefore = hasEffects ? () => undefined : pauseBeforeRepeat } = operation;
  return { isForEach: repeatsEach === true, pauseBefore };
}

/** The right to ask one target of a use that has begun. */
class UpstreamCall implements MeteredUpstream {
  readonly [BEGUN] = true as const;
  hasRepeated = false;
  readonly #context: OperationContext;
  readonly #deadline: Deadline;
  readonly #repetition: Repetition;

  constructor(context: OperationContext, deadline: Deadline, repetition: Repetition) {
    this.#context = context;
    this.#deadline = deadline;
    this.#repetition = repetition;
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }

  remaining = (): number => this.#deadline.remaining();

  mayBegin = (): boolean => this.#context.beginning?.signal.aborted !== true;

  count(tokens: Tokens, model?: string): void {
    this.#context.use.count(tokens, model);
  }

  request<T>(send: () => Promise<T>, { mayRepeat = true, isCounted = true }: RequestOptions = {}): Promise<T> {
    const { use } = this.#context;
    return use.meter.upstream(async () => {
      try {
        use.attempts += 1;
        const answer = await send();
        if (!isCounted) use.attempts -= 1;
        return answer;
      } catch (error) {
        const pause = mayRepeat ? this.#pauseBefore(error) : undefined;
        if (pause === undefined) throw error;
        this.hasRepeated = true;
        await sleep(pause, undefined, { signal: this.signal }).catch(() => {
          throw error;
        });
        use.attempts += 1;
        return send();
      }
    });
  }

  /** Undefined where nothing may be repeated, or not in the time that is left. */
  #pauseBefore(error: unknown): number | undefined {
    const { isForEach, pauseBefore } = this.#repetition;
    const { beginning = this.#deadline, waits } = this.#context;
    if (!(error instanceof OutboundError) || this.signal.aborted || (this.hasRepeated && !isForEach)) return undefined;
    const pause = pauseBefore(error, waits);
    return pause === undefined || pause >= beginning.remaining() ? undefined : pause;
  }
}

const MAX_WAIT_S = 5;
const PAUSE_MS = 250;

/**
 * Milliseconds before a request is sent once more: after a refused or reset connection, 503, 529, or a 429 that asks for at most 5 s;
 * undefined where it must not be.
 */
function pauseBeforeRepeat(error: OutboundError, waits: boolean): number | undefined {
  const { code, httpStatus, retryAfter, isAnswered } = error;
  if (code === 'connection_refused' || code === 'connection_reset') return isAnswered ? undefined : PAUSE_MS;
  if (code === 'rate_limited' && httpStatus === 429) {
    return waits && retryAfter !== undefined && retryAfter <= MAX_WAIT_S ? retryAfter * 1000 : undefined;
  }
  return httpStatus === 503 || httpStatus === OVERLOADED_STATUS
    ? Math.min(retryAfter ?? 0, MAX_WAIT_S) * 1000 || PAUSE_MS
    : undefined;
}
