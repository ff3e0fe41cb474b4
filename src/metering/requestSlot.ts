import { type StartedDeadline, startDeadline } from '../domain/async/deadline.ts';
import type { Deadline } from '../ports/platform/clock.ts';
import { Meter } from './meter.ts';

/** A slot of the machine, which a process holds while it serves a request. */
export interface Slot {
  release(): void;
}

export interface Slots {
  /** @throws Fault `too_many_requests` */
  take(user: string): Promise<Slot>;
  /** A place among the requests that wait for runs of agents; undefined if there is none. */
  takeWaitingPlace(): Promise<Slot | undefined>;
  /** Milliseconds that a request may take. */
  deadlineMs(): Promise<number>;
}

/** One request's use of upstreams: its slot, its deadline and the time that it waits for upstreams. */
export class RequestSlot {
  readonly meter = new Meter();
  readonly #slots: Slots;
  #slot: Promise<Slot> | undefined;
  #deadline: StartedDeadline | undefined;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** Takes a slot at the first call. @throws Fault `too_many_requests` */
  async enter(user: string): Promise<Deadline> {
    this.#slot ??= this.#slots.take(user);
    await this.#slot;
    const { upstreamMs, overheadMs } = this.meter.times;
    this.#deadline ??= startDeadline(Math.max(1, (await this.#slots.deadlineMs()) - upstreamMs - overheadMs));
    return this.#deadline;
  }

  /** Undefined if too many requests wait for runs of agents. */
  takeWaitingPlace(): Promise<Slot | undefined> {
    return this.#slots.takeWaitingPlace();
  }

  /** Gives the slot back until `enter` is called again. */
  async pause(): Promise<void> {
    const slot = this.#slot;
    this.#slot = undefined;
    (await slot)?.release();
  }

  /** At the end of the request. */
  leave(): void {
    this.#deadline?.[Symbol.dispose]();
    this.#slot?.then(
      (slot) => slot.release(),
      () => {},
    );
  }
}
