import type { Clock, Deadline } from '../../ports/platform/clock.ts';

export type StartedDeadline = Deadline & Disposable;

const monotonic: Pick<Clock, 'now'> = { now: () => performance.now() };

/** Starts a deadline; the timer does not keep the process alive. Use with `using deadline = startDeadline(10_000)`. */
export function startDeadline(ms: number, clock: Pick<Clock, 'now'> = monotonic): StartedDeadline {
  const controller = new AbortController();
  const ends = clock.now() + ms;
  const expire = (): void => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
  const timer = setTimeout(expire, Math.max(0, ms));
  timer.unref();
  return {
    signal: controller.signal,
    // The timer may be early by a part of a millisecond.
    remaining: () => (controller.signal.aborted ? 0 : Math.max(0, ends - clock.now())),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** A deadline that ends no later than `outer`. */
export function within(outer: Deadline, ms: number): StartedDeadline {
  // A timer of its own could be earlier by some milliseconds, and work that ended at this deadline would find `outer` still open.
  if (ms >= outer.remaining()) {
    return { signal: outer.signal, remaining: () => outer.remaining(), [Symbol.dispose]: () => {} };
  }
  const inner = startDeadline(ms);
  return {
    signal: AbortSignal.any([outer.signal, inner.signal]),
    remaining: () => Math.min(outer.remaining(), inner.remaining()),
    [Symbol.dispose]: () => inner[Symbol.dispose](),
  };
}

/** Awaits `step`, or rejects with the reason of `signal`. A later rejection of `step` is ignored. */
export async function unlessAborted<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason);
  step.catch(() => {});
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, step]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** A new deadline, within `outer` if there is one. */
export const bounded = (ms: number, outer: Deadline | undefined): StartedDeadline =>
  outer ? within(outer, ms) : startDeadline(ms);
