import type { Caller } from '../../../contract/caller.ts';
import type { Predictor } from '../../../domain/predictions/prediction.ts';
import type { Stores } from '../../../domain/records/sealedRecord.ts';
import { recordKey } from '../../../domain/values/keys.ts';
import type { CloudEndpoints } from '../../../ports/cloud/cloudEndpoints.ts';
import { Resources } from '../../../resources/resources.ts';
import { Target } from '../../../resources/target.ts';
import { FAMILY, registrationKind } from '../records.ts';
import { cloudPredictor } from './cloudPredictor.ts';

/**
 * A registered model, ready to be applied; its secret is of the same reading as its endpoint.
 * @throws Fault `not_found`, also if the caller may not read it
 */
export async function openRegistration(
  stores: Stores,
  endpoints: CloudEndpoints,
  secretPaths: Readonly<Record<string, readonly string[]>>,
  caller: Caller,
  name: string,
): Promise<Predictor> {
  const models = new Resources(registrationKind, stores, secretPaths[FAMILY] ?? []);
  return cloudPredictor(Target.saved(await models.unsealed(caller, recordKey(name))), endpoints);
}
