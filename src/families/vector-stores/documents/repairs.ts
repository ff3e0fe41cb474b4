import type { RecordStore } from '../../../ports/stores/recordStore.ts';
import type { HeldLease } from './heldLease.ts';
import {
  DOCUMENTS,
  type DocumentEntry,
  PARTS,
  type StoredDocument,
  type StoredPart,
  type StoreState,
  storedPassages,
} from './stored.ts';

/** How long the marks of removed documents are kept, in seconds. */
const MARKS_KEPT_S = 86_400;

/** Removes all documents of a store. */
export async function removeDocuments(records: RecordStore, uid: string): Promise<void> {
  await records.removeWhere(PARTS, { store: uid });
  await records.removeWhere(DOCUMENTS, { store: uid });
}

/** Counts passages after a write that was killed, and removes parts that it left. */
export async function recount(
  records: RecordStore,
  { uid, dimensions }: Pick<StoreState, 'uid' | 'dimensions'>,
  lease: HeldLease,
): Promise<Pick<StoreState, 'passages' | 'dimensions'>> {
  let passages = 0;
  const changes = new Map<string, number>();
  const fields: (keyof StoredDocument)[] = ['change', 'state', 'passages', 'begun', 'parts'];
  for await (const chunk of records.chunks<StoredDocument>(DOCUMENTS, { query: { store: uid }, fields })) {
    await lease.keep();
    for (const entry of chunk) {
      passages += storedPassages(entry);
      if (entry.parts) changes.set(entry._key, entry.change);
    }
  }
  const parts: (keyof StoredPart)[] = ['document', 'change'];
  for await (const chunk of records.chunks<StoredPart>(PARTS, { query: { store: uid }, fields: parts })) {
    await lease.keep();
    for (const { _key, document, change } of chunk)
      if (changes.get(document) !== change) await records.remove(PARTS, _key);
  }
  return { passages, dimensions: passages > 0 ? dimensions : 0 };
}

/** @returns the fields of a store that is going to lose marks: a file that may lack one of them compares all keys */
export const dueForPurge = (state: StoreState, now: number): Partial<StoreState> =>
  now - state.purged_at < MARKS_KEPT_S ? {} : { purged_at: now, floor: state.change };

/** Removes the marks of documents that were removed long ago; call it when the new floor is stored. */
export async function purgeMarks(records: RecordStore, uid: string, now: number): Promise<void> {
  const state: DocumentEntry['state'] = 'removed';
  await records.removeWhere(DOCUMENTS, { store: uid, state, updated_at: { $lt: now - MARKS_KEPT_S } });
}
