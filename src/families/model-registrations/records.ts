import { invalid } from '../../contract/faults.ts';
import { type AwsKeys, awsAddresses, mergeFields, pairProblems } from '../../domain/awsKeys.ts';
import { mapOf, REGISTERED_MODELS, type RegisteredModel, type StringMap } from '../../domain/registeredModels.ts';
import type { Open, SealSpec } from '../../domain/sealed.ts';
import { decide, type GivenSecrets, masked } from '../../domain/secrets.ts';
import { type Maps, mapProblems, type Specification } from './openapi.ts';
import type { RegistrationInput, RegistrationRecord } from './schemas.ts';

export const FAMILY = 'model-registrations';
export const SECRET = 'cloud_credentials/secret_access_key';
const DEFAULT_BATCH = 100;

export type RegistrationOpen = Open<RegisteredModel>;
type CloudCredentials = RegisteredModel['cloud_credentials'];
/** What of a registration a caller decides, its access list aside. */
export type Settings = Pick<
  RegisteredModel,
  'endpoint_name' | 'cloud_credentials' | 'input_feature_map' | 'output_prediction_map' | 'openapi_spec' | 'batch_size'
>;
export type SettingsInput = Omit<RegistrationInput, 'model_name' | 'acl'>;

export const registrationSpec: SealSpec<RegisteredModel> = {
  family: FAMILY,
  collection: REGISTERED_MODELS,
  label: 'registered model',
  addresses: ({ cloud_credentials }) =>
    awsAddresses(keysOf(cloud_credentials), {
      region: 'cloud_credentials.region',
      role: 'cloud_credentials.role_arn',
    }),
};

export const keysOf = (credentials: CloudCredentials): AwsKeys => ({
  region: credentials.region,
  accessKeyId: credentials.access_key_id,
  roleArn: credentials.role_arn,
});

/** Given fields replace stored ones; inside `cloud_credentials` field by field, maps and document as a whole. */
export function mergeSettings(base: Settings | undefined, input: SettingsInput): Settings {
  const credentials = mergeFields<CloudCredentials>(base?.cloud_credentials ?? {}, input.cloud_credentials ?? {});
  const text = (value: object | undefined, stored: string | undefined) =>
    value === undefined ? (stored ?? '{}') : JSON.stringify(value);
  const spec = input.openapi_spec === undefined ? base?.openapi_spec : specText(input.openapi_spec);
  return {
    endpoint_name: input.endpoint_name ?? base?.endpoint_name ?? '',
    cloud_credentials: credentials,
    input_feature_map: text(input.input_feature_map, base?.input_feature_map),
    output_prediction_map: text(input.output_prediction_map, base?.output_prediction_map),
    ...(spec === undefined ? {} : { openapi_spec: spec }),
    batch_size: input.batch_size ?? base?.batch_size ?? DEFAULT_BATCH,
  };
}

const specText = (spec: object | null) => (spec === null ? undefined : JSON.stringify(spec));

/**
 * Checks a whole registration as it would be.
 * @returns what is worth telling although nothing is wrong
 * @throws Fault `validation_failed` with every problem, `masked_value_without_stored_secret`
 */
export function assertValid(settings: Settings, given: GivenSecrets, stored: readonly string[]): string[] {
  const { keep, set } = decide(given, stored);
  const { endpoint_name, cloud_credentials } = settings;
  const required = (field: string, value: string | undefined) =>
    value ? [] : [{ field, message: 'is required to register a model' }];
  const isEmpty = Object.keys(cloud_credentials).length === 0 && Object.keys(given).length === 0;
  const maps = mapProblems(mapsOf(settings), settings.openapi_spec);
  const problems = [
    ...required('endpoint_name', endpoint_name),
    ...required(isEmpty ? 'cloud_credentials' : 'cloud_credentials.region', cloud_credentials.region),
    ...pairProblems(cloud_credentials.access_key_id !== undefined, keep.includes(SECRET) || SECRET in set, {
      id: 'cloud_credentials.access_key_id',
      secret: 'cloud_credentials.secret_access_key',
    }),
    ...maps.problems,
  ];
  if (problems.length > 0) throw invalid(problems);
  return maps.warnings;
}

function mapsOf(settings: Settings): Maps {
  return {
    input_feature_map: mapOf(settings.input_feature_map),
    output_prediction_map: mapOf(settings.output_prediction_map),
  };
}

/** The record as a reply shows it: the secret masked, inner fields left out. */
export function registrationView(record: RegisteredModel): RegistrationRecord {
  const { model_name, endpoint_name, cloud_credentials, batch_size, acl, openapi_spec, last_test } = record;
  const { version, created_at, created_by, last_updated_at, last_updated_by } = record;
  const maps: { input_feature_map: StringMap; output_prediction_map: StringMap } = mapsOf(record);
  return masked<RegistrationRecord>(
    {
      model_name,
      endpoint_name,
      cloud_credentials,
      ...maps,
      ...(openapi_spec === undefined ? {} : { openapi_spec: JSON.parse(openapi_spec) as Specification }),
      batch_size,
      acl,
      version,
      created_at,
      created_by,
      last_updated_at,
      last_updated_by,
      ...(last_test ? { last_test } : {}),
    },
    record.secret_fields,
  );
}
