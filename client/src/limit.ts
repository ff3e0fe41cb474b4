/** The reason of a signal that has ended a call because its time was over. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** Timers take no more; a longer time is as good as none. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Ends a call: when its time is over, or when the caller's signal says so. Release it when the call has ended. */
export class Limit {
  readonly #controller = new AbortController();
  readonly #until: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #callers: AbortSignal | undefined;
  readonly #end = () => this.#controller.abort(this.#callers?.reason);

  // By hand: `AbortSignal.any` is missing in Node 20.0 to 20.2 and keeps what it joins for as long as the caller's signal lives.
  constructor(timeoutMs: number, callers: AbortSignal | undefined) {
    if (!(timeoutMs >= 0)) throw new RangeError('timeoutMs must be a number of milliseconds');
    this.#until = performance.now() + timeoutMs;
    this.#callers = callers;
    if (callers?.aborted) this.#end();
    callers?.addEventListener('abort', this.#end);
    if (timeoutMs <= LONGEST_TIMER_MS)
      this.#timer = setTimeout(() => this.#controller.abort(new TimeIsUp()), Math.max(0, timeoutMs));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  remainingMs(): number {
    return this.#until - performance.now();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#callers?.removeEventListener('abort', this.#end);
  }

  /** The work, or the reason of the end: not every `fetch` listens to its signal. */
  race<T>(work: Promise<T>): Promise<T> {
    return orAborted(work, this.signal);
  }
}

/** @throws the signal's reason */
export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await (signal ? orAborted(over, signal) : over);
  } finally {
    clearTimeout(timer);
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
