import type { Caller } from '../../contract/caller.ts';
import { mayRead } from '../../domain/access/acl.ts';
import { type KeyedRecords, readByKeys } from '../../domain/lists/pageBuffer.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import type { RegisteredModel } from './definition.ts';
import { mapOf, REGISTERED_MODELS } from './stored.ts';

export { registrationCodec } from './codec.ts';
export { openRegistration } from './openRegistration.ts';
export { type ListedModel, readableRegistration, readableRegistrations } from './readable.ts';

export type ModelView = Pick<
  RegisteredModel,
  '_key' | 'acl' | 'endpoint_name' | 'input_feature_map' | 'output_prediction_map'
>;

export function readRegistrations(
  records: RecordStore,
  caller: Caller,
  keys: readonly string[],
): Promise<KeyedRecords<ModelView>> {
  const fields = ['acl', 'endpoint_name', 'input_feature_map', 'output_prediction_map'];
  const keep = (record: ModelView) => mayRead(caller, record);
  return readByKeys<ModelView>({ records, collection: REGISTERED_MODELS, fields, isVisible: keep }, keys);
}

export function fieldsOf(model: Pick<ModelView, 'input_feature_map' | 'output_prediction_map'>) {
  return {
    features: Object.keys(mapOf(model.input_feature_map)),
    targets: Object.values(mapOf(model.output_prediction_map)),
  };
}
