import { type Static, type TSchema, Type } from 'typebox';
import { Clearable, LastTest, Metadata, Secret, Version } from '../../contract/common.ts';
import { named } from '../../contract/named.ts';
import { LIMITS, PROVIDER_NAMES } from './names.ts';

/** No control characters, no half of a surrogate pair, no `%`; a connection's name also holds no `/`. */
const NAME_RULE = 'must be 1 to 256 characters without control characters and without %';
const nameOf = (pattern: string, message: string, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: LIMITS.name_length,
    pattern,
    description,
    'x-trim': true,
    'x-message': message,
  });

export const ProviderName = named(
  'LlmService',
  Type.Enum([...PROVIDER_NAMES], { description: 'The kind of provider' }),
);
export const ConnectionName = nameOf(
  '^(?!\\.{1,2}$)[^\\p{Cc}\\p{Cs}%/]*$',
  `${NAME_RULE} or /, and not only . or ..`,
  'Free-form name, compared without regard to case; the first spelling stays.',
);
const ModelName = nameOf(
  '^(?!.*(^|/)\\.{0,2}(/|$))[^\\p{Cc}\\p{Cs}%]*$',
  `${NAME_RULE}; no part between slashes may be empty, . or ..`,
  "The provider's model id, compared exactly; it may hold / and :.",
);

export const LlmIdentity = named(
  'LlmIdentity',
  Type.Object({ service: ProviderName, connection_name: ConnectionName, model: ModelName }),
);

/** A declared field of a free-form object: `{value, …}` with anything beside the value. */
const field = <T extends TSchema>(value: T) =>
  Type.Optional(Clearable(Type.Object({ value: Type.Optional(Clearable(value)) }, { additionalProperties: true })));
const secret = (description: string) =>
  Type.Optional(
    Clearable(
      Type.Object({ value: Type.Optional(Secret({ description, maxLength: 8192 })) }, { additionalProperties: true }),
    ),
  );
const text = (maxLength: number, description: string) => Type.String({ maxLength, description, 'x-trim': true });

export const ServiceSettings = named(
  'LlmServiceSettings',
  Type.Object(
    {
      endpoint: field(text(2048, 'Base address of the provider; a pasted full URL is trimmed to it')),
      access_token: secret('API key'),
      request_timeout: field(
        Type.Integer({
          minimum: LIMITS.request_timeout.minimum,
          maximum: LIMITS.request_timeout.maximum,
          description: `Seconds; default ${LIMITS.request_timeout.default}`,
        }),
      ),
      enterprise_api_version: field(text(64, 'Enterprise_Cloud_Chat: YYYY-MM-DD[-preview] or v1')),
      region: field(text(64, 'Cloud_Model_Hub: AWS region')),
      cloud_access_key_id: field(
        text(128, 'Cloud_Model_Hub: access key id; without keys, the role of the instance is used'),
      ),
      cloud_access_token: secret('Cloud_Model_Hub: secret access key'),
      role_arn: field(text(2048, 'Cloud_Model_Hub: role to assume')),
      verify_tls: field(Type.Boolean({ description: 'Default true' })),
      ca_certificate: field(text(262_144, 'PEM certificates to trust for this provider')),
    },
    { additionalProperties: true, description: 'Settings of the connection, shared by all its models' },
  ),
);

const ModelSettings = named(
  'LlmModelSettings',
  Type.Object(
    {
      max_tokens: field(Type.Integer({ minimum: LIMITS.max_tokens.minimum })),
      response_variability: field(
        Type.Number({
          minimum: LIMITS.response_variability.minimum,
          maximum: LIMITS.response_variability.maximum,
          description: 'Temperature',
        }),
      ),
    },
    { additionalProperties: true },
  ),
);

const settings = {
  servicesettings: Type.Optional(ServiceSettings),
  modelsettings: Type.Optional(ModelSettings),
  is_saved: Type.Optional(Type.Boolean({ description: 'false = a draft; default true' })),
  is_model_saved: Type.Optional(Type.Boolean({ description: 'false = a draft; default true' })),
};

const FREE = {
  additionalProperties: true,
  description:
    'Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets.',
};

export const LlmConfigurationInput = named(
  'LlmConfigurationInput',
  Type.Object({ ...LlmIdentity.properties, ...settings, version: Type.Optional(Version) }, FREE),
);

/** The identity alone means the saved record; with anything more, the given configuration is tested and nothing is saved. */
export const LlmActionInput = named(
  'LlmAction',
  Type.Object(
    {
      action: Type.Optional(Type.Enum(['test', 'refresh_models'], { description: 'Default test' })),
      probe: Type.Optional(
        Type.Enum(['chat', 'list'], {
          description: 'chat (default) asks the model; list asks for the list of models, which is free of charge',
        }),
      ),
      service: ProviderName,
      connection_name: Type.Optional(ConnectionName),
      model: Type.Optional(ModelName),
      ...settings,
    },
    FREE,
  ),
);

export const LlmRecord = named(
  'LlmConfiguration',
  Type.Object(
    {
      service: ProviderName,
      connection_name: Type.String(),
      model: Type.String(),
      servicesettings: Type.Object(
        {},
        { additionalProperties: true, description: 'As submitted; secrets as ***MASKED***' },
      ),
      modelsettings: Type.Optional(Type.Object({}, { additionalProperties: true })),
      is_saved: Type.Boolean(),
      is_model_saved: Type.Boolean(),
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    FREE,
  ),
);

const CatalogueField = named(
  'LlmCatalogueField',
  Type.Object({
    label: Type.String(),
    type: Type.Enum(['string', 'integer', 'number', 'boolean', 'text']),
    required: Type.Boolean({ description: 'Needed before the provider can be called' }),
    secret: Type.Boolean(),
    default: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
    description: Type.String(),
    minimum: Type.Optional(Type.Number()),
    maximum: Type.Optional(Type.Number()),
  }),
);

export const LlmCatalogue = named(
  'LlmCatalogue',
  Type.Object({
    services: Type.Record(
      ProviderName,
      named(
        'LlmCatalogueService',
        Type.Object({
          display_name: Type.String(),
          default_endpoint: Type.Union([Type.String(), Type.Null()]),
          fields: Type.Record(Type.String(), CatalogueField),
          model_fields: Type.Record(Type.String(), CatalogueField),
          models: Type.Array(
            named(
              'LlmCatalogueModel',
              Type.Object({
                id: Type.String(),
                source: Type.Enum(['provider', 'configured'], {
                  description: 'provider: from the last refresh_models; configured: from a stored configuration',
                }),
              }),
            ),
          ),
          supports: Type.Object({ list_models: Type.Boolean() }),
        }),
      ),
    ),
    limits: Type.Record(Type.String(), Type.Any()),
  }),
);

export const LlmActionReply = named(
  'LlmActionResult',
  Type.Object({
    success: Type.Boolean(),
    provider: Type.Optional(Type.String({ description: 'The service in lower case' })),
    service: ProviderName,
    model: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    http_status_code: Type.Optional(
      Type.Union([Type.Integer(), Type.Null()], { description: 'Null when no answer came' }),
    ),
    response_time: Type.Optional(Type.Number({ description: 'Seconds' })),
    response_content: Type.Optional(Type.String({ description: 'What the model said, at most 200 characters' })),
    retry_after: Type.Optional(Type.Number({ description: 'Seconds to wait, if the provider said so' })),
    models: Type.Optional(Type.Array(Type.String(), { description: 'refresh_models' })),
    count: Type.Optional(Type.Integer({ description: 'refresh_models' })),
  }),
);

export type ServiceSettings = Static<typeof ServiceSettings>;
export type CatalogueField = Static<typeof CatalogueField>;
export type LlmConfigurationInput = Static<typeof LlmConfigurationInput>;
export type LlmActionInput = Static<typeof LlmActionInput>;
export type LlmActionReply = Static<typeof LlmActionReply>;
export type LlmRecord = Static<typeof LlmRecord>;
export type LlmCatalogue = Static<typeof LlmCatalogue>;
