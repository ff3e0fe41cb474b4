import { REGISTER_MODELS, REGISTRATION_FLAG } from '../../contract/capabilities.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Condition, HealthSource } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import { readableRecords } from '../../resources/access.ts';
import { Resources } from '../../resources/resources.ts';
import type { RegisteredModel } from './definition.ts';
import { testEndpoint } from './inspection.ts';
import { type Registrations, registrationKind } from './records.ts';
import { FAMILY, REGISTERED_MODELS } from './stored.ts';

/** The type in lists of models. */
const TYPE = 'cloud';
const FIELDS = ['model_name', 'acl', 'last_test'] as const satisfies readonly (keyof RegisteredModel)[];

function conditionOf({ _key: key, model_name: name, acl, last_test: lastTest }: RegisteredModel): Condition {
  return { key, name, type: TYPE, owner: acl.owner, lastTest, needsSignIn: false, expiries: [] };
}

export function registrationHealth(stores: Stores, cloud: CloudEndpoints, plans: RecordPlans): HealthSource {
  const models: Registrations = new Resources(registrationKind, stores, plans[FAMILY]);

  return {
    readers: REGISTER_MODELS,
    testers: REGISTER_MODELS,
    flag: REGISTRATION_FLAG,
    async conditions(caller) {
      return (await readableRecords<RegisteredModel>(stores.records, caller, REGISTERED_MODELS, FIELDS)).map(
        conditionOf,
      );
    },
    async test(caller, key, deadline) {
      const { failure } = await testEndpoint(models, cloud, await models.target(caller, key, {}), deadline);
      return failure;
    },
  };
}
