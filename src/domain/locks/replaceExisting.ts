import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';

/**
 * Replaces a document that others may have removed, without a lease that they would have to hold. Some platforms insert a missing document when it
 * is replaced, so it is read first; what is removed between the two calls must be something that its remover looks for again.
 * @returns false if it is not there
 */
export async function replaceExisting<D extends Doc>(
  records: RecordStore,
  collection: string,
  doc: D,
): Promise<boolean> {
  const stored = await records.find(collection, { query: { _key: doc._key }, fields: [], limit: 1 });
  return stored.length > 0 && records.replace(collection, doc);
}
