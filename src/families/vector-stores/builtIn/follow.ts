import { append } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { batchKeys, withKeys } from '../../../domain/lists/pageBuffer.ts';
import type { FileDocument, FileUpdate, PassageFile, PassageFiles } from '../../../ports/knowledge/passageFiles.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { Catalogue, CatalogueStores } from '../documents/catalogue.ts';
import { presentUids } from '../documents/orphans.ts';
import { DOCUMENTS, PARTS, type StoredDocument, type StoredPart, type StoreState } from '../documents/stored.ts';
import { batchesOf } from './batches.ts';
import { passagesOf } from './encoding.ts';

/** Documents whose changes are read at a time. */
const STUBS = 5000;
/** Bytes of documents that are read and written at a time, about. */
const BATCH_BYTES = 3_000_000;
/** Base64 of a number of a vector. */
const BYTES_A_NUMBER = 16 / 3;
/** Before the first write has ended. */
const USUAL_DIMENSIONS = 1024;

type Stub = Pick<StoredDocument, '_key' | 'change' | 'state' | 'bytes' | 'passages'>;
const STUB_FIELDS: (keyof Stub)[] = ['change', 'state', 'bytes', 'passages'];
const FULL_FIELDS: (keyof StoredDocument)[] = [
  ...['id', 'change', 'state', 'passages', 'metadata', 'parts', 'text', 'at', 'spans', 'vectors'],
] as (keyof StoredDocument)[];

export interface FollowSite {
  files: PassageFiles;
  stores: CatalogueStores;
  catalogue: Catalogue;
}

/**
 * Brings this member's file of a store up to date.
 * @returns undefined before the first write
 * @throws Fault `not_supported`, `store_unavailable`; OutboundError `timeout`
 */
export async function followedFile(
  { files, stores, catalogue }: FollowSite,
  deadline: Deadline,
): Promise<{ file: PassageFile; state: StoreState } | undefined> {
  const state = await currentState(catalogue);
  if (!state) return undefined;
  const file = await files.open(state.uid);
  const facts = file.facts();
  if (!facts) await files.sweep(() => presentUids(stores.records));
  if (facts?.change === state.change && state.change % 2 === 0) return { file, state };
  return file.update(deadline, async (update) => {
    const now = (await catalogue.state()) ?? state;
    // A store that was emptied meanwhile has another file.
    if (now.uid === state.uid) await follow(stores.records, now, update, deadline);
    return { file, state: now.uid === state.uid ? now : state };
  });
}

/** A write that was killed is ended: otherwise each query would look for its changes. */
async function currentState(catalogue: Catalogue): Promise<StoreState | undefined> {
  const state = await catalogue.state();
  if (!state || state.change % 2 === 0) return state;
  await catalogue.endKilledWrite();
  return catalogue.state();
}

async function follow(records: RecordStore, state: StoreState, update: FileUpdate, deadline: Deadline): Promise<void> {
  const { change } = update.facts;
  if (change === state.change && change % 2 === 0) return;
  // Marks of removed documents that are older than the floor are gone.
  const isWhole = change < state.floor || change === 0;
  const stubs = await readStubs(records, state.uid, isWhole ? 0 : change);
  const before = update.changes(isWhole ? undefined : stubs.map(({ _key }) => _key));
  const due = stubs.filter(({ _key, change: now, state: is }) => is === 'stored' && before.get(_key) !== now);
  const removed = stubs.filter(({ _key, state: is }) => is === 'removed' && before.has(_key)).map(({ _key }) => _key);
  if (isWhole) {
    const present = new Set(stubs.map(({ _key }) => _key));
    for (const key of before.keys()) if (!present.has(key)) removed.push(key);
  }
  if (removed.length > 0) update.apply(removed, []);
  const numberBytes = (state.dimensions || USUAL_DIMENSIONS) * BYTES_A_NUMBER;
  const bytesOf = ({ bytes, passages }: Stub) => bytes + passages * numberBytes;
  const batches = batchesOf(due, bytesOf, BATCH_BYTES);
  let next = batches[0] && readBatch(records, batches[0]);
  for (let index = 0; next; index += 1) {
    if (deadline.signal.aborted)
      throw new OutboundError('timeout', 'The passages of this member were not up to date in time');
    const documents = await next;
    const batch = batches[index + 1];
    next = batch && readBatch(records, batch);
    // A failure is reported when its turn has come.
    next?.catch(() => {});
    update.apply([], documents);
  }
  update.finish(state.change);
}

/** All documents from a change on, in the order of changes, which the store has an index for. */
async function readStubs(records: RecordStore, store: string, from: number): Promise<Stub[]> {
  const stubs: Stub[] = [];
  for (let [first, limit] = [from, STUBS]; ; ) {
    const query = { store, change: { $gte: first } };
    const page = await records.find<Stub>(DOCUMENTS, { query, fields: STUB_FIELDS, sort: 'change:1', limit });
    const last = page.at(-1)?.change ?? 0;
    // The documents of the last change may go on behind this page.
    const complete = page.length < limit ? page : page.filter(({ change }) => change < last);
    append(stubs, complete);
    if (page.length < limit) return stubs;
    if (complete.length === 0) limit *= 2;
    first = last;
  }
}

async function readBatch(records: RecordStore, batch: readonly Stub[]): Promise<FileDocument[]> {
  const read = [...batchKeys(batch.map(({ _key }) => _key))].map((some) =>
    records.find<StoredDocument>(DOCUMENTS, { query: withKeys(some), fields: FULL_FIELDS }),
  );
  const documents = (await Promise.all(read)).flat().filter(({ state }) => state === 'stored');
  return Promise.all(documents.map((document) => fileDocument(records, document)));
}

async function fileDocument(records: RecordStore, stored: StoredDocument): Promise<FileDocument> {
  const { _key: key, id, change, metadata, text = '', at = 0, spans = '[]', vectors = '' } = stored;
  const passages = passagesOf({ text, at, spans, vectors }, 0);
  if (stored.parts) {
    const parts = await records.find<StoredPart>(PARTS, { query: { document: key, change }, sort: '_key:1' });
    for (const part of parts) passages.push(...passagesOf(part, Number(part._key.split('.').at(-1))));
  }
  return { key, id, change, metadata, passages };
}
