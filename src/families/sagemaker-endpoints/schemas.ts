import { type Static, Type } from 'typebox';
import {
  AwsAccessKeyId,
  AwsKeyIdView,
  AwsRegion,
  AwsRoleArn,
  AwsRoleArnView,
  AwsSecretKey,
} from '../../contract/schemas/awsSchemas.ts';
import {
  Acl,
  AclInput,
  Clearable,
  LastTest,
  Masked,
  Metadata,
  TextMap,
  Version,
} from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';

export const ModelName = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
  description: 'Unique name, compared without regard to case',
  'x-trim': true,
  'x-message': 'must be 1 to 128 characters: first a letter (A-Z, a-z) or _, then letters, digits and _',
});

const ENDPOINT = 'Name of the SageMaker endpoint that serves the model';
const EndpointName = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9](-*[A-Za-z0-9]){0,62}$',
  description: `${ENDPOINT}; required to register`,
  'x-trim': true,
  'x-message': 'must be 1 to 63 characters: letters, digits and - (not first or last)',
});

const Credentials = named(
  'CloudCredentialsInput',
  Type.Object(
    {
      region: Type.Optional(AwsRegion('AWS region of the endpoint; required to register')),
      access_key_id: AwsAccessKeyId,
      secret_access_key: AwsSecretKey,
      role_arn: AwsRoleArn,
    },
    { description: 'Region of the endpoint and AWS credentials; a change keeps omitted fields' },
  ),
);

const Path = Type.String({ minLength: 1, maxLength: 1024 });
const MOST_ENTRIES = 1000;
const FieldMap = (description: string) =>
  narrowed(TextMap, Type.Record(Type.String(), Path, { maxProperties: MOST_ENTRIES, description }));
const FeatureMap = FieldMap(
  'Search field -> path in the request, such as `instances[*].cpu`. Replaced as a whole; default {}.',
);
const PredictionMap = FieldMap(
  'Path in the response, such as `predictions[*]` -> result field. Replaced as a whole; default {}.',
);
const Specification = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: MOST_ENTRIES,
  description: 'OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it',
});
/** No `default`: it would turn a test by name alone into a test of submitted details. */
const BatchSize = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'Maximum rows per request; default 100',
});

const input = {
  endpoint_name: Type.Optional(EndpointName),
  cloud_credentials: Type.Optional(Credentials),
  input_feature_map: Type.Optional(FeatureMap),
  output_prediction_map: Type.Optional(PredictionMap),
  openapi_spec: Type.Optional(Clearable(Specification)),
  batch_size: Type.Optional(BatchSize),
  acl: Type.Optional(AclInput),
};

/**
 * `endpoint_name` and `cloud_credentials.region` are required to register, but not by the schema: a test of a saved registration
 * needs only its name.
 */
export const RegistrationInput = named(
  'RegisteredModelCreate',
  Type.Object(
    { model_name: ModelName, ...input },
    {
      description:
        'A model to register or, with test_connection=1, to test: model_name alone means the saved registration, other fields are tested as submitted',
    },
  ),
);

export const RegistrationUpdate = named(
  'RegisteredModelUpdate',
  Type.Object(
    { model_name: ModelName, ...input, version: Type.Optional(Version) },
    { description: 'A change of the registration of this name; omitted fields stay' },
  ),
);

export const RegistrationRecord = named(
  'RegisteredModel',
  Type.Object(
    {
      model_name: Type.String({ description: 'Name of the registration, as created' }),
      endpoint_name: Type.String({ description: ENDPOINT }),
      cloud_credentials: Type.Object(
        {
          region: Type.String({ description: 'AWS region of the endpoint' }),
          access_key_id: Type.Optional(AwsKeyIdView),
          secret_access_key: Type.Optional(Masked('Secret access key')),
          role_arn: Type.Optional(AwsRoleArnView),
        },
        { description: 'Region of the endpoint and AWS credentials' },
      ),
      input_feature_map: FeatureMap,
      output_prediction_map: PredictionMap,
      openapi_spec: Type.Optional(Specification),
      batch_size: Type.Integer({ description: 'Maximum rows per request' }),
      acl: Acl,
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    { description: 'A cloud model that searches can apply' },
  ),
);

export const RegistrationReply = named(
  'RegisteredModelTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the model was registered, or the endpoint is in service' }),
      model_name: Type.Optional(Type.String({ description: 'Name of the new registration; absent from a test' })),
      endpoint_name: Type.String({ description: ENDPOINT }),
      warnings: Type.Optional(
        Type.Array(Type.String(), {
          description: 'Warnings about the registration, such as unchecked maps; may be empty',
        }),
      ),
      endpoint_status: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description: 'Of a test: state of the endpoint in AWS (InService, Creating, Failed …); null if unknown',
        }),
      ),
      test_type: Type.Optional(Type.Literal('connection_test', { description: 'Marks the reply to a test' })),
      response_time_ms: Type.Optional(Type.Number({ description: 'Of a test: duration in milliseconds' })),
    },
    { description: 'Result of a registration or a test' },
  ),
);

export type RegistrationInput = Static<typeof RegistrationInput>;
export type RegistrationUpdate = Static<typeof RegistrationUpdate>;
export type RegistrationRecord = Static<typeof RegistrationRecord>;
