import type { Caller } from '../../contract/caller.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecords } from '../../resources/access.ts';
import { REGISTERED_MODELS, type RegisteredModel } from './stored.ts';

/** The fields by which a list of models is sorted and filtered. */
export type ListedModel = Pick<RegisteredModel, '_key' | 'model_name' | 'acl' | 'last_updated_at'>;

export const readableRegistrations = (records: RecordStore, caller: Caller): Promise<ListedModel[]> =>
  readableRecords<ListedModel>(records, caller, REGISTERED_MODELS, ['model_name', 'acl', 'last_updated_at']);
