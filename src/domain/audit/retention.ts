import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { timePart } from '../values/keys.ts';
import { AUDIT } from './audit.ts';

/** How much of the trail is kept. */
export interface RetentionLimits {
  days: number;
  entries: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Removed by one call. */
const STEP = 200;
/** How long one clearing may go on; the next entry goes on with the rest. */
const CLEARING_MS = 1000;
/** How often a process looks whether there is something to clear. */
const EVERY_MS = 10_000;
/** To find the place of a large number in the order takes long: that is done this often. */
const COUNT_EVERY_MS = 300_000;
/** A number that is found as quickly as a page. */
const FEW = 2000;

/** The id that the oldest entry of the allowed age may have: by whole hours, so that it stays the same for a while. */
export function oldestAllowed({ days }: RetentionLimits, nowMs: number): string {
  return timePart(Math.floor((nowMs - days * DAY_MS) / HOUR_MS) * HOUR_MS);
}

/** Whether the place of the oldest entry that is kept is found in no time. */
export const isQuicklyFound = ({ entries }: RetentionLimits): boolean => entries <= FEW;

/** The id of the oldest entry that is kept for its place in the order; undefined while there are not that many. */
export async function oldestInNumber(records: RecordStore, { entries }: RetentionLimits): Promise<string | undefined> {
  const last = { sort: 'audit_id:-1', skip: entries - 1, limit: 1, fields: ['audit_id'] };
  const [found] = await records.find<Doc>(AUDIT, last);
  return found?._key;
}

/** Removes what is too old, in small steps, as long as it takes no more than a moment. */
export class Retention {
  #next = Number.NEGATIVE_INFINITY;
  #nextCount = Number.NEGATIVE_INFINITY;
  /** What was too old when it was counted last; ids only grow. */
  #oldestInNumber = '';

  isDue(clock: HostClock): boolean {
    const now = clock.monotonic();
    if (now < this.#next) return false;
    this.#next = now + EVERY_MS;
    return true;
  }

  async clear(records: RecordStore, clock: HostClock, kept: RetentionLimits): Promise<void> {
    const since = clock.monotonic();
    if (isQuicklyFound(kept) || since >= this.#nextCount) {
      this.#nextCount = since + COUNT_EVERY_MS;
      this.#oldestInNumber = (await oldestInNumber(records, kept)) ?? '';
    }
    const byAge = oldestAllowed(kept, clock.now());
    const oldest = this.#oldestInNumber > byAge ? this.#oldestInNumber : byAge;
    const query = { audit_id: { $lt: oldest } };
    while (clock.monotonic() - since < CLEARING_MS) {
      const found = await records.find<Doc>(AUDIT, { query, sort: 'audit_id:1', limit: STEP, fields: ['audit_id'] });
      const last = found.at(-1);
      if (!last) return;
      await records.removeWhere(AUDIT, { audit_id: { $lte: last._key } });
    }
    // There is more: the next entry goes on at once.
    this.#next = Number.NEGATIVE_INFINITY;
  }
}
