import type { Caller } from '../contract/caller.ts';
import type { Acl, LastTest } from '../contract/common.ts';
import type { RecordStore } from '../ports/recordStore.ts';
import { mayRead } from './acl.ts';
import { type Read, readKeys } from './filling.ts';
import type { Sealed } from './sealed.ts';

/** Registered cloud models as they are stored; lists of models read them too. */
export const REGISTERED_MODELS = 'ml_registered_models';

export interface RegisteredModel extends Sealed {
  model_name: string;
  endpoint_name: string;
  cloud_credentials: { region: string; access_key_id?: string; role_arn?: string };
  /** The maps and the document as JSON text: the store takes no keys with `$` or dots. */
  input_feature_map: string;
  output_prediction_map: string;
  openapi_spec?: string;
  batch_size: number;
  acl: Acl;
  last_test?: LastTest;
}

export type StringMap = Record<string, string>;
export const mapOf = (text: string): StringMap => JSON.parse(text) as StringMap;

/** What a list of models sorts and filters by. */
export type ListedModel = Pick<RegisteredModel, '_key' | 'model_name' | 'acl' | 'last_updated_at'>;

export async function readableRegistrations(records: RecordStore, caller: Caller): Promise<ListedModel[]> {
  const fields = ['model_name', 'acl', 'last_updated_at'] as const;
  const all: ListedModel[] = [];
  for await (const chunk of records.chunks<ListedModel>(REGISTERED_MODELS, { fields })) {
    all.push(...chunk.filter((record) => mayRead(caller, record)));
  }
  return all;
}

/** What it shows of those on the page beside. */
export type ShownModel = Pick<
  RegisteredModel,
  '_key' | 'acl' | 'endpoint_name' | 'input_feature_map' | 'output_prediction_map'
>;

export function shownRegistrations(
  records: RecordStore,
  caller: Caller,
  keys: readonly string[],
): Promise<Read<ShownModel>> {
  const fields = ['acl', 'endpoint_name', 'input_feature_map', 'output_prediction_map'];
  const keep = (record: ShownModel) => mayRead(caller, record);
  return readKeys<ShownModel>({ records, collection: REGISTERED_MODELS, fields, keep }, keys);
}
