import { type Static, Type } from 'typebox';
import { AwsAccessKeyId, AwsRegion, AwsRoleArn, AwsSecretKey } from '../../contract/awsSchemas.ts';
import { Acl, AclInput, Clearable, LastTest, Metadata, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';

export const ModelName = Type.String({
  maxLength: 128,
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$',
  description: 'Unique name, compared without regard to case.',
  'x-trim': true,
  'x-message': 'must be 1 to 128 characters: first a letter (A-Z, a-z) or _, then letters, digits and _',
});

const EndpointName = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9](-*[A-Za-z0-9]){0,62}$',
  description: 'Name of the SageMaker endpoint',
  'x-trim': true,
  'x-message': 'must be 1 to 63 characters: letters, digits and - (not first or last)',
});

const Credentials = named(
  'CloudCredentialsInput',
  Type.Object({
    region: Type.Optional(AwsRegion('AWS region of the endpoint; required to register')),
    access_key_id: AwsAccessKeyId,
    secret_access_key: AwsSecretKey,
    role_arn: AwsRoleArn,
  }),
);

const Path = Type.String({ minLength: 1, maxLength: 1024 });
const MOST_ENTRIES = 1000;
const FeatureMap = Type.Record(Type.String(), Path, {
  maxProperties: MOST_ENTRIES,
  description: 'Field of a search -> where its value goes in the request: `instances[*].cpu`',
});
const PredictionMap = Type.Record(Type.String(), Path, {
  maxProperties: MOST_ENTRIES,
  description: 'Where a value is in the response -> field of the result: `predictions[*]` -> `result`',
});
const Specification = Type.Record(Type.String(), Type.Unknown(), {
  description: 'OpenAPI 3 document with POST /invocations; the maps are checked against it',
});
const BatchSize = Type.Integer({ minimum: 1, maximum: 10_000, description: 'Rows per request. Default 100.' });

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
export const RegistrationInput = named('RegisteredModelCreate', Type.Object({ model_name: ModelName, ...input }));

export const RegistrationUpdate = named(
  'RegisteredModelUpdate',
  Type.Object({
    model_name: ModelName,
    ...input,
    version: Type.Optional(Version),
  }),
);

export const RegistrationRecord = named(
  'RegisteredModel',
  Type.Object({
    model_name: Type.String(),
    endpoint_name: Type.String(),
    cloud_credentials: Type.Object({
      region: Type.String(),
      access_key_id: Type.Optional(Type.String()),
      secret_access_key: Type.Optional(Type.String({ description: '***MASKED*** when one is stored' })),
      role_arn: Type.Optional(Type.String()),
    }),
    input_feature_map: FeatureMap,
    output_prediction_map: PredictionMap,
    openapi_spec: Type.Optional(Specification),
    batch_size: Type.Integer(),
    acl: Acl,
    ...Metadata,
    last_test: Type.Optional(LastTest),
  }),
);

/** Of a registration: success, names and warnings. Of a test: what the endpoint said. */
export const RegistrationReply = named(
  'RegisteredModelTestReply',
  Type.Object({
    success: Type.Boolean(),
    model_name: Type.Optional(Type.String({ description: 'Registration only' })),
    endpoint_name: Type.String(),
    warnings: Type.Optional(Type.Array(Type.String(), { description: 'Registration only' })),
    endpoint_status: Type.Optional(
      Type.Union([Type.String(), Type.Null()], { description: 'Test only: InService, Creating, Failed …' }),
    ),
    test_type: Type.Optional(Type.Literal('connection_test', { description: 'Test only' })),
    response_time_ms: Type.Optional(Type.Number({ description: 'Test only' })),
  }),
);

export type RegistrationInput = Static<typeof RegistrationInput>;
export type RegistrationUpdate = Static<typeof RegistrationUpdate>;
export type RegistrationRecord = Static<typeof RegistrationRecord>;
