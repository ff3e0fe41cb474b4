import { type Handlers, withDraft, withValidation } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import { Resources } from '../../resources/resources.ts';
import type { Test } from '../../resources/verified.ts';
import type { RegisteredModel } from './definition.ts';
import type { modelRegistrations } from './endpoints.ts';
import { assertInService, inspectEndpoint, testEndpoint } from './inspection.ts';
import { type RegistrationFields, type Registrations, registrationKind } from './records.ts';
import { changeRegistration, draftRegistration, type Inspector, register } from './service.ts';
import { FAMILY } from './stored.ts';

export function modelRegistrationHandlers(
  stores: Stores,
  cloud: CloudEndpoints,
  plans: RecordPlans,
): Handlers<typeof modelRegistrations> {
  const models: Registrations = new Resources(registrationKind, stores, plans[FAMILY]);
  const inspect: Inspector = async (target) => assertInService(await inspectEndpoint(cloud, target));
  const verify: Test<RegisteredModel> = ({ target }) => inspectEndpoint(cloud, target);

  return {
    async getRegistration({ caller, query }) {
      return { config: await models.show(caller, recordKey(query.model_name)) };
    },
    registerModel: withDraft(
      withValidation(
        async ({ caller, body, query, warnings }) => {
          if (isTest(query.test_connection)) return testConnection(models, cloud, caller, body);
          const registered = await register(models, caller, body, inspect, query.verify ? verify : undefined);
          warnings.push(...registered.warnings);
          const { model_name } = body;
          return {
            success: true,
            message: `Model '${model_name}' registered successfully`,
            model_name,
            endpoint_name: registered.record.endpoint_name,
            warnings: [],
          };
        },
        async (body: RegistrationFields) => models.draft(models.parse(body)),
      ),
      async ({ caller, body, warnings }) => draftRegistration(models, caller, body, warnings),
    ),
    updateRegistration: withDraft(
      async ({ caller, body, query, condition, warnings }) => {
        const test = query.verify ? verify : undefined;
        const updated = await changeRegistration(models, caller, body, condition, inspect, test);
        if (givesMapping(body)) warnings.push(...updated.warnings);
        return { message: 'Registration updated', config: models.view(updated.record) };
      },
      async ({ caller, body, condition, warnings }) => {
        const terms = { condition, ...(givesMapping(body) ? { warnings } : {}) };
        return models.draftUpdate(caller, recordKey(body.model_name), models.parse(body), terms);
      },
    ),
    async deleteRegistration({ caller, query, condition }) {
      const { model_name } = await models.remove(caller, recordKey(query.model_name), { condition });
      return { message: 'Registration deleted', model_name };
    },
  };
}

const givesMapping = ({ openapi_spec, input_feature_map, output_prediction_map }: RegistrationFields): boolean =>
  [openapi_spec, input_feature_map, output_prediction_map].some((field) => field !== undefined);

const isTest = (flag: string | undefined) => flag === '1' || flag?.toLowerCase() === 'true';

type RegisterHandler = Handlers<typeof modelRegistrations>['registerModel'];
type RegisterCall = Parameters<RegisterHandler>[0];

async function testConnection(
  models: Registrations,
  cloud: CloudEndpoints,
  caller: RegisterCall['caller'],
  body: RegisterCall['body'],
): ReturnType<RegisterHandler> {
  const target = await models.target(caller, recordKey(body.model_name), body);
  const { endpointStatus, failure, elapsedMs } = await testEndpoint(models, cloud, target);
  const result = {
    endpoint_name: target.record.endpoint_name,
    endpoint_status: endpointStatus,
    test_type: 'connection_test' as const,
    response_time_ms: Math.round(elapsedMs),
  };
  if (!failure) return { success: true, message: 'The endpoint is in service', ...result };
  return { status: 'fail', success: false, error_code: failure.code, message: failure.message, ...result };
}
