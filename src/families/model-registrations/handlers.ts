import { type Handlers, withRules } from '../../contract/handlers.ts';
import { recordKey } from '../../domain/keys.ts';
import { lastTest } from '../../domain/lastTest.ts';
import type { Stores } from '../../domain/sealed.ts';
import type { CloudEndpoints } from '../../ports/cloudEndpoints.ts';
import type { modelRegistrations } from './endpoints.ts';
import { assertInService, inspectEndpoint } from './inspection.ts';
import { FAMILY, registrationView } from './records.ts';
import type { RegistrationInput } from './schemas.ts';
import { type Inspect, ModelRegistrations } from './service.ts';

export function modelRegistrationHandlers(
  stores: Stores,
  cloud: CloudEndpoints,
  secretPaths: Readonly<Record<string, readonly string[]>>,
): Handlers<typeof modelRegistrations> {
  const models = new ModelRegistrations(stores, secretPaths[FAMILY] ?? []);
  const inspect: Inspect = async (draft) => assertInService(await inspectEndpoint(cloud, draft));

  return {
    async getRegistration({ caller, query }) {
      return { config: registrationView(await models.get(caller, recordKey(query.model_name))) };
    },
    registerModel: withRules(
      async ({ caller, body, query, warnings }) => {
        if (isTest(query.test_connection)) return testConnection(models, cloud, caller, body);
        const draft = await models.register(caller, body, inspect);
        warnings.push(...draft.warnings);
        const { model_name } = body;
        return {
          success: true,
          message: `Model '${model_name}' registered successfully`,
          model_name,
          endpoint_name: draft.settings.endpoint_name,
          warnings: [],
        };
      },
      (body: RegistrationInput) => void models.draft(body),
    ),
    async updateRegistration({ caller, body, condition, warnings }) {
      const updated = await models.update(caller, body, condition, inspect);
      const mapping = [body.openapi_spec, body.input_feature_map, body.output_prediction_map];
      if (mapping.some((one) => one !== undefined)) warnings.push(...updated.warnings);
      return { message: 'Registration updated', config: registrationView(updated.record) };
    },
    async deleteRegistration({ caller, query, condition }) {
      const model_name = await models.remove(caller, query.model_name, condition);
      return { message: 'Registration deleted', model_name };
    },
  };
}

const isTest = (flag: string | undefined) => flag === '1' || flag?.toLowerCase() === 'true';

type Register = Handlers<typeof modelRegistrations>['registerModel'];
type RegisterCall = Parameters<Register>[0];

async function testConnection(
  models: ModelRegistrations,
  cloud: CloudEndpoints,
  caller: RegisterCall['caller'],
  body: RegisterCall['body'],
): ReturnType<Register> {
  const { saved, ...draft } = await models.target(caller, body);
  const { endpointStatus, failure, elapsedMs } = await inspectEndpoint(cloud, draft);
  if (saved) {
    const last_test = lastTest(models.now(), elapsedMs, failure);
    await models.sealed.amend(saved._key, async () => ({ open: { last_test } }));
  }
  const told = {
    endpoint_name: draft.settings.endpoint_name,
    endpoint_status: endpointStatus,
    test_type: 'connection_test' as const,
    response_time_ms: Math.round(elapsedMs),
  };
  if (!failure) return { success: true, message: 'The endpoint is in service', ...told };
  return { status: 'fail', success: false, error_code: failure.code, message: failure.message, ...told };
}
