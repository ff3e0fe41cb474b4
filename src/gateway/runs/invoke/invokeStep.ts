import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { unlessAborted } from '../../../domain/async/deadline.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Serving } from '../../use/serving.ts';
import type { RunDoc, StepDoc } from '../documents/stored.ts';
import { lateText, type Next } from '../steps/next.ts';
import { replaced, type StepOutcome, type StepWork } from '../steps/stepWork.ts';
import { textOfAnswer } from './answerText.ts';
import { requestOf } from './request.ts';
import type { OpenRuntime } from './runtimes.ts';

const PAUSE_S = 1;
const MAX_PAUSE_S = 5;

/**
 * The one step of an agent that runs elsewhere: one use, whose step is stored as started once the limits have admitted it. What fails
 * after that is the outcome of the step.
 * @throws Fault before the step began
 */
export async function takeInvokeStep(
  { site, writer, run, history, serving }: StepWork,
  next: Extract<Next, { do: 'invoke' }>,
  runtime: OpenRuntime,
): Promise<StepOutcome> {
  const { index, step: earlier, decision } = next;
  const name = run.agent ?? runtime.target.model;
  const fresh = earlier ?? writer.fresh(index, 'invoke', { name, input: run.input });
  const decided = decision ? { decided_by: decision.decided_by } : {};
  let step: StepDoc | undefined;
  const begin = async (): Promise<void> => {
    step = await writer.begin({ ...fresh, ...decided }, next);
  };
  const outcome = await site
    .record(run, serving, (own) => invoke(runtime, run, begin, own))
    .catch((error: unknown): Outcome => {
      if (!step || !(error instanceof Fault || error instanceof OutboundError)) throw error;
      return { state: 'failed', output: error.message, error_code: error.code };
    });
  const stored = await writer.finish({ ...(step as unknown as StepDoc), ...outcome });
  return { history: replaced(history, stored), step: stored };
}

type Outcome = Pick<StepDoc, 'state' | 'output' | 'error_code'>;

async function invoke(
  runtime: OpenRuntime,
  run: RunDoc,
  begin: () => Promise<void>,
  { use, enter }: Serving,
): Promise<Outcome> {
  const deadline = await enter();
  const { target } = runtime;
  const subject = { operation: 'invoke_agent', alias: undefined, target, prices: () => undefined } as const;
  use.describe({ ...subject, deadlineMs: deadline.remaining(), input: run.input });
  await use.begin(target);
  await begin();
  try {
    const { text, attempts } = await use.meter.upstream(() => ask(runtime, run, deadline));
    use.answered(attempts);
    use.output = text;
    return { state: 'done', output: text };
  } catch (error) {
    use.failed(error);
    throw error;
  }
}

/** Repeats once what was certainly not done: nobody took the connection, or the agent was asked too often. */
async function ask(runtime: OpenRuntime, run: RunDoc, deadline: Deadline): Promise<{ text: string; attempts: number }> {
  const request = requestOf(run);
  for (let attempts = 1; ; attempts += 1) {
    try {
      const answer = await unlessAborted(runtime.invoke(request, deadline), deadline.signal);
      return { text: textOfAnswer(answer), attempts };
    } catch (thrown) {
      const error = explained(thrown, run, deadline);
      const pause = attempts > 1 ? undefined : pauseBefore(error);
      if (pause === undefined || pause >= deadline.remaining()) throw Object.assign(error as object, { attempts });
      await sleep(pause, undefined, { signal: deadline.signal }).catch(() => {});
    }
  }
}

/** A call that was cut off says why. */
function explained(error: unknown, { definition }: RunDoc, { signal }: Deadline): unknown {
  if (!signal.aborted) return error;
  const isLate = signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
  if (isLate) return new OutboundError('timeout', lateText(definition));
  return new OutboundError('connection_reset', 'The call was cut off, since the run was cancelled or taken over.');
}

/** Milliseconds; undefined where the call must not be repeated. */
function pauseBefore(error: unknown): number | undefined {
  if (!(error instanceof OutboundError)) return undefined;
  const { code, retryAfter = PAUSE_S } = error;
  if (code !== 'connection_refused' && code !== 'rate_limited') return undefined;
  return retryAfter > MAX_PAUSE_S ? undefined : retryAfter * 1000;
}
