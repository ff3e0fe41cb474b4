import type { HostClock } from '../../../src/ports/platform/clock.ts';

interface Sleeper {
  at: number;
  wake(): void;
}

/**
 * Time that only moves when a test says so or when everybody sleeps: with nothing left to do, the clock jumps to the
 * earliest sleeper. Minutes of waiting pass at once, and two sleepers wake in the order of their times. Work of other
 * threads has to be announced (`during`), or a waiter's minutes pass before it ends.
 */
export class ManualClock implements HostClock {
  #now: number;
  #sleepers: Sleeper[] = [];
  #pumping = false;
  #working = 0;

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now = (): number => this.#now;

  monotonic = (): number => this.#now;
  readonly domain = 'host-1';
  readonly member = 'host-1';

  /** The clock of another host: the same moments, told by another wall clock and another monotonic one. */
  elsewhere(domain: string, skewMs = 0): HostClock {
    const { sleep } = this;
    return {
      now: () => this.#now + skewMs,
      monotonic: () => this.#now - 1_000_000_000 + skewMs,
      sleep,
      domain,
      member: domain,
    };
  }

  /** Seconds, as records carry them. */
  seconds = (): number => this.#now / 1000;

  advance(ms: number): void {
    this.#now += ms;
  }

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', stop, { once: true });
      sleeper.wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      this.#pump();
    });

  /** Time stands still until the work has ended. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work;
    } finally {
      this.#working -= 1;
      this.#pump();
    }
  }

  /** One sleeper a turn of the event loop: all that its waking sets off is done before the next wakes. */
  #pump(): void {
    if (this.#pumping) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      if (this.#working > 0) return;
      const next = this.#sleepers.sort((a, b) => a.at - b.at).shift();
      if (!next) return;
      this.#now = Math.max(this.#now, next.at);
      next.wake();
      if (this.#sleepers.length > 0) this.#pump();
    });
  }
}
