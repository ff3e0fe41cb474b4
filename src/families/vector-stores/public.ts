import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord, readableRecords } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { StoreStored } from './definition.ts';
import { FAMILY, VECTOR_STORES } from './names.ts';
import { OPERATIONS } from './records.ts';

export type { DocumentFailure } from './documents/documentFailure.ts';
export type { EmbeddingTerms, StoreDocuments } from './kinds/kind.ts';
export { type OpenStore, openCatalogue, openStore } from './openStore.ts';
export type { VectorQuery } from './queries/vectorQuery.ts';

export const vectorStoreCodec = crudCodec(OPERATIONS, { family: FAMILY, collection: VECTOR_STORES }, { rank: 2 });

export async function isReadableStore(records: RecordStore, caller: Caller, name: string): Promise<boolean> {
  const location = { collection: VECTOR_STORES, key: recordKey(name), fields: ['acl'] as const };
  return (await readableRecord<Pick<StoreStored, '_key' | 'acl'>>(records, caller, location)) !== undefined;
}

/** Stores that the caller may read, without their details but with their last test. */
export const readableStores = (
  records: RecordStore,
  caller: Caller,
): Promise<Pick<StoreStored, '_key' | 'acl' | 'name' | 'description' | 'last_test'>[]> =>
  readableRecords(records, caller, VECTOR_STORES, ['name', 'description', 'acl', 'last_test']);
