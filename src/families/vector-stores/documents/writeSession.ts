import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { batchKeys, withKeys } from '../../../domain/lists/pageBuffer.ts';
import type { Doc, RecordStore } from '../../../ports/stores/recordStore.ts';
import type { HeldLease } from './heldLease.ts';
import {
  DOCUMENTS,
  type DocumentEntry,
  documentKey,
  ENTRY_FIELDS,
  MAX_PASSAGES,
  PARTS,
  type StoredDocument,
  type StoredPart,
  type StoreState,
  storedPassages,
} from './stored.ts';

const BATCH = 500;
const BATCH_CHARACTERS = 6_000_000;

export interface SessionSite {
  records: RecordStore;
  lease: HeldLease;
  newId(): string;
  /** Epoch seconds. */
  now(): number;
}

/** Facts about a document that is going to be written. */
export type Intent = Pick<DocumentEntry, 'id' | 'passages' | 'metadata' | 'bytes'>;

/** One write of a store's documents, under its lease. */
export class WriteSession {
  readonly change: number;
  readonly #site: SessionSite;
  readonly #read = new Map<string, StoredDocument | undefined>();
  #uid: string;
  #former: string | undefined;
  #passages: number;
  #dimensions: number;

  constructor(site: SessionSite, { uid, change, passages, dimensions, former }: StoreState) {
    this.#site = site;
    this.#uid = uid;
    this.#former = former;
    this.change = change;
    this.#passages = passages;
    this.#dimensions = dimensions;
  }

  /** The fields of the store's document that this write changes. */
  get outcome(): Pick<StoreState, 'uid' | 'passages' | 'dimensions' | 'former'> {
    const dimensions = this.#passages > 0 ? this.#dimensions : 0;
    const former = this.#former === undefined ? {} : { former: this.#former };
    return { uid: this.#uid, passages: this.#passages, dimensions, ...former };
  }

  /** Call it between steps of long work. @throws Fault `store_unavailable` when the lease is lost */
  keep = (): Promise<void> => this.#site.lease.keep();

  keyOf = (id: string): string => documentKey(this.#uid, id);

  /** Entries that the store has under these ids; removed documents are left out. */
  async entries(ids: readonly string[]): Promise<Map<string, StoredDocument>> {
    const unread = ids.filter((id) => !this.#read.has(id));
    for (const id of unread) this.#read.set(id, undefined);
    const reads = [...batchKeys(unread.map(this.keyOf))].map((keys) =>
      this.#site.records.find<StoredDocument>(DOCUMENTS, { query: withKeys(keys), fields: ENTRY_FIELDS }),
    );
    for (const entry of (await Promise.all(reads)).flat()) this.#read.set(entry.id, entry);
    const present = ids.map((id) => this.#read.get(id));
    return new Map(present.flatMap((entry) => (entry && entry.state !== 'removed' ? [[entry.id, entry]] : [])));
  }

  /** All documents, some at a time. */
  all(): AsyncIterable<StoredDocument[]> {
    const query = { store: this.#uid, state: { $ne: 'removed' } };
    return this.#site.records.chunks<StoredDocument>(DOCUMENTS, { query, fields: ENTRY_FIELDS });
  }

  /** How many documents there are. */
  count = (): Promise<number> => this.#site.records.count(DOCUMENTS, { store: this.#uid, state: { $ne: 'removed' } });

  /** @throws Fault `store_full` if the store cannot hold these documents in place of those with their ids */
  async assertRoom(documents: readonly Pick<Intent, 'id' | 'passages'>[]): Promise<void> {
    const before = await this.entries(documents.map(({ id }) => id));
    let total = this.#passages;
    for (const { id, passages } of documents) total += passages - storedPassages(before.get(id));
    if (total <= MAX_PASSAGES) return;
    const message = `The store would have ${total} passages; it can have ${MAX_PASSAGES}. Delete documents or use another store.`;
    throw new Fault('store_full', message);
  }

  /** @throws OutboundError `configuration_invalid` for vectors that cannot be compared with those of the store */
  assertDimensions(length: number): void {
    if (this.#dimensions === 0) this.#dimensions = length;
    if (this.#dimensions === length) return;
    throw new OutboundError(
      'configuration_invalid',
      `The embedding model made vectors of ${length} numbers, but those of the store have ${this.#dimensions}: delete all documents, or use the model that made them`,
    );
  }

  /** Notes what is going to be written: passages of a write that was killed are then known as ours. */
  async intend(intents: readonly Intent[]): Promise<void> {
    const before = await this.entries(intents.map(({ id }) => id));
    const entries = intents.map(({ id, passages, ...facts }): StoredDocument => {
      const old = before.get(id);
      const begun = Math.max(passages, old?.begun ?? 0);
      if (old) return { ...old, change: this.change, begun };
      const entry = { ...facts, id, passages: 0, state: 'begun' as const, begun };
      return { ...entry, _key: this.keyOf(id), store: this.#uid, change: this.change, updated_at: this.#site.now() };
    });
    await this.save(entries);
  }

  /** Notes that documents stand in the store as intended, and no other passages of theirs. */
  complete = (documents: readonly Intent[]): Promise<void> =>
    this.save(documents.map((each) => ({ ...each, ...this.#head(each.id) })));

  /** The fields of a document that this write stores. */
  #head = (id: string) => ({
    _key: this.keyOf(id),
    store: this.#uid,
    change: this.change,
    state: 'stored' as const,
    updated_at: this.#site.now(),
  });

  /** Stores documents with their texts, each in place of what its id had. */
  async put(documents: readonly { intent: Intent; body: Partial<StoredDocument>; parts: readonly StoredPart[] }[]) {
    const before = await this.entries(documents.map(({ intent }) => intent.id));
    await this.#saveBatches(
      PARTS,
      documents.flatMap(({ parts }) => parts),
      () => {},
    );
    await this.save(
      documents.map(({ intent, body, parts }) => {
        const head = { ...intent, ...body, ...this.#head(intent.id) };
        return parts.length > 0 ? { ...head, parts: parts.length } : head;
      }),
    );
    for (const { intent } of documents) await this.#removeParts(before.get(intent.id));
  }

  /** Empty parts of a document for `put`. */
  partOf = (id: string) => ({ store: this.#uid, document: this.keyOf(id), change: this.change });

  /** Removes documents, leaving marks that other members follow. */
  async bury(ids: readonly string[]): Promise<void> {
    const before = [...(await this.entries(ids)).values()];
    const gone = { state: 'removed' as const, passages: 0, metadata: '{}', bytes: 0 };
    await this.save(before.map(({ id }) => ({ ...this.#head(id), id, ...gone })));
    for (const entry of before) await this.#removeParts(entry);
  }

  async #removeParts(entry: StoredDocument | undefined): Promise<void> {
    if (!entry?.parts) return;
    await this.#site.records.removeWhere(PARTS, { document: entry._key, change: { $ne: this.change } });
  }

  /** Removes entries of documents, whose passages are no longer in the store. */
  async forget(ids: readonly string[]): Promise<void> {
    const before = await this.entries(ids);
    for (const keys of batchKeys([...before.values()].map(({ _key }) => _key))) {
      await this.#site.lease.keep();
      await this.#site.records.removeWhere(DOCUMENTS, withKeys(keys));
    }
    for (const id of before.keys()) this.#count(id, undefined);
  }

  /** Removes all documents at once: those of the former `uid` are nobody's. */
  clear(): void {
    this.#former = this.#uid;
    this.#uid = this.#site.newId();
    this.#read.clear();
    this.#passages = 0;
    this.#dimensions = 0;
  }

  save = (entries: readonly StoredDocument[]): Promise<void> =>
    this.#saveBatches(DOCUMENTS, entries, (entry) => this.#count(entry.id, entry));

  #count(id: string, entry: StoredDocument | undefined): void {
    this.#passages += storedPassages(entry) - storedPassages(this.#read.get(id));
    this.#read.set(id, entry);
  }

  async #saveBatches<D extends Doc & Partial<Pick<StoredDocument, 'text' | 'vectors'>>>(
    collection: string,
    docs: readonly D[],
    onSaved: (doc: D) => void,
  ): Promise<void> {
    const { records, lease } = this.#site;
    let start = 0;
    while (start < docs.length) {
      let end = start;
      let size = 0;
      while (end < docs.length && end - start < BATCH && (end === start || size < BATCH_CHARACTERS)) {
        const { text = '', vectors = '' } = docs[end++] as D;
        size += text.length + vectors.length;
      }
      const batch = docs.slice(start, end);
      await lease.keep();
      await records.saveAll(collection, batch, lease.assertHeld);
      for (const doc of batch) onSaved(doc);
      start = end;
    }
  }
}
