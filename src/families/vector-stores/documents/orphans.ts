import { Leases } from '../../../domain/locks/leases.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { VECTOR_STORES } from '../names.ts';
import { type CatalogueStores, documentsLease, type StoreRecord } from './catalogue.ts';
import { DOCUMENTS_LEASE_MS } from './heldLease.ts';
import { removeDocuments } from './repairs.ts';
import { STORE_STATES, type StoreState } from './stored.ts';

/** How long the removal of a store waits for a write of its documents. */
const WAIT_MS = 15_000;

/** Removes documents of stores that are gone. Failures are left to the next call. */
export async function removeOrphans(stores: CatalogueStores): Promise<void> {
  const { records, log } = stores;
  try {
    const states = await records.find<StoreState>(STORE_STATES);
    const present = await presentRecords(records);
    for (const state of states)
      if (present.get(state._key) !== state.record_created) await removeOrphan(stores, state._key);
  } catch {
    log.warn('sweep_failed', { family: 'vector-stores' });
  }
}

async function presentRecords(records: RecordStore): Promise<Map<string, number>> {
  const present = await records.find<StoreRecord>(VECTOR_STORES, { fields: ['created_at'] });
  return new Map(present.map(({ _key, created_at }) => [_key, created_at]));
}

async function removeOrphan({ records, clock, newId }: CatalogueStores, key: string): Promise<void> {
  const work = async (): Promise<void> => {
    const state = await records.get<StoreState>(STORE_STATES, key);
    if (!state || (await presentRecords(records)).get(key) === state.record_created) return;
    for (const uid of [state.uid, state.former]) if (uid !== undefined) await removeDocuments(records, uid);
    await records.remove(STORE_STATES, key, { uid: state.uid });
  };
  await new Leases(records, clock, newId).hold(documentsLease(key), DOCUMENTS_LEASE_MS, work, WAIT_MS);
}

/** The stores that have documents. */
export async function presentUids(records: RecordStore): Promise<Set<string>> {
  const states = await records.find<StoreState>(STORE_STATES, { fields: ['uid'] });
  return new Set(states.map(({ uid }) => uid));
}
