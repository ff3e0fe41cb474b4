import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline, HostClock } from '../../ports/platform/clock.ts';
import { type Lease, type Leases, LONG_LEASE_MS } from './leases.ts';

const PAUSE_MS = 100;

/** Renewal of a token, or anything else that all processes share. */
export interface Renewal<T> {
  /** Key of the lease. */
  key: string;
  renew(lease: Lease): Promise<T>;
  /** Outcome of another process; undefined while it is at work. */
  renewed(): Promise<{ value: T } | undefined>;
  deadline: Deadline;
  /** Message of the failure if another process takes too long. */
  lateText: string;
}

/** Renews in one process at a time, while the others wait for its outcome. @throws OutboundError `timeout` */
export async function renewOnce<T>(
  leases: Leases,
  clock: HostClock,
  { key, renew, renewed, deadline, lateText }: Renewal<T>,
): Promise<T> {
  for (;;) {
    const lease = await leases.tryAcquire(key, LONG_LEASE_MS);
    if (lease) {
      try {
        return await renew(lease);
      } finally {
        await lease.release();
      }
    }
    const outcome = await renewed();
    if (outcome) return outcome.value;
    if (deadline.remaining() < PAUSE_MS) throw new OutboundError('timeout', lateText);
    await clock.sleep(PAUSE_MS * (0.5 + Math.random()), deadline.signal);
  }
}
