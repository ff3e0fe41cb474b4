import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { agreedTime } from '../usage/agreedTime.ts';
import { USAGE_COUNTERS } from './counterDocs.ts';

const EVERY_MS = 600_000;
/** Calls that began in a window have ended by then, and clocks of members differ by less. */
const GRACE_S = 600;
/** Keys of one call, so that its query fits a request line. */
const BATCH = 25;
const MAX_MS = 300;

/** Removes counters of past windows, a few at a time. */
export class PastWindows {
  #dueAt = Number.NEGATIVE_INFINITY;

  isDue = (clock: HostClock): boolean => clock.monotonic() >= this.#dueAt;

  async clear(stores: { records: RecordStore; clock: HostClock }): Promise<void> {
    const { records, clock } = stores;
    const began = clock.monotonic();
    this.#dueAt = began + EVERY_MS;
    const now = await agreedTime(stores, { collection: USAGE_COUNTERS, query: { kind: 'shard' }, field: 'at' });
    const ends = { $lt: now - GRACE_S };
    for (;;) {
      const past = await records.find<Doc>(USAGE_COUNTERS, { query: { ends }, fields: ['ends'], limit: BATCH });
      if (past.length === 0) return;
      await records.removeWhere(USAGE_COUNTERS, { $or: past.map(({ _key }) => ({ _key })) });
      if (clock.monotonic() - began > MAX_MS) {
        this.#dueAt = began;
        return;
      }
    }
  }
}
