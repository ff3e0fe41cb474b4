import type { HostClock } from '../../ports/platform/clock.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { Leases } from '../locks/leases.ts';
import { recordKey, timePart } from '../values/keys.ts';
import { AUDIT, type AuditStored } from './stored.ts';

const REFUSALS_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Serialises the processes that count entries of one user. */
const LEASE_MS = 2000;

interface RepeatStores {
  records: RecordStore;
  clock: HostClock;
  newId(): string;
}

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
  { records, clock, newId }: RepeatStores,
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
  const now = clock.now();
  // Entries of a member whose clock is ahead are not earlier.
  const period = { $gte: timePart(now - repeat.periodMs), $lt: timePart(now + repeat.periodMs), $ne: entry.audit_id };
  try {
    const leases = new Leases(records, clock, newId);
    return await leases.hold(`audit.${recordKey(entry.user)}`, LEASE_MS, async () => {
      const query = { ...repeat.match, audit_id: period };
      const [earlier] = await records.find<AuditStored>(AUDIT, { query, sort: 'audit_id:-1', limit: 1 });
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
