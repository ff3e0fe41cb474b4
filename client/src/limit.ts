/** Abort reason of a call that exceeded its time limit. */
export class TimeIsUp extends Error {
  override readonly name = 'TimeIsUp';
}

/** Maximum delay of a timer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Aborts a call on timeout or by the caller's signal. Must be released after the call. */
export class Limit {
  readonly #controller = new AbortController();
  readonly #until: number;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #callers: AbortSignal | undefined;
  readonly #end = () => this.#controller.abort(this.#callers?.reason);

  // `AbortSignal.any` is missing in Node 20.0 to 20.2 and leaks while the caller's signal lives.
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

  /** Rejects on abort even if `fetch` ignores its signal. */
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
