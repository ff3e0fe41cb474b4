import type { HostClock } from '../ports/clock.ts';
import type { Query, RecordStore } from '../ports/recordStore.ts';
import { allOf } from './audience.ts';
import { RecentMap } from './recentMap.ts';
import { timePart } from './timeOrderedId.ts';

/** Entries younger than this may still be completed, or come late from a host whose clock is behind. */
const SETTLED_MS = 300_000;
/** How long a count of settled entries is taken for true: the oldest of them may have been cleared since. */
const TRUSTED_MS = 60_000;
const MOST = 500;

interface Base {
  from: string;
  upTo: string;
  count: number;
  /** When it was counted, by the host's clock. */
  at: number;
}

/**
 * How many entries lists have that only grow at their new end, by ids that sort by time: of the settled ones, what was counted a
 * moment ago still holds. One for each process.
 */
export class GrowingCounts {
  readonly #bases = new RecentMap<Base>(MOST);

  /**
   * @param idField the field with the id
   * @param filter what else is asked of the entries
   * @param from the oldest id that counts
   */
  async count(
    { records, clock }: { records: RecordStore; clock: HostClock },
    { collection, idField }: { collection: string; idField: string },
    filter: Query,
    from: string,
  ): Promise<number> {
    const list = `${collection} ${JSON.stringify(filter)}`;
    const known = this.#bases.get(list);
    const isTrusted = known?.from === from && clock.monotonic() - known.at < TRUSTED_MS;
    const base = isTrusted ? known : { from, upTo: timePart(clock.now() - SETTLED_MS), at: clock.monotonic() };
    const between = { [idField]: { $gte: from, $lt: base.upTo } };
    const since = { [idField]: { $gte: base.upTo > from ? base.upTo : from } };
    const [settled, young] = await Promise.all([
      'count' in base ? base.count : records.count(collection, allOf(filter, between), known?.count),
      records.count(collection, allOf(filter, since)),
    ]);
    this.#bases.set(list, { ...base, count: settled });
    return settled + young;
  }
}
