import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { timePart } from '../values/keys.ts';
import { AUDIT } from './audit.ts';

export interface RetentionLimits {
  days: number;
  entries: number;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Entries removed by one call. */
const BATCH = 200;
/** Time limit of one cleanup; the next entry continues it. */
const CLEANUP_MS = 1000;
/** Interval of cleanups in a process. */
const INTERVAL_MS = 10_000;
/** Interval of searches for the entry at a large offset, which take long. */
const COUNT_INTERVAL_MS = 300_000;
/** Offsets up to this are found quickly. */
const SMALL_OFFSET = 2000;

/** The lowest id within the allowed age, rounded down to hours. */
export function oldestAllowed({ days }: RetentionLimits, nowMs: number): string {
  return timePart(Math.floor((nowMs - days * DAY_MS) / HOUR_MS) * HOUR_MS);
}

export const isQuicklyFound = ({ entries }: RetentionLimits): boolean => entries <= SMALL_OFFSET;

/** The id of the oldest entry within `max_entries`; undefined if there are fewer. */
export async function oldestInNumber(records: RecordStore, { entries }: RetentionLimits): Promise<string | undefined> {
  const last = { sort: 'audit_id:-1', skip: entries - 1, limit: 1, fields: ['audit_id'] };
  const [found] = await records.find<Doc>(AUDIT, last);
  return found?._key;
}

/** Removes old entries in batches, for at most a second at a time. */
export class Retention {
  #next = Number.NEGATIVE_INFINITY;
  #nextCount = Number.NEGATIVE_INFINITY;
  /** From the last count; ids only grow. */
  #oldestInNumber = '';

  isDue(clock: HostClock): boolean {
    const now = clock.monotonic();
    if (now < this.#next) return false;
    this.#next = now + INTERVAL_MS;
    return true;
  }

  async clear(records: RecordStore, clock: HostClock, limits: RetentionLimits): Promise<void> {
    const since = clock.monotonic();
    if (isQuicklyFound(limits) || since >= this.#nextCount) {
      this.#nextCount = since + COUNT_INTERVAL_MS;
      this.#oldestInNumber = (await oldestInNumber(records, limits)) ?? '';
    }
    const byAge = oldestAllowed(limits, clock.now());
    const oldest = this.#oldestInNumber > byAge ? this.#oldestInNumber : byAge;
    const query = { audit_id: { $lt: oldest } };
    while (clock.monotonic() - since < CLEANUP_MS) {
      const found = await records.find<Doc>(AUDIT, { query, sort: 'audit_id:1', limit: BATCH, fields: ['audit_id'] });
      const last = found.at(-1);
      if (!last) return;
      await records.removeWhere(AUDIT, { audit_id: { $lte: last._key } });
    }
    // More entries are left: the next entry continues at once.
    this.#next = Number.NEGATIVE_INFINITY;
  }
}
