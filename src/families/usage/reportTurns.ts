import { Fault } from '../../contract/codes/faults.ts';
import { type Lease, Leases, WRITE_LEASE_MS } from '../../domain/locks/leases.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';

export type TurnStores = Pick<Stores, 'records' | 'clock' | 'newId'>;

const KEY = 'usage.reported';
const WAITING_KEY = 'usage.report_awaited';
/** Requests that wait keep their drivers from others. */
const WAIT_MS = 2000;
const POLL_MS = 100;
const RENEWED_MS = WRITE_LEASE_MS / 4;

/**
 * Makes one report at a time, since each may read all sums of usage.
 * @param work calls `progress` while it reads, which keeps the turn
 * @throws Fault `busy` while another report takes long; errors of the work
 */
export async function inTurn<T>(stores: TurnStores, work: (progress: () => Promise<void>) => Promise<T>): Promise<T> {
  const { records, clock, newId } = stores;
  const leases = new Leases(records, clock, newId);
  const turn = await takeTurn(leases, clock);
  let renewedAt = clock.monotonic();
  try {
    return await work(async () => {
      if (clock.monotonic() - renewedAt < RENEWED_MS) return;
      renewedAt = clock.monotonic();
      await leases.renew(KEY, turn.owner, WRITE_LEASE_MS);
    });
  } finally {
    await turn.release();
  }
}

/** One request waits for its turn; a further one would only keep a driver from others, and is refused at once. */
async function takeTurn(leases: Leases, clock: TurnStores['clock']): Promise<Lease> {
  const turn = await leases.tryAcquire(KEY, WRITE_LEASE_MS);
  if (turn) return turn;
  const waiting = await leases.tryAcquire(WAITING_KEY, WRITE_LEASE_MS);
  if (!waiting) throw busy();
  try {
    const ends = clock.monotonic() + WAIT_MS;
    while (clock.monotonic() < ends) {
      await clock.sleep(POLL_MS);
      const later = await leases.tryAcquire(KEY, WRITE_LEASE_MS);
      if (later) return later;
    }
  } finally {
    await waiting.release();
  }
  throw busy();
}

const busy = (): Fault =>
  new Fault('busy', 'Another report of usage is being made. Try again in a moment.', { retry_after: 1 });
