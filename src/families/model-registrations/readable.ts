import type { Caller } from '../../contract/caller.ts';
import { mayRead } from '../../domain/acl.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { RecordStore } from '../../ports/recordStore.ts';
import { REGISTERED_MODELS, type RegisteredModel } from './stored.ts';

/** What a list of models sorts and filters by. */
export type ListedModel = Pick<RegisteredModel, '_key' | 'model_name' | 'acl' | 'last_updated_at'>;

const FIELDS = ['model_name', 'acl', 'last_updated_at'] as const;

/** From what the process keeps of all, where it does. */
export async function listedRegistrations(
  stores: Pick<Stores, 'records' | 'clock' | 'rows'>,
  caller: Caller,
): Promise<ListedModel[]> {
  if (!stores.rows) return readableRegistrations(stores.records, caller);
  const all = await stores.rows.of(stores, {
    collection: REGISTERED_MODELS,
    fields: FIELDS,
    shape: ({ _key, model_name, acl, last_updated_at }: RegisteredModel): ListedModel => {
      return { _key, model_name, acl, last_updated_at };
    },
    compare: (a, b) => (a._key < b._key ? -1 : 1),
  });
  return all.filter((record) => mayRead(caller, record));
}

export async function readableRegistrations(records: RecordStore, caller: Caller): Promise<ListedModel[]> {
  const all: ListedModel[] = [];
  for await (const chunk of records.chunks<ListedModel>(REGISTERED_MODELS, { fields: FIELDS })) {
    all.push(...chunk.filter((record) => mayRead(caller, record)));
  }
  return all;
}
