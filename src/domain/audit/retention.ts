import type { HostClock } from '../../ports/platform/clock.ts';
import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { andQuery } from '../access/audience.ts';
import { Leases } from '../locks/leases.ts';
import { timeOfId, timePart } from '../values/keys.ts';
import { type ClassBounds, findBounds, withinBounds } from './bounds.ts';
import { AUDIT, type AuditStored } from './stored.ts';

export interface RetentionLimits {
  days: number;
  /** Number of entries; those of a quota are counted beside it. */
  entries: number;
}

interface RetentionStores {
  records: RecordStore;
  clock: HostClock;
  newId(): string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Entries removed by one call. */
const BATCH = 200;
/** Time limit of one cleanup; the next entry continues it. */
const CLEANUP_MS = 1000;
/** Interval of cleanups in a process. */
const INTERVAL_MS = 10_000;
/** Interval in which one process counts the entries of users and searches for large offsets, which takes long. */
const COUNT_INTERVAL_MS = 300_000;
/** Offsets up to this are found quickly. */
const SMALL_OFFSET = 2000;
/** Share of all entries that may be removed by age in an hour, so that a wrong clock does little harm. */
const SHARE_BY_AGE = 0.01;

/** The lowest id within the allowed age, rounded down to hours. */
export async function oldestAllowed(
  { records, clock }: Pick<RetentionStores, 'records' | 'clock'>,
  { days }: RetentionLimits,
): Promise<string> {
  const others = await newestOfOthers(records, clock.member);
  // A clock that is ahead must not make the entries of other members old.
  const now = others === undefined ? clock.now() : Math.min(clock.now(), timeOfId(others));
  return timePart(Math.floor((now - days * DAY_MS) / HOUR_MS) * HOUR_MS);
}

/** The id of the newest entry that another member of the cluster wrote. One query for each member. */
async function newestOfOthers(records: RecordStore, self: string): Promise<string | undefined> {
  let newest: string | undefined;
  let query: Query = { member: { $gt: '' } };
  for (;;) {
    const options = { query, sort: 'member:-1,audit_id:-1', limit: 1, fields: ['member', 'audit_id'] };
    const [entry] = await records.find<AuditStored>(AUDIT, options);
    if (!entry) return newest;
    const { member, audit_id } = entry;
    if (member !== self && (newest === undefined || audit_id > newest)) newest = audit_id;
    query = { member: { $lt: member } };
  }
}

/** Finds the entries within the allowed numbers; undefined where that takes long and the cleanup alone limits them. */
export async function withinNumbers(records: RecordStore, limits: RetentionLimits): Promise<Query | undefined> {
  if (!isQuicklyFound(limits)) return undefined;
  return withinBounds(await findBounds(records, limits.entries));
}

const isQuicklyFound = ({ entries }: RetentionLimits): boolean => entries <= SMALL_OFFSET;

/** Removes old entries in batches, for at most a second at a time. */
export class Retention {
  #next = Number.NEGATIVE_INFINITY;
  /** From the last count; ids only grow. */
  #bounds: readonly ClassBounds[] = [];

  isDue(clock: HostClock): boolean {
    const now = clock.monotonic();
    if (now < this.#next) return false;
    this.#next = now + INTERVAL_MS;
    return true;
  }

  async clear(stores: RetentionStores, limits: RetentionLimits): Promise<void> {
    const { records, clock, newId } = stores;
    const isSmall = async () => {
      const options = { sort: 'audit_id:-1', skip: SMALL_OFFSET, limit: 1, fields: ['audit_id'] };
      return isQuicklyFound(limits) || (await records.find<Doc>(AUDIT, options)).length === 0;
    };
    // Never released: its expiry is the interval of all processes.
    const mayCount = async () =>
      (await isSmall()) || (await new Leases(records, clock, newId).tryAcquire('audit.counted', COUNT_INTERVAL_MS));
    if (await mayCount()) this.#bounds = await findBounds(records, limits.entries);
    const since = clock.monotonic();
    const isOver = () => clock.monotonic() - since >= CLEANUP_MS;
    const remove = (query: Query, oldest: string) =>
      removeOldest(records, andQuery(query, { audit_id: { $lt: oldest } }), Number.POSITIVE_INFINITY, isOver);
    for (const { query, oldest, users } of this.#bounds) {
      for (const [user, oldestOfUser] of users) await remove(andQuery(query, { bounded_user: user }), oldestOfUser);
      await remove(query, oldest);
    }
    await this.#clearByAge(stores, limits, isOver);
    // More entries may be left: the next entry continues at once.
    if (isOver()) this.#next = Number.NEGATIVE_INFINITY;
  }

  async #clearByAge(stores: RetentionStores, limits: RetentionLimits, isOver: () => boolean): Promise<void> {
    const { records, clock, newId } = stores;
    const query = { audit_id: { $lt: await oldestAllowed(stores, limits) } };
    const [old] = await records.find<Doc>(AUDIT, { query, limit: 1, fields: ['audit_id'] });
    if (!old) return;
    // Never released: the next process may clear when it expires, whatever the wall clocks say.
    const turn = await new Leases(records, clock, newId).tryAcquire('audit.cleared', HOUR_MS);
    if (!turn) return;
    await removeOldest(records, query, Math.ceil((await records.count(AUDIT)) * SHARE_BY_AGE), isOver);
  }
}

/** Removes up to so many of the matching entries, the oldest first. */
async function removeOldest(records: RecordStore, query: Query, most: number, isOver: () => boolean): Promise<void> {
  for (let left = most; left > 0 && !isOver(); ) {
    const limit = Math.min(left, BATCH);
    const entries = await records.find<Doc>(AUDIT, { query, sort: 'audit_id:1', limit, fields: ['audit_id'] });
    const last = entries.at(-1);
    if (!last) return;
    await records.removeWhere(AUDIT, andQuery(query, { audit_id: { $lte: last._key } }));
    left -= entries.length;
  }
}
