import { setTimeout as pause } from 'node:timers/promises';
import type { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted, within } from '../../domain/async/deadline.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { causeOf, isClockCorrected } from './errors.ts';

export interface Tries {
  attempts: number;
  /** Timeout of one attempt; default: the deadline. */
  attemptMs?: number | undefined;
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5000;

/** Retries throttling, 5xx, resets and timeouts while the deadline has room for the pause. */
export async function withRetries<T>(
  deadline: Deadline,
  { attempts, attemptMs }: Tries,
  attempt: (signal: AbortSignal) => Promise<T>,
  explain: (error: unknown, signal: AbortSignal) => OutboundError,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    using single = within(deadline, attemptMs ?? deadline.remaining());
    try {
      // The SDK's credential lookup ignores the signal.
      return await unlessAborted(attempt(single.signal), single.signal);
    } catch (error) {
      const explained = explain(error, single.signal);
      const wait = pauseMs(explained, tries);
      if (tries >= attempts || !isWorthwhile(explained) || deadline.remaining() <= wait) throw explained;
      await pause(wait, undefined, { signal: deadline.signal, ref: true }).catch(() => {
        throw explained;
      });
    }
  }
}

function isWorthwhile(error: OutboundError): boolean {
  if (isClockCorrected(causeOf(error))) return true;
  if (error.code === 'upstream_error') return (error.httpStatus ?? 0) >= 500;
  return error.code === 'rate_limited' || error.code === 'connection_reset' || error.code === 'timeout';
}

/** Exponential backoff with jitter, so that throttled callers do not retry at the same time. */
function pauseMs(error: OutboundError, tries: number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** tries, MAX_PAUSE_MS);
  return longest * (0.5 + Math.random() / 2);
}
