import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';

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
  return (await hasMatch(records, collection, { _key: doc._key })) && records.replace(collection, doc);
}

/** Whether a document matches, without loading it. */
export async function hasMatch(records: RecordStore, collection: string, query: Query): Promise<boolean> {
  return (await records.find(collection, { query, fields: [], limit: 1 })).length > 0;
}
