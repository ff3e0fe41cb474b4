import { Fault } from '../../contract/codes/faults.ts';
import { Leases, WRITE_LEASE_MS } from '../../domain/locks/leases.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { EXPERIMENTS } from './constants.ts';

type BoundStores = Pick<Stores, 'records' | 'clock' | 'newId'>;

/** Maximum for one owner. */
const MAX_EXPERIMENTS = 2000;
/** Below the maximum by more than this, creations need not wait for one another. */
const NEAR = 100;

/**
 * Creates an experiment unless its owner has as many as one user may have.
 * @throws Fault `too_many_records`, and the errors of `create`
 */
export async function withinBound<T>(stores: BoundStores, owner: string, create: () => Promise<T>): Promise<T> {
  if (!(await owns(stores, owner, MAX_EXPERIMENTS - NEAR))) return create();
  const leases = new Leases(stores.records, stores.clock, stores.newId);
  return leases.hold(`experiments.of.${recordKey(owner)}`, WRITE_LEASE_MS, async () => {
    if (!(await owns(stores, owner, MAX_EXPERIMENTS))) return create();
    const message = `${owner} has ${MAX_EXPERIMENTS} experiments, which is the maximum for one user. Delete some first.`;
    throw new Fault('too_many_records', message, {}, { headers: { 'x-should-retry': 'false' } });
  });
}

/** Whether there are so many of the owner. */
async function owns({ records }: BoundStores, owner: string, number: number): Promise<boolean> {
  const options = { query: { owner }, fields: ['owner'], sort: 'owner:1', skip: number - 1, limit: 1 };
  return (await records.find<Doc>(EXPERIMENTS, options)).length > 0;
}
