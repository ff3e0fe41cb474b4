import { type Static, Type } from 'typebox';
import {
  AwsAccessKeyId,
  AwsKeyIdView,
  AwsRegion,
  AwsRoleArn,
  AwsRoleArnView,
  AwsSecretKey,
} from '../../contract/schemas/awsSchemas.ts';
import { Clearable, Masked, TextMap } from '../../contract/schemas/common.ts';
import { narrowed } from '../../contract/schemas/named.ts';
import { AnyObject, JsonText } from '../../contract/schemas/stored.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import { accessList, initially, lastTestField, nameField, optional, secret } from '../../resources/record/fields.ts';
import { group } from '../../resources/record/groups.ts';
import { DEFAULT_BATCH } from './stored.ts';

export const ModelName = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
  description: 'Unique name, compared without regard to case',
  'x-trim': true,
  'x-message': 'must be 1 to 128 characters: first a letter (A-Z, a-z) or _, then letters, digits and _',
});

export const ENDPOINT = 'Name of the SageMaker endpoint that serves the model';
const EndpointName = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9](-*[A-Za-z0-9]){0,62}$',
  description: `${ENDPOINT}; required to register`,
  'x-trim': true,
  'x-message': 'must be 1 to 63 characters: letters, digits and - (not first or last)',
});

const credentials = group(
  {
    region: initially(AwsRegion('AWS region of the endpoint; required to register'), '', {
      view: Type.String({ description: 'AWS region of the endpoint' }),
    }),
    access_key_id: optional(AwsAccessKeyId, { view: AwsKeyIdView }),
    secret_access_key: secret(AwsSecretKey, Masked('Secret access key')),
    role_arn: optional(AwsRoleArn, { view: AwsRoleArnView }),
  },
  {
    create: {
      name: 'CloudCredentialsInput',
      description: 'Region of the endpoint and AWS credentials; a change keeps omitted fields',
    },
    view: { description: 'Region of the endpoint and AWS credentials' },
  },
);

const MAX_ENTRIES = 1000;

/** A map of fields, which is stored as text. */
function fieldMap(description: string) {
  const path = Type.String({ minLength: 1, maxLength: 1024 });
  const map = Type.Record(Type.String(), path, { maxProperties: MAX_ENTRIES, description });
  return initially(narrowed(TextMap, map), {}, { isJson: true });
}

const Specification = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: MAX_ENTRIES,
  description: 'OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it',
});

/**
 * `endpoint_name` and `cloud_credentials.region` are required to register, but not by the schema: a test of a saved registration
 * needs only its name. For the same reason nothing has a `default`, which would make it a test of submitted details.
 */
export const registration = defineRecord(
  'RegisteredModel',
  {
    model_name: nameField(ModelName, 'Name of the registration, as created'),
    endpoint_name: initially(EndpointName, '', { view: Type.String({ description: ENDPOINT }) }),
    cloud_credentials: initially(
      credentials.create,
      {},
      {
        ...{ view: credentials.view, stored: credentials.stored, merge: 'members' },
      },
    ),
    input_feature_map: fieldMap(
      'Search field -> path in the request, such as `instances[*].cpu`. Replaced as a whole; default {}.',
    ),
    output_prediction_map: fieldMap(
      'Path in the response, such as `predictions[*]` -> result field. Replaced as a whole; default {}.',
    ),
    openapi_spec: optional(Clearable(Specification), {
      ...{ view: Specification, isJson: true, stored: JsonText(AnyObject) },
    }),
    batch_size: initially(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Maximum rows per request; default 100' }),
      DEFAULT_BATCH,
      { view: Type.Integer({ description: 'Maximum rows per request' }) },
    ),
    ...accessList,
    ...lastTestField,
  },
  {
    create:
      'A model to register or, with test_connection=1, to test: model_name alone means the saved registration, other fields are tested as submitted',
    update: 'A change of the registration of this name; omitted fields stay',
    record: 'A cloud model that searches can apply',
  },
);

export type RegistrationInput = Static<typeof registration.create>;
export type RegistrationUpdate = Static<typeof registration.update>;
export type RegistrationRecord = Static<typeof registration.record>;
export type RegisteredModel = StoredOf<typeof registration>;
