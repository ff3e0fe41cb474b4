import type { Query } from '../../ports/stores/recordStore.ts';
import { Leases } from '../locks/leases.ts';
import { recordKey, timePart } from '../values/keys.ts';
import { AUDIT, type AuditStored, type AuditStores } from './stored.ts';

const REFUSALS_MS = 60_000;
const HOUR_MS = 3_600_000;
const LEASE_MS = 2000;

/** Serialises the processes that count entries of one user. */
export const underUserLease = <T>(
  { records, clock, newId }: AuditStores,
  user: string,
  work: () => Promise<T>,
): Promise<T> => new Leases(records, clock, newId).hold(`audit.${recordKey(user)}`, LEASE_MS, work);

/** The newest entry of a query, if there is one. */
export async function newestEntry({ records }: AuditStores, query: Query): Promise<AuditStored | undefined> {
  const [newest] = await records.find<AuditStored>(AUDIT, { query, sort: 'audit_id:-1', limit: 1 });
  return newest;
}

/** Ids of entries around now: those of a member whose clock is ahead are not earlier. */
export const idsWithin = ({ clock }: AuditStores, ms: number) => ({
  $gte: timePart(clock.now() - ms),
  $lt: timePart(clock.now() + ms),
});

/** Which earlier entry stands for this one too; undefined if each such entry is kept. */
function repeatOf(entry: AuditStored): { periodMs: number; match: Partial<AuditStored> } | undefined {
  const { user, action, family, quota, outcome, error_code, name_key } = entry;
  const match = {
    ...{ user, action, family, outcome },
    ...(error_code === undefined ? {} : { error_code }),
    ...(quota === undefined ? {} : { quota }),
  };
  if (quota === 'refusal') return { periodMs: REFUSALS_MS, match };
  // The name of a run is that of its agent; definitions have none.
  if (action === 'log_read' || action === 'run') return { periodMs: HOUR_MS, match: { ...match, name_key } };
  return undefined;
}

/**
 * Counts the entry in an earlier one like it, or else writes it.
 * @param isStored whether the entry is in the store since its work began
 * @param write returns false if it fails
 * @returns whether the entry is counted or written
 */
export async function writeOrCount(
  stores: AuditStores,
  entry: AuditStored,
  isStored: boolean,
  write: () => Promise<boolean>,
): Promise<'counted' | 'written' | 'failed'> {
  let isWriting = false;
  const writeOnce = async () => {
    isWriting = true;
    return (await write()) ? 'written' : 'failed';
  };
  const repeat = repeatOf(entry);
  if (!repeat) return writeOnce();
  const { records } = stores;
  const audit_id = { ...idsWithin(stores, repeat.periodMs), $ne: entry.audit_id };
  try {
    return await underUserLease(stores, entry.user, async () => {
      const earlier = await newestEntry(stores, { ...repeat.match, audit_id });
      if (!earlier) return writeOnce();
      const count = (earlier.count ?? 1) + (entry.count ?? 1);
      const { run_id, ...counted } = earlier;
      const isOneRun = run_id !== undefined && run_id === entry.run_id;
      await records.replace(AUDIT, { ...counted, ...(isOneRun ? { run_id } : {}), count });
      if (isStored) await records.remove(AUDIT, entry._key);
      return 'counted';
    });
  } catch (error) {
    if (isWriting) throw error;
    // An entry of its own is better than none.
    return writeOnce();
  }
}
