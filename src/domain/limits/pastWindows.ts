import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { type ShardDoc, USAGE_COUNTERS } from './counterDocs.ts';

const EVERY_MS = 600_000;
/** Windows that ended so long ago are past for every clock. */
const KEPT_S = 600;
/** Keys of one call, so that its query fits a request line. */
const STEP = 25;
const MOST_MS = 300;

/** Removes counters of past windows, a few at a time. */
export class PastWindows {
  #dueAt = Number.NEGATIVE_INFINITY;

  isDue = (clock: HostClock): boolean => clock.monotonic() >= this.#dueAt;

  /**
   * A clock that is ahead must not remove what other processes still count in, so the newest of their documents tells what
   * is past.
   */
  async clear({ records, clock }: { records: RecordStore; clock: HostClock }, process: string): Promise<void> {
    const began = clock.monotonic();
    this.#dueAt = began + EVERY_MS;
    const [newest] = await records.find<ShardDoc>(USAGE_COUNTERS, {
      query: { kind: 'shard', process: { $ne: process } },
      fields: ['kind', 'at', 'process'],
      sort: 'at:-1',
      limit: 1,
    });
    const now = clock.now() / 1000;
    const ends = { $lt: Math.min(now, newest?.at ?? now) - KEPT_S };
    for (;;) {
      const past = await records.find<Doc>(USAGE_COUNTERS, { query: { ends }, fields: ['ends'], limit: STEP });
      if (past.length === 0) return;
      await records.removeWhere(USAGE_COUNTERS, { $or: past.map(({ _key }) => ({ _key })) });
      if (clock.monotonic() - began > MOST_MS) {
        this.#dueAt = began;
        return;
      }
    }
  }
}
