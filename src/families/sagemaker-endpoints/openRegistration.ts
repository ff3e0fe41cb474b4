import type { Caller } from '../../contract/caller.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import { awsAccess } from '../../domain/net/awsKeys.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import { cloudPredictor } from '../../predictions/endpoints/cloudPredictor.ts';
import type { Predictor } from '../../predictions/rows/prediction.ts';
import { Resources } from '../../resources/resources.ts';
import { keysOf, registrationKind, SECRET } from './records.ts';
import { FAMILY, mapOf } from './stored.ts';

/**
 * A registered model, ready to be applied; its secret is of the same reading as its endpoint.
 * @throws Fault `not_found`, also if the caller may not read it
 */
export async function openRegistration(
  stores: Stores,
  endpoints: CloudEndpoints,
  plans: RecordPlans,
  caller: Caller,
  name: string,
): Promise<Predictor> {
  const models = new Resources(registrationKind, stores, plans[FAMILY]);
  const { record, secrets, hidden } = await models.unsealed(caller, recordKey(name));
  const { endpoint_name: endpoint, cloud_credentials: credentials, openapi_spec: document, batch_size: batch } = record;
  const access = awsAccess(keysOf(credentials), secrets[SECRET], hidden);
  const [inputs, outputs] = [mapOf(record.input_feature_map), mapOf(record.output_prediction_map)];
  return cloudPredictor({ name: record.model_name, endpoint, access, batch, inputs, outputs, document }, endpoints);
}
