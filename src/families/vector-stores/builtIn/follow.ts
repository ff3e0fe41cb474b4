import { OutboundError } from '../../../contract/codes/outbound.ts';
import { batchKeys, withKeys } from '../../../domain/lists/pageBuffer.ts';
import type { FileDocument, FileUpdate, PassageFile, PassageFiles } from '../../../ports/knowledge/passageFiles.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { Catalogue, CatalogueStores } from '../documents/catalogue.ts';
import { presentUids } from '../documents/orphans.ts';
import { DOCUMENTS, PARTS, type StoredDocument, type StoredPart, type StoreState } from '../documents/stored.ts';
import { passagesOf } from './encoding.ts';

/** Keys that are looked up one by one, by the share of all that have changed. */
const FEW = 0.2;

type Stub = Pick<StoredDocument, '_key' | 'change' | 'state'>;
const STUB_FIELDS: (keyof Stub)[] = ['change', 'state'];
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

/** A write that was killed is ended, so that not each query looks for its changes. */
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
  const query = { store: state.uid, ...(isWhole ? {} : { change: { $gte: change } }) };
  const stubs: Stub[] = [];
  for await (const chunk of records.chunks<StoredDocument>(DOCUMENTS, { query, fields: STUB_FIELDS }))
    stubs.push(...chunk);
  const before = update.changes(isWhole ? undefined : stubs.map(({ _key }) => _key));
  const due = stubs.filter(({ _key, change: now, state: is }) => is === 'stored' && before.get(_key) !== now);
  const removed = stubs.filter(({ _key, state: is }) => is === 'removed' && before.has(_key)).map(({ _key }) => _key);
  if (isWhole) {
    const present = new Set(stubs.map(({ _key }) => _key));
    for (const key of before.keys()) if (!present.has(key)) removed.push(key);
  }
  if (removed.length > 0) update.apply(removed, []);
  const keys = new Set(due.map(({ _key }) => _key));
  for await (const chunk of documentsOf(records, query, keys, stubs.length)) {
    if (deadline.signal.aborted)
      throw new OutboundError('timeout', 'The passages of this member were not up to date in time');
    update.apply([], await Promise.all(chunk.map((document) => fileDocument(records, document))));
  }
  update.finish(state.change);
}

/** Documents with text and vectors, some megabytes at a time. */
async function* documentsOf(
  records: RecordStore,
  query: object,
  keys: ReadonlySet<string>,
  total: number,
): AsyncGenerator<StoredDocument[]> {
  if (keys.size > total * FEW) {
    for await (const chunk of records.chunks<StoredDocument>(DOCUMENTS, { query: { ...query }, fields: FULL_FIELDS })) {
      const some = chunk.filter(({ _key, state }) => keys.has(_key) && state === 'stored');
      if (some.length > 0) yield some;
    }
    return;
  }
  for (const some of batchKeys([...keys]))
    for await (const chunk of records.chunks<StoredDocument>(DOCUMENTS, { query: withKeys(some), fields: FULL_FIELDS }))
      yield chunk.filter(({ state }) => state === 'stored');
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
