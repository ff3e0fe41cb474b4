import { setTimeout as sleep } from 'node:timers/promises';
import type { Deadline } from '../../ports/platform/clock.ts';

const DEFAULT_WAIT_MS = 1000;

/** How many calls of a batch are under way: half as many after each rejection for too many requests. */
export class Pace {
  #limit: number;
  #active = 0;
  #resumesAt = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Waits for a turn. @returns false once the deadline has passed */
  async enter(deadline: Deadline): Promise<boolean> {
    for (;;) {
      if (deadline.signal.aborted) return false;
      const pause = this.#resumesAt - performance.now();
      if (pause <= 0 && this.#active < this.#limit) break;
      await sleep(Math.min(Math.max(pause, 10), deadline.remaining() + 1));
    }
    this.#active += 1;
    return true;
  }

  leave(): void {
    this.#active -= 1;
  }

  /** Gives up the turn, waits as asked, and takes it again. @returns false if the deadline would pass */
  async slowDown(seconds: number | undefined, deadline: Deadline): Promise<boolean> {
    const wait = seconds === undefined ? DEFAULT_WAIT_MS : seconds * 1000;
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    this.#resumesAt = Math.max(this.#resumesAt, performance.now() + wait);
    if (wait >= deadline.remaining()) return false;
    this.leave();
    const isOn = await this.enter(deadline);
    if (!isOn) this.#active += 1;
    return isOn;
  }
}
