import { Fault } from '../../../../contract/codes/faults.ts';
import type { Engines } from '../engines.ts';
import { stoppedDuringStart } from '../engines.ts';
import { FAILED, pullLease, type RuntimeStored } from '../records.ts';
import type { Runtimes } from '../store.ts';

/** A worker that does not renew its lease for this time is dead. */
export const PULL_LEASE_MS = 20_000;
/** A pull that fails within this time fails the start request. */
const EARLY_FAILURE_MS = 5000;
const POLL_MS = 200;

/** Pulls in a separate process, since the platform may end an idle driver, which would end the pull. */
export async function beginPull(
  { engines, runtimes }: { engines: Engines; runtimes: Runtimes },
  record: RuntimeStored,
): Promise<RuntimeStored> {
  const lease = await runtimes.leases.tryAcquire(pullLease(record._key), PULL_LEASE_MS);
  if (!lease)
    throw new Fault('store_unavailable', 'An earlier pull for this model has not ended yet. Try again in a moment.');
  const pulling = await runtimes.changeUnlessStopping(record, () => ({
    step: 'pulling',
    pull_owner: lease.owner,
    status_reason: 'pulling',
    status_message: `Pulling ${record.image_reference}`,
  }));
  if (!pulling) {
    await lease.release();
    throw stoppedDuringStart(record);
  }
  engines.deps.spawnPull({ key: record._key, mark: record.mark, owner: lease.owner });
  return pulling;
}

/** Waits briefly for an early failure. @throws Fault when the pull failed or the model was stopped */
export async function awaitPull(runtimes: Runtimes, record: RuntimeStored): Promise<RuntimeStored> {
  const { clock } = runtimes.stores;
  const until = clock.now() + EARLY_FAILURE_MS;
  for (;;) {
    await clock.sleep(POLL_MS);
    const now = await runtimes.getByKey(record._key);
    if (now?.mark !== record.mark || now.step === 'stopping') throw stoppedDuringStart(record);
    if (now.status === FAILED) {
      const message = `${record.model} could not be started: ${now.status_message}`;
      throw new Fault('upstream_error', message, { reason: now.status_reason });
    }
    if (now.step === '' || clock.now() >= until) return now;
  }
}
