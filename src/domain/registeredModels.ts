import type { Caller } from '../contract/caller.ts';
import type { Acl, LastTest } from '../contract/common.ts';
import type { RecordStore } from '../ports/recordStore.ts';
import { mayRead } from './acl.ts';
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

export type ListedModel = Pick<
  RegisteredModel,
  '_key' | 'model_name' | 'endpoint_name' | 'input_feature_map' | 'output_prediction_map' | 'acl' | 'last_updated_at'
>;

/** What a list of models shows of the registrations that the caller may read. */
export async function readableRegistrations(records: RecordStore, caller: Caller): Promise<ListedModel[]> {
  const fields = [
    'model_name',
    'endpoint_name',
    'input_feature_map',
    'output_prediction_map',
    'acl',
    'last_updated_at',
  ] as const;
  const all = await records.find<ListedModel>(REGISTERED_MODELS, { fields });
  return all.filter((record) => mayRead(caller, record));
}
