import type { Clock, Deadline } from '../../ports/platform/clock.ts';

export type StartedDeadline = Deadline & Disposable;

const monotonic: Pick<Clock, 'now'> = { now: () => performance.now() };

/**
 * A bound that aborts by itself. The timer holds no process alive, and disposing clears it:
 * `using deadline = startDeadline(10_000)`.
 */
export function startDeadline(ms: number, clock: Pick<Clock, 'now'> = monotonic): StartedDeadline {
  const controller = new AbortController();
  const ends = clock.now() + ms;
  const expire = (): void => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError'));
  const timer = setTimeout(expire, Math.max(0, ms));
  timer.unref();
  return {
    signal: controller.signal,
    remaining: () => Math.max(0, ends - clock.now()),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** A tighter bound inside `outer`: whichever ends first. Disposing lets go of `outer` too. */
export function within(outer: Deadline, ms: number): StartedDeadline {
  const inner = startDeadline(Math.min(ms, outer.remaining()));
  return {
    signal: AbortSignal.any([outer.signal, inner.signal]),
    remaining: () => Math.min(outer.remaining(), inner.remaining()),
    [Symbol.dispose]: () => inner[Symbol.dispose](),
  };
}

/** `step`, or the reason of `signal`, whichever comes first. A step that loses is left without an unhandled rejection. */
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

/** A bound of its own, inside `outer` where there is one. */
export const bounded = (ms: number, outer: Deadline | undefined): StartedDeadline =>
  outer ? within(outer, ms) : startDeadline(ms);
