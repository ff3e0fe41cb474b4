import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { andQuery } from '../access/audience.ts';
import { ENTRY_CLASSES, type EntryClass } from './quotas.ts';
import { AUDIT, type AuditStored } from './stored.ts';

/** How much is kept of a class of entries. */
export interface ClassBounds {
  query: Query;
  /** The id of the oldest entry within the number of the class; empty if there are fewer. */
  oldest: string;
  /** Bounded users who have too many entries in the class -> the id of their oldest one to be kept. */
  users: ReadonlyMap<string, string>;
}

/**
 * The bounds of all classes. The excess of a bounded user does not count in the number of a class, so that it pushes out nobody
 * else's entries, whenever it is removed.
 * @param entries `max_entries`
 */
export const findBounds = (records: RecordStore, entries: number): Promise<ClassBounds[]> =>
  Promise.all(ENTRY_CLASSES.map((entryClass) => classBounds(records, entryClass, entries)));

async function classBounds(
  records: RecordStore,
  { query, share, userShare }: EntryClass,
  entries: number,
): Promise<ClassBounds> {
  const most = numberOf(entries, userShare);
  const users = new Map<string, string>();
  for (const [user, count] of await countsOfUsers(records, query)) {
    if (count <= most) continue;
    users.set(user, await oldestWithin(records, andQuery(query, { bounded_user: user }), most));
  }
  const oldest = await oldestWithin(records, withoutExcess(query, users), numberOf(entries, share));
  return { query, oldest, users };
}

/** Finds the entries within the bounds. */
export const withinBounds = (bounds: readonly ClassBounds[]): Query => ({
  $or: bounds.map(({ query, users, oldest }) => andQuery(withoutExcess(query, users), { audit_id: { $gte: oldest } })),
});

/** At least one entry, however small the share. Products of shares are inexact: a third of 30 % of 300 is 30. */
const numberOf = (entries: number, share: number): number => Math.max(1, Math.floor(entries * share + 1e-6));

const withoutExcess = (query: Query, users: ReadonlyMap<string, string>): Query =>
  andQuery(
    query,
    ...[...users].map(([user, oldest]) => ({
      $or: [{ bounded_user: { $ne: user } }, { audit_id: { $gte: oldest } }],
    })),
  );

/** How many entries of a class each bounded user has. */
async function countsOfUsers(records: RecordStore, ofClass: Query): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const query = andQuery(ofClass, { bounded_user: { $gt: '' } });
  for await (const chunk of records.chunks<AuditStored>(AUDIT, { query, fields: ['bounded_user'] })) {
    for (const { bounded_user: user = '' } of chunk) counts.set(user, (counts.get(user) ?? 0) + 1);
  }
  return counts;
}

async function oldestWithin(records: RecordStore, query: Query, number: number): Promise<string> {
  const options = { query, sort: 'audit_id:-1', skip: number - 1, limit: 1, fields: ['audit_id'] };
  const [entry] = await records.find<Doc>(AUDIT, options);
  return entry?._key ?? '';
}
