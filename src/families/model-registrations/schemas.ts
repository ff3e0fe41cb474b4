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
    { description: 'Where the endpoint is and how AWS is called; a change keeps the fields that it leaves out' },
  ),
);

const Path = Type.String({ minLength: 1, maxLength: 1024 });
const MOST_ENTRIES = 1000;
const FieldMap = (description: string) =>
  narrowed(TextMap, Type.Record(Type.String(), Path, { maxProperties: MOST_ENTRIES, description }));
const FeatureMap = FieldMap(
  'Field of a search -> where its value goes in the request, such as `instances[*].cpu`. Replaced as a whole; {} unless given.',
);
const PredictionMap = FieldMap(
  'Where a value is in the response, such as `predictions[*]` -> field of the result that it goes to. Replaced as a whole; {} unless given.',
);
const Specification = Type.Record(Type.String(), Type.Unknown(), {
  description: 'OpenAPI 3 document of the endpoint with POST /invocations; the maps are checked against it',
});
/** No `default`: beside the name alone it would make a test of the saved registration one of given details. */
const BatchSize = Type.Integer({
  minimum: 1,
  maximum: 10_000,
  description: 'Most rows that go into one request; 100 unless given',
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
 * `endpoint_name` and `cloud_credentials.region` are required to register; a test of a saved registration needs its
 * name alone, so the schema does not ask for them.
 */
export const RegistrationInput = named(
  'RegisteredModelCreate',
  Type.Object(
    { model_name: ModelName, ...input },
    {
      description:
        'A model to register, or, with test_connection=1, to test: model_name alone means the saved registration, anything more is tried as given',
    },
  ),
);

export const RegistrationUpdate = named(
  'RegisteredModelUpdate',
  Type.Object(
    { model_name: ModelName, ...input, version: Type.Optional(Version) },
    { description: 'A change of the registration of this name; what is left out stays' },
  ),
);

export const RegistrationRecord = named(
  'RegisteredModel',
  Type.Object(
    {
      model_name: Type.String({ description: 'Name of the registration, as it was written when it was made' }),
      endpoint_name: Type.String({ description: ENDPOINT }),
      cloud_credentials: Type.Object(
        {
          region: Type.String({ description: 'AWS region of the endpoint' }),
          access_key_id: Type.Optional(AwsKeyIdView),
          secret_access_key: Type.Optional(Masked('Secret access key')),
          role_arn: Type.Optional(AwsRoleArnView),
        },
        { description: 'Where the endpoint is and how AWS is called' },
      ),
      input_feature_map: FeatureMap,
      output_prediction_map: PredictionMap,
      openapi_spec: Type.Optional(Specification),
      batch_size: Type.Integer({ description: 'Most rows that go into one request' }),
      acl: Acl,
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    { description: 'A model in the cloud that searches may apply' },
  ),
);

/** Of a registration: success, names and warnings. Of a test: what the endpoint said. */
export const RegistrationReply = named(
  'RegisteredModelTestReply',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the model was registered, or the endpoint is in service' }),
      model_name: Type.Optional(Type.String({ description: 'Name of the new registration; absent from a test' })),
      endpoint_name: Type.String({ description: ENDPOINT }),
      warnings: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'What is worth knowing of the registration, such as maps that could not be checked; may be empty',
        }),
      ),
      endpoint_status: Type.Optional(
        Type.Union([Type.String(), Type.Null()], {
          description:
            "Of a test: state of the endpoint in AWS's own word (InService, Creating, Failed …); null if unknown",
        }),
      ),
      test_type: Type.Optional(Type.Literal('connection_test', { description: 'Tells the reply to a test' })),
      response_time_ms: Type.Optional(Type.Number({ description: 'Of a test: milliseconds that it took' })),
    },
    { description: 'The outcome of a registration, or of a test of one' },
  ),
);

export type RegistrationInput = Static<typeof RegistrationInput>;
export type RegistrationUpdate = Static<typeof RegistrationUpdate>;
export type RegistrationRecord = Static<typeof RegistrationRecord>;
