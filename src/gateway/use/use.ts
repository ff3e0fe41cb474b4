import { type StartedDeadline, startDeadline } from '../../domain/async/deadline.ts';
import type { Deadline } from '../../ports/platform/clock.ts';

/** A slot of the machine, which a process holds while it serves a request. */
export interface Slot {
  release(): void;
}

export interface Slots {
  /** @throws Fault `too_many_requests` */
  take(user: string): Promise<Slot>;
  /** Milliseconds that a request may take. */
  deadlineMs(): Promise<number>;
}

/** One request's use of upstreams: its slot, its deadline and the time that it waits for upstreams. */
export class Use {
  readonly #slots: Slots;
  readonly #started = performance.now();
  #slot: Promise<Slot> | undefined;
  #deadline: StartedDeadline | undefined;
  #waiting = 0;
  #waitingSince = 0;
  #upstreamMs = 0;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** Takes a slot at the first call. @throws Fault `too_many_requests` */
  async enter(user: string): Promise<Deadline> {
    this.#slot ??= this.#slots.take(user);
    await this.#slot;
    this.#deadline ??= startDeadline(Math.max(1, (await this.#slots.deadlineMs()) - this.#elapsed()));
    return this.#deadline;
  }

  /** At the end of the request. */
  leave(): void {
    this.#deadline?.[Symbol.dispose]();
    this.#slot?.then(
      (slot) => slot.release(),
      () => {},
    );
  }

  /** Counts the time of a call. Calls at the same time count once. */
  async upstream<T>(call: () => Promise<T>): Promise<T> {
    if (this.#waiting === 0) this.#waitingSince = performance.now();
    this.#waiting += 1;
    try {
      return await call();
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#upstreamMs += performance.now() - this.#waitingSince;
    }
  }

  get times(): { upstreamMs: number; overheadMs: number } {
    const now = this.#waiting === 0 ? 0 : performance.now() - this.#waitingSince;
    const upstreamMs = this.#upstreamMs + now;
    return { upstreamMs, overheadMs: this.#elapsed() - upstreamMs };
  }

  #elapsed(): number {
    return performance.now() - this.#started;
  }
}
