import type { Json } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import type { Pagination } from '../../../contract/schemas/common.ts';
import type { ListQueryValues } from '../../../domain/lists/lists.ts';
import { withKeys } from '../../../domain/lists/pageBuffer.ts';
import { findPage, type IndexedList } from '../../../domain/lists/storedLists.ts';
import { Leases, WRITE_LEASE_MS, writeLeaseKey } from '../../../domain/locks/leases.ts';
import type { SealedDoc, Stores } from '../../../domain/records/sealedRecord.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import { FAMILY, VECTOR_STORES } from '../names.ts';
import { DOCUMENTS_LEASE_MS, HeldLease } from './heldLease.ts';
import { dueForPurge, purgeMarks, recount, removeDocuments } from './repairs.ts';
import { DOCUMENTS, type DocumentEntry, documentKey, STORE_STATES, type StoreState } from './stored.ts';
import { WriteSession } from './writeSession.ts';

/** How long a write waits for the one before it. */
const WAIT_MS = 60_000;

const LIST: IndexedList = {
  collection: DOCUMENTS,
  sorts: { id: 'id', updated_at: 'updated_at' },
  defaultSort: 'id',
  unique: 'id',
  searched: ['id'],
};

export type CatalogueStores = Pick<Stores, 'records' | 'clock' | 'newId' | 'log'>;
/** A saved record of a store. */
export type StoreRecord = Pick<SealedDoc, '_key' | 'created_at'>;
type StoredRecord = StoreRecord & { details?: object };

/** A document in a list. */
export interface ListedDocument {
  id: string;
  passages: number;
  metadata: Json;
  updated_at: number;
}

export const documentsLease = (key: string): string => `documents.${key}`;

/** Whether a store has passages, or may soon: a write under way, or one that was killed, counts. */
export async function hasPassages(records: RecordStore, record: StoreRecord): Promise<boolean> {
  const state = await records.get<StoreState>(STORE_STATES, record._key);
  return state?.record_created === record.created_at && (state.passages > 0 || state.change % 2 === 1);
}

/** The list of the documents that this app wrote into one store. */
export class Catalogue {
  readonly #stores: CatalogueStores;
  readonly #record: StoreRecord;
  readonly #place: string | undefined;
  readonly #leases: Leases;

  /** @param place where an external store has the documents: what stands elsewhere is not of this list */
  constructor(stores: CatalogueStores, record: StoreRecord, place?: string) {
    this.#stores = stores;
    this.#record = record;
    this.#place = place;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  #now = (): number => this.#stores.clock.now() / 1000;

  /** Undefined before the first write. */
  async state(): Promise<StoreState | undefined> {
    const state = await this.#stores.records.get<StoreState>(STORE_STATES, this.#record._key);
    return state && this.#isOurs(state) ? state : undefined;
  }

  #isOurs = ({ record_created: created, place }: StoreState): boolean =>
    created === this.#record.created_at && place === this.#place;

  async list(query: ListQueryValues): Promise<{ result: ListedDocument[]; pagination: Pagination }> {
    const state = await this.state();
    const where = { store: state?.uid ?? '', state: 'stored' };
    const fields = ['id', 'passages', 'metadata', 'updated_at'];
    const { records, pagination } = await findPage<DocumentEntry>(this.#stores.records, LIST, where, query, fields);
    const result = records.map(({ id, passages, metadata, updated_at }) => {
      return { id, passages, metadata: JSON.parse(metadata) as Json, updated_at };
    });
    return { result, pagination };
  }

  /** The documents of these ids, also those whose first write may have ended halfway. */
  async entries(ids: readonly string[]): Promise<Map<string, DocumentEntry>> {
    const state = await this.state();
    if (!state) return new Map();
    const { records } = this.#stores;
    const fields = ['id', 'state', 'passages', 'begun'];
    const entries = await records.find<DocumentEntry>(DOCUMENTS, {
      query: withKeys(ids.map((id) => documentKey(state.uid, id))),
      fields,
    });
    return new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** Documents in the list. */
  async count(): Promise<number> {
    const state = await this.state();
    if (!state) return 0;
    return this.#stores.records.count(DOCUMENTS, { store: state.uid, state: 'stored' });
  }

  /**
   * Writes documents under the lease of the store.
   * @param assertFits looks at the details of the record as they are now; nobody changes them until the write has ended
   * @throws Fault `not_found` if the store was deleted, `store_unavailable`
   */
  write<T>(assertFits: (details: object) => void, work: (session: WriteSession) => Promise<T>): Promise<T> {
    return this.#exclusive(async (lease) => {
      const state = await this.#begin(await this.#former(lease), assertFits, lease);
      const { records, newId } = this.#stores;
      const session = new WriteSession({ records, lease, newId, now: this.#now }, state);
      const result = await work(session);
      await lease.keep();
      const ended = { ...state, ...session.outcome, change: state.change + 1, changed_at: this.#now() };
      await records.saveAll(STORE_STATES, [ended], lease.assertHeld);
      if (ended.former !== undefined) await this.#removeFormer(ended, lease);
      return result;
    }, WAIT_MS);
  }

  /** Ends a write that was killed; a write under way is left alone. */
  async endKilledWrite(): Promise<void> {
    const key = documentsLease(this.#record._key);
    const lease = await this.#leases.tryAcquire(key, DOCUMENTS_LEASE_MS);
    if (!lease) return;
    try {
      await this.#former(new HeldLease(this.#leases, this.#stores.clock, key, lease));
    } finally {
      await lease.release();
    }
  }

  #exclusive<T>(work: (lease: HeldLease) => Promise<T>, waitMs: number): Promise<T> {
    const key = documentsLease(this.#record._key);
    const held = (lease: ConstructorParameters<typeof HeldLease>[3]) =>
      work(new HeldLease(this.#leases, this.#stores.clock, key, lease));
    return this.#leases.hold(key, DOCUMENTS_LEASE_MS, held, waitMs);
  }

  /** The state of the store without traces of killed writes and earlier stores. */
  async #former(lease: HeldLease): Promise<StoreState | undefined> {
    const { records } = this.#stores;
    const state = await records.get<StoreState>(STORE_STATES, this.#record._key);
    if (!state) return undefined;
    if (!this.#isOurs(state)) {
      await removeDocuments(records, state.uid);
      if (state.former !== undefined) await removeDocuments(records, state.former);
      return undefined;
    }
    const current = state.former === undefined ? state : await this.#removeFormer(state, lease);
    if (current.change % 2 === 0) return current;
    const ended = { ...current, ...(await recount(records, current, lease)), change: current.change + 1 };
    await records.saveAll(STORE_STATES, [ended], lease.assertHeld);
    return ended;
  }

  async #removeFormer({ former = '', ...state }: StoreState, lease: HeldLease): Promise<StoreState> {
    await removeDocuments(this.#stores.records, former);
    await lease.keep();
    await this.#stores.records.saveAll(STORE_STATES, [state], lease.assertHeld);
    return state;
  }

  /** Under the lease of the record, which a change and the removal of the record take too. */
  async #begin(
    former: StoreState | undefined,
    assertFits: (details: object) => void,
    lease: HeldLease,
  ): Promise<StoreState> {
    const { records } = this.#stores;
    const { _key, created_at: created } = this.#record;
    const now = this.#now();
    const due = former ? dueForPurge(former, now) : {};
    const start = { uid: this.#stores.newId(), change: 0, floor: 0, passages: 0, dimensions: 0, purged_at: now };
    const place = this.#place === undefined ? {} : { place: this.#place };
    const state = { ...start, ...former, ...due, ...place, _key, record_created: created, changed_at: now };
    const begun = { ...state, change: state.change + 1 };
    await lease.keep();
    await this.#leases.hold(writeLeaseKey(FAMILY, _key), WRITE_LEASE_MS, async (recordLease) => {
      const fields = ['created_at', 'details'];
      const [record] = await records.find<StoredRecord>(VECTOR_STORES, { query: { _key }, fields, limit: 1 });
      if (record?.created_at !== created) throw new Fault('not_found', 'The store was deleted');
      assertFits(record.details ?? {});
      await records.saveAll(STORE_STATES, [begun], () => {
        lease.assertHeld();
        recordLease.assertHeld();
      });
    });
    if (due.floor !== undefined) await purgeMarks(records, begun.uid, now);
    return begun;
  }
}
