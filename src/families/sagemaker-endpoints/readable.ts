import type { Caller } from '../../contract/caller.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecord, readableRecords } from '../../resources/access.ts';
import type { RegisteredModel } from './definition.ts';
import { REGISTERED_MODELS } from './stored.ts';

/** The fields by which a list of models is sorted and filtered. */
export type ListedModel = Pick<RegisteredModel, '_key' | 'model_name' | 'acl' | 'last_updated_at'>;

const FIELDS = ['model_name', 'acl', 'last_updated_at'] as const;

export const readableRegistrations = (records: RecordStore, caller: Caller): Promise<ListedModel[]> =>
  readableRecords<ListedModel>(records, caller, REGISTERED_MODELS, FIELDS);

/** Undefined if the caller may not read it, or there is none. */
export const readableRegistration = (
  records: RecordStore,
  caller: Caller,
  name: string,
): Promise<ListedModel | undefined> =>
  readableRecord<ListedModel>(records, caller, { collection: REGISTERED_MODELS, key: recordKey(name), fields: FIELDS });
