import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import { FAMILY, OPERATIONS, type StoreStored, VECTOR_STORES } from './records.ts';

export const vectorStoreCodec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: VECTOR_STORES },
  { mergedFields: ['details'] },
);

export async function isReadableStore(records: RecordStore, caller: Caller, name: string): Promise<boolean> {
  return (await readableRecord<StoreStored>(records, caller, VECTOR_STORES, recordKey(name))) !== undefined;
}
