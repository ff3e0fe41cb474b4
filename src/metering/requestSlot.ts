import { type StartedDeadline, startDeadline } from '../domain/async/deadline.ts';
import { HeldSlot, type Slot } from '../domain/locks/heldSlot.ts';
import type { Deadline } from '../ports/platform/clock.ts';
import { Meter } from './meter.ts';

export interface Slots {
  /** A slot of the machine, and one of the user's half. @throws Fault `too_many_requests` */
  take(user: string): Promise<Slot>;
  /** A slot of the requests that wait for runs of agents; undefined if all are taken. */
  takeWaiting(): Promise<Slot | undefined>;
  /** Milliseconds that a request may take. */
  deadlineMs(limit: TimeLimit): Promise<number>;
}

/** The usual limit, that of long requests, or seconds that the caller asks for, up to that of long ones. */
export type TimeLimit = 'usual' | 'long' | number;

/** One request's use of upstreams: its slot, its deadline and the time that it waits for upstreams. */
export class RequestSlot {
  readonly meter = new Meter();
  readonly #slots: Slots;
  readonly #held = new HeldSlot();
  #deadline: StartedDeadline | undefined;
  #limit: TimeLimit = 'usual';

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  /** Sets the time that the request may take; counts before `enter` alone. */
  limitTo(limit: TimeLimit): void {
    this.#limit = limit;
  }

  /** Takes a slot at the first call. @throws Fault `too_many_requests` */
  async enter(user: string): Promise<Deadline> {
    await this.#held.enter(() => this.#slots.take(user));
    const { upstreamMs, overheadMs } = this.meter.times;
    this.#deadline ??= startDeadline(
      Math.max(1, (await this.#slots.deadlineMs(this.#limit)) - upstreamMs - overheadMs),
    );
    return this.#deadline;
  }

  /** Undefined if too many requests wait for runs of agents. */
  takeWaiting(): Promise<Slot | undefined> {
    return this.#slots.takeWaiting();
  }

  /** Gives the slot back until `enter` is called again. */
  pause(): Promise<void> {
    return this.#held.pause();
  }

  /** At the end of the request. */
  leave(): void {
    this.#deadline?.[Symbol.dispose]();
    void this.#held.leave();
  }
}
