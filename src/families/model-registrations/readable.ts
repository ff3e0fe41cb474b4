import type { Caller } from '../../contract/caller.ts';
import { mayRead } from '../../domain/access/acl.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { REGISTERED_MODELS, type RegisteredModel } from './stored.ts';

/** What a list of models sorts and filters by. */
export type ListedModel = Pick<RegisteredModel, '_key' | 'model_name' | 'acl' | 'last_updated_at'>;

const FIELDS = ['model_name', 'acl', 'last_updated_at'] as const;

/** Those that the caller may read. */
export async function readableRegistrations(records: RecordStore, caller: Caller): Promise<ListedModel[]> {
  const all: ListedModel[] = [];
  for await (const chunk of records.chunks<ListedModel>(REGISTERED_MODELS, { fields: FIELDS })) {
    all.push(...chunk.filter((record) => mayRead(caller, record)));
  }
  return all;
}
