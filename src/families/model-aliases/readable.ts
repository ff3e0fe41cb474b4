import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord, readableRecords } from '../../resources/access.ts';
import type { AliasStored } from './definition.ts';
import { MODEL_ALIASES } from './records.ts';

/** An alias as the gateway uses it. */
export type ModelAlias = Pick<AliasStored, 'name' | 'targets' | 'strategy' | 'fallback_on' | 'defaults' | 'created_at'>;
export type ReadableAlias = ModelAlias & Pick<AliasStored, '_key' | 'acl'>;

const FIELDS = [
  'name',
  'targets',
  'strategy',
  'fallback_on',
  'defaults',
  'created_at',
  'acl',
] as const satisfies readonly (keyof AliasStored)[];

/** Undefined if there is no such alias, or the caller may not read it. Names are compared without regard to case. */
export async function readableAlias(
  records: RecordStore,
  caller: Caller,
  name: string,
): Promise<ModelAlias | undefined> {
  return readableRecord<ReadableAlias>(records, caller, {
    collection: MODEL_ALIASES,
    key: recordKey(name),
    fields: FIELDS,
  });
}

/** Any alias, for a record that lends it; undefined if there is no such alias. */
export const anyAlias = (records: RecordStore, name: string): Promise<ModelAlias | undefined> =>
  records.get<ReadableAlias>(MODEL_ALIASES, recordKey(name));

/** The aliases that the caller may read, in the order of their names. */
export async function readableAliases(records: RecordStore, caller: Caller): Promise<ModelAlias[]> {
  return readableRecords<ReadableAlias>(records, caller, MODEL_ALIASES, FIELDS);
}
