import { Fault } from '../../../src/contract/codes/faults.ts';
import type { Slot } from '../../../src/domain/locks/heldSlot.ts';
import type { Slots, TimeLimit } from '../../../src/metering/requestSlot.ts';

/** Slots of one machine in memory. */
export class MemorySlots implements Slots {
  max = 16;
  deadline = 120_000;
  /** User -> slots held. */
  readonly held = new Map<string, number>();

  async take(user: string): Promise<Slot> {
    const own = this.held.get(user) ?? 0;
    const all = [...this.held.values()].reduce((sum, count) => sum + count, 0);
    if (all >= this.max || own >= Math.max(1, Math.floor(this.max / 2))) {
      throw new Fault('too_many_requests', 'All slots are taken.', { retry_after: 1 });
    }
    this.held.set(user, own + 1);
    return { release: () => void this.held.set(user, (this.held.get(user) ?? 1) - 1) };
  }

  /** Slots of requests that wait for runs. */
  waiting = 4;

  async takeWaiting(): Promise<Slot | undefined> {
    if (this.waiting <= 0) return undefined;
    this.waiting -= 1;
    return {
      release: () => {
        this.waiting += 1;
      },
    };
  }

  /** Limits that requests asked for. */
  readonly limits: TimeLimit[] = [];

  async deadlineMs(limit: TimeLimit): Promise<number> {
    this.limits.push(limit);
    return this.deadline;
  }
}
