import { type Static, type TSchema, Type } from 'typebox';
import { MASK } from '../../contract/basics.ts';
import { PROVIDER_NAMES } from '../../contract/families/llmProviders.ts';
import { ACCESS_KEY_ID_PATTERN, REGION_PATTERN, ROLE_ARN_PATTERN } from '../../contract/schemas/awsSyntax.ts';
import { Clearable, LastTest, Metadata, orEmpty, Secret, URL_PATTERN, Version } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { SecretHeaders } from '../../resources/record/headers.ts';
import { API_VERSION_PATTERN, LIMITS } from './names.ts';

/** No control characters and no `%`, as all dialects of expressions write it. */
const CHARACTER = '[^\\x00-\\x1f\\x7f-\\x9f%/]';
const NO_DOT = '[^\\x00-\\x1f\\x7f-\\x9f%/.]';
/** Anything but `.` and `..`, without look-ahead. */
const PART = `(\\.{0,2}${NO_DOT}${CHARACTER}*|\\.{3}${CHARACTER}*)`;
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
  Type.Enum([...PROVIDER_NAMES], {
    description:
      'The provider: General_Chat is OpenAI, Enterprise_Cloud_Chat Azure, Assistant_Family Anthropic, Cloud_Model_Hub Amazon Bedrock, Fast_Inference Groq, Search_Vendor_Models Gemini, Local_Runtime Ollama, Platform_Hosted_Models the site itself, or Splunk for its tenant',
  }),
);
export const ConnectionName = nameOf(
  `^${PART}$`,
  `${NAME_RULE} or /, and not only . or ..`,
  "What the provider's connection is called, compared without regard to case; the first spelling stays",
);
const ModelName = nameOf(
  `^${PART}(/${PART})*$`,
  `${NAME_RULE}; no part between slashes may be empty, . or ..`,
  "The provider's id of the model, compared exactly; it may hold / and :",
);

export const MODEL = "The provider's id of the model";
export const LlmIdentity = Type.Object({ service: ProviderName, connection_name: ConnectionName, model: ModelName });

const SETTING = {
  additionalProperties: true,
  description: 'A setting: its value, and beside it whatever is sent along',
};
/** A declared field of a free-form object: `{value, …}` with anything beside the value. */
const setting = <T extends TSchema>(value: T) => Type.Object({ value: Type.Optional(Clearable(value)) }, SETTING);
/** @param pattern what the rules ask of a text that is not empty: they tell it together with all other problems */
const text = (maxLength: number, pattern?: string) =>
  Type.String({
    maxLength,
    description: "The value of the setting; null or '' counts as not given",
    'x-trim': true,
    ...(pattern === undefined ? {} : { 'x-form': { maxLength, pattern: orEmpty(pattern) } }),
  });
const LONGEST_SETTING = 262_144;
const AnyText = named('LlmTextSetting', setting(text(LONGEST_SETTING)));
const TextSetting = (maxLength: number, pattern?: string) => narrowed(AnyText, setting(text(maxLength, pattern)));
const integerSetting = (name: string, description: string, bounds: { minimum: number; maximum?: number }) =>
  named(name, setting(Type.Integer({ ...bounds, description: `${description}; null counts as not given` })));

const SecretSetting = named(
  'LlmSecretSetting',
  Type.Object(
    { value: Type.Optional(Secret({ description: 'The secret', maxLength: 8192 })) },
    { ...SETTING, description: `A setting that is a secret; its value is read as ${MASK}` },
  ),
);

const HeaderSetting = named('LlmHeaderSetting', setting(SecretHeaders));

const OAuthSetting = named(
  'LlmOAuthSetting',
  setting(
    named(
      'LlmOAuth',
      Type.Object(
        {
          token_url: Type.Optional(
            Clearable(
              Type.String({
                ...text(2048, URL_PATTERN),
                description: 'Address of the token endpoint; https, except on this machine',
              }),
            ),
          ),
          client_id: Type.Optional(
            Clearable(Type.String({ ...text(1024), description: 'The name of the client there' })),
          ),
          client_secret: Type.Optional(Secret({ description: 'Secret of the client', maxLength: 8192 })),
          scope: Type.Optional(
            Clearable(Type.String({ ...text(4096), description: 'What the token is for; names separated by spaces' })),
          ),
        },
        {
          additionalProperties: true,
          description:
            'OAuth client credentials in place of a key: the token that they are exchanged for is sent as a bearer token. Where all is left out, it stays as it is; null deletes it.',
        },
      ),
    ),
  ),
);

const field = <T extends TSchema>(description: string, value: T) =>
  Type.Optional(Type.Union([value, Type.Null()], { description }));

export const ServiceSettings = named(
  'LlmServiceSettings',
  Type.Object(
    {
      endpoint: field(
        "Base address of the provider; a pasted full URL is trimmed to it, and the provider's usual one is filled in where there is none",
        TextSetting(2048, URL_PATTERN),
      ),
      access_token: field('API key of the provider', SecretSetting),
      request_timeout: field(
        `Seconds that a call, with all its retries, may take; ${LIMITS.request_timeout.default} unless given`,
        integerSetting(
          'LlmRequestTimeout',
          `Seconds, ${LIMITS.request_timeout.minimum} to ${LIMITS.request_timeout.maximum}`,
          {
            minimum: LIMITS.request_timeout.minimum,
            maximum: LIMITS.request_timeout.maximum,
          },
        ),
      ),
      enterprise_api_version: field(
        'Of Enterprise_Cloud_Chat: version of its API, YYYY-MM-DD[-preview] or v1',
        TextSetting(64, API_VERSION_PATTERN),
      ),
      region: field('Of Cloud_Model_Hub: AWS region', TextSetting(64, REGION_PATTERN)),
      cloud_access_key_id: field(
        'Of Cloud_Model_Hub: access key id; without keys, the role of the instance is used',
        TextSetting(128, ACCESS_KEY_ID_PATTERN),
      ),
      cloud_access_token: field(
        'Of Cloud_Model_Hub: secret access key that belongs to the access key id',
        SecretSetting,
      ),
      role_arn: field(
        'Of Cloud_Model_Hub: ARN of an IAM role that is assumed before the call',
        TextSetting(2048, ROLE_ARN_PATTERN),
      ),
      verify_tls: field(
        'Whether the certificate of the provider is verified; true unless given',
        named('LlmFlagSetting', setting(Type.Boolean({ description: 'true or false; null counts as not given' }))),
      ),
      ca_certificate: field('Trusted CA certificates (PEM) for this provider, in place of the default ones', AnyText),
      headers: field('Headers of every request of this connection', HeaderSetting),
      oauth: field('OAuth client credentials of this connection, in place of a key', OAuthSetting),
    },
    {
      additionalProperties: true,
      description:
        'Settings of the connection, shared by all its models. Left out, they stay as they are; given, they replace the stored ones, except for secrets that are masked or left out.',
    },
  ),
);

const ModelSettings = named(
  'LlmModelSettings',
  Type.Object(
    {
      max_tokens: field(
        'Longest answer, in tokens',
        integerSetting('LlmMaxTokens', `Tokens, at least ${LIMITS.max_tokens.minimum}`, LIMITS.max_tokens),
      ),
      response_variability: field(
        'Temperature: 0 is the most predictable',
        named(
          'LlmVariabilitySetting',
          setting(
            Type.Number({
              minimum: LIMITS.response_variability.minimum,
              maximum: LIMITS.response_variability.maximum,
              description: 'From 0 to 1; null counts as not given',
            }),
          ),
        ),
      ),
    },
    { additionalProperties: true, description: 'Settings of this model alone; each save replaces them' },
  ),
);

const IS_SAVED = 'false: the connection is a draft, which inventories leave out';
const IS_MODEL_SAVED = 'false: the model is a draft, which inventories leave out';
/** No `default`: a test with one would count as a test of an unsaved configuration. */
const settings = {
  servicesettings: Type.Optional(ServiceSettings),
  modelsettings: Type.Optional(ModelSettings),
  is_saved: Type.Optional(Type.Boolean({ description: IS_SAVED })),
  is_model_saved: Type.Optional(Type.Boolean({ description: IS_MODEL_SAVED })),
};
const savedSettings = {
  ...settings,
  is_saved: Type.Optional(Type.Boolean({ default: true, description: IS_SAVED })),
  is_model_saved: Type.Optional(Type.Boolean({ default: true, description: IS_MODEL_SAVED })),
};

const FREE = {
  additionalProperties: true,
  description:
    'Free-form: unknown fields are kept; strings in those that look like credentials are treated as secrets.',
};

export const LlmConfigurationInput = named(
  'LlmConfigurationInput',
  Type.Object(
    { ...LlmIdentity.properties, ...savedSettings, version: Type.Optional(Version) },
    { ...FREE, description: `A configuration to create or replace. ${FREE.description}` },
  ),
);

export const LlmActionInput = named(
  'LlmAction',
  Type.Object(
    {
      action: Type.Optional(
        Type.Enum(['test', 'refresh_models'], {
          default: 'test',
          description: 'test: call the provider. refresh_models: ask it for its models and remember them.',
        }),
      ),
      probe: Type.Optional(
        Type.Enum(['chat', 'list'], {
          default: 'chat',
          description:
            'What a test does: chat asks the model; list asks for the list of models, which is free of charge',
        }),
      ),
      service: ProviderName,
      connection_name: Type.Optional(ConnectionName),
      model: Type.Optional(ModelName),
      ...settings,
    },
    {
      ...FREE,
      description:
        'What to test: service, connection_name and model alone mean the saved configuration; with anything more, the given one is tested and nothing is saved. Masked and absent secrets come from the saved connection.',
    },
  ),
);

export const LlmRecord = named(
  'LlmConfiguration',
  Type.Object(
    {
      service: ProviderName,
      connection_name: Type.String({ description: "What the provider's connection is called" }),
      model: Type.String({ description: MODEL }),
      servicesettings: Type.Object(
        {},
        {
          additionalProperties: true,
          description: `Settings of the connection, as they were sent; secrets as ${MASK}`,
        },
      ),
      modelsettings: Type.Optional(
        Type.Object({}, { additionalProperties: true, description: 'Settings of the model, as they were sent' }),
      ),
      is_saved: Type.Boolean({ description: IS_SAVED }),
      is_model_saved: Type.Boolean({ description: IS_MODEL_SAVED }),
      ...Metadata,
      last_test: Type.Optional(LastTest),
    },
    { ...FREE, description: `A model of a provider's connection. ${FREE.description}` },
  ),
);

export type ServiceSettings = Static<typeof ServiceSettings>;
export type ModelSettings = Static<typeof ModelSettings>;
export type LlmConfigurationInput = Static<typeof LlmConfigurationInput>;
export type LlmActionInput = Static<typeof LlmActionInput>;
export type LlmRecord = Static<typeof LlmRecord>;
