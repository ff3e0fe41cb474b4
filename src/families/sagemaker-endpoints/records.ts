import { invalid } from '../../contract/codes/faults.ts';
import { type AwsKeys, awsAddresses, pairProblems } from '../../domain/net/awsKeys.ts';
import { secretsAfter } from '../../domain/secrets/secrets.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { type Maps, mapProblems } from '../../predictions/endpoints/openapi.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { Resources } from '../../resources/resources.ts';
import type { RegisteredModel, RegistrationRecord, RegistrationUpdate } from './definition.ts';
import { FAMILY, mapOf, REGISTERED_MODELS } from './stored.ts';

export const SECRET = 'cloud_credentials/secret_access_key';
const MAX_DEPTH = 200;

type CloudCredentials = RegisteredModel['cloud_credentials'];
/** The body of a registration, an update or a test. */
export type RegistrationFields = Partial<RegistrationUpdate>;
export type Registrations = Resources<RegisteredModel, RegistrationFields, RegistrationRecord>;

export const registrationKind: ResourceKind<RegisteredModel, RegistrationFields, RegistrationRecord> = {
  family: FAMILY,
  collection: REGISTERED_MODELS,
  label: 'registered model',
  access: BY_LIST,
  addresses: ({ cloud_credentials }) =>
    awsAddresses(keysOf(cloud_credentials), {
      region: 'cloud_credentials.region',
      role: 'cloud_credentials.role_arn',
    }),
  assertReadable({ openapi_spec }) {
    if (!nestsDeeperThan(openapi_spec, MAX_DEPTH)) return;
    throw invalid([{ field: 'openapi_spec', message: `is nested deeper than ${MAX_DEPTH} levels` }]);
  },
  problems({ endpoint_name, cloud_credentials, openapi_spec, ...settings }, secrets, warnings) {
    const isEmpty = Object.keys(cloud_credentials).length === 0 && Object.keys(secrets.submitted).length === 0;
    const maps = mapProblems(mapsOf(settings), openapi_spec);
    warnings.push(...maps.warnings);
    return [
      ...required('endpoint_name', endpoint_name),
      ...required(isEmpty ? 'cloud_credentials' : 'cloud_credentials.region', cloud_credentials.region),
      ...pairProblems(cloud_credentials.access_key_id !== undefined, secretsAfter(secrets).includes(SECRET), {
        id: 'cloud_credentials.access_key_id',
        secret: 'cloud_credentials.secret_access_key',
      }),
      ...maps.problems,
    ];
  },
  hasInlineConfig: ({ model_name: _, acl: __, ...settings }) => Object.keys(settings).length > 0,
  missingForTest: ({ endpoint_name, cloud_credentials }) => [
    ...required('endpoint_name', endpoint_name),
    ...required('cloud_credentials.region', cloud_credentials?.region),
  ],
};

export const keysOf = (credentials: CloudCredentials): AwsKeys => ({
  region: credentials.region,
  accessKeyId: credentials.access_key_id,
  roleArn: credentials.role_arn,
});

const required = (field: string, value: string | undefined) =>
  value ? [] : [{ field, message: 'is required to register a model' }];

const mapsOf = (stored: Pick<RegisteredModel, keyof Maps>): Maps => ({
  input_feature_map: mapOf(stored.input_feature_map),
  output_prediction_map: mapOf(stored.output_prediction_map),
});
