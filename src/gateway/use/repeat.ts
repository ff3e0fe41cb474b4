import { setTimeout as sleep } from 'node:timers/promises';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../../ports/platform/clock.ts';

const MAX_WAIT_S = 5;
const PAUSE_MS = 250;

/**
 * Calls once more where nothing of an answer came: after a refused or reset connection, 503, 529, or a 429 that asks for at
 * most 5 s. The client has repeated a call already if it needed more than one attempt.
 * @param waits whether to wait as a 429 asks; a batch waits by itself
 */
export async function withRepeat<T extends { attempts: number }>(
  call: (isRepeat: boolean) => Promise<T>,
  { deadline, waits }: { deadline: Deadline; waits: boolean },
): Promise<T> {
  try {
    return await call(false);
  } catch (error) {
    const pause = pauseBefore(error, waits);
    const attempts = (error as OutboundError).attempts ?? 1;
    if (pause === undefined || attempts > 1 || pause >= deadline.remaining()) throw error;
    await sleep(pause);
    return await again(() => call(true), attempts);
  }
}

/** Adds the attempts of the first call to those of the second. */
async function again<T extends { attempts: number }>(call: () => Promise<T>, before: number): Promise<T> {
  try {
    const reply = await call();
    return { ...reply, attempts: reply.attempts + before };
  } catch (error) {
    if (error instanceof OutboundError) error.attempts = (error.attempts ?? 1) + before;
    throw error;
  }
}

/** Milliseconds; undefined where the call must not be repeated. */
function pauseBefore(error: unknown, waits: boolean): number | undefined {
  if (!(error instanceof OutboundError)) return undefined;
  const { code, httpStatus, retryAfter, isAnswered } = error;
  if (code === 'connection_refused' || code === 'connection_reset') return isAnswered ? undefined : PAUSE_MS;
  if (code === 'rate_limited' && httpStatus === 429) {
    return waits && retryAfter !== undefined && retryAfter <= MAX_WAIT_S ? retryAfter * 1000 : undefined;
  }
  return httpStatus === 503 || httpStatus === 529
    ? Math.min(retryAfter ?? 0, MAX_WAIT_S) * 1000 || PAUSE_MS
    : undefined;
}
