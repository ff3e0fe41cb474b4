import { type Static, Type } from 'typebox';
import { named } from '../../contract/schemas/named.ts';
import { MODEL, ProviderName } from './schemas.ts';

const FieldFacts = {
  label: Type.String({ description: 'What a form calls the field' }),
  required: Type.Boolean({ description: 'Needed before the provider can be called' }),
  secret: Type.Boolean({ description: 'The value is kept in the secret store and never shown' }),
  description: Type.String({ description: 'What the field is for, in a sentence for a form' }),
};

const CatalogueMember = named(
  'LlmCatalogueMember',
  Type.Object(
    {
      ...FieldFacts,
      type: Type.Enum(['string'], { description: 'Type of the value' }),
      default: Type.Null({ description: 'Nothing applies where no value is given' }),
    },
    { description: 'What a form needs to know of one member of a setting' },
  ),
);

const CatalogueField = named(
  'LlmCatalogueField',
  Type.Object(
    {
      ...FieldFacts,
      type: Type.Enum(['string', 'integer', 'number', 'boolean', 'text', 'map', 'object'], {
        description:
          'Type of the value; text is a string of several lines, map an object of names and strings, object one with the members that fields names',
      }),
      fields: Type.Optional(
        Type.Record(Type.String(), CatalogueMember, { description: 'Of an object: name of a member -> what it takes' }),
      ),
      required_at: Type.Optional(
        Type.String({ description: 'Where a required field is needed at the host of this address alone: the address' }),
      ),
      required_without: Type.Optional(
        Type.String({ description: 'Where a required field is needed only without another one: the name of that' }),
      ),
      default: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
        description: 'What applies where no value is given; null if nothing does',
      }),
      minimum: Type.Optional(Type.Number({ description: 'Smallest value of a number' })),
      maximum: Type.Optional(Type.Number({ description: 'Largest value of a number' })),
    },
    { description: 'What a form needs to know of one setting' },
  ),
);

const CatalogueFields = named(
  'LlmCatalogueFields',
  Type.Record(Type.String(), CatalogueField, { description: 'Name of a setting -> what it takes' }),
);

const CatalogueModel = named(
  'LlmCatalogueModel',
  Type.Object(
    {
      id: Type.String({ description: MODEL }),
      source: Type.Enum(['provider', 'configured'], {
        description: 'provider: from the last refresh_models; configured: from a stored configuration',
      }),
    },
    { description: 'A model that is known without asking the provider' },
  ),
);

const CatalogueService = named(
  'LlmCatalogueService',
  Type.Object(
    {
      display_name: Type.String({ description: 'What a form calls the provider' }),
      default_endpoint: Type.Union([Type.String(), Type.Null()], {
        description: 'Address that is used where none is given; null if the provider has none',
      }),
      hosting: Type.Optional(
        Type.String({ description: 'Of Platform_Hosted_Models: who hosts the models where no endpoint is given' }),
      ),
      fields: CatalogueFields,
      model_fields: CatalogueFields,
      models: Type.Array(CatalogueModel, { description: 'Models that are known, those of the provider first' }),
      supports: Type.Object(
        { list_models: Type.Boolean({ description: 'It can be asked for its models' }) },
        { description: 'What the provider can do' },
      ),
    },
    { description: 'A provider, and what its configurations take' },
  ),
);

export const LlmCatalogue = named(
  'LlmCatalogue',
  Type.Object(
    {
      services: Type.Record(ProviderName, CatalogueService, { description: 'Each provider under its name' }),
      limits: Type.Record(Type.String(), Type.Any(), { description: 'Bounds that every configuration is held to' }),
    },
    { description: 'All providers: everything needed to draw a form' },
  ),
);

export const LlmActionReply = named(
  'LlmActionResult',
  Type.Object(
    {
      success: Type.Boolean({ description: 'Whether the provider answered as it should' }),
      provider: Type.Optional(Type.String({ description: 'The service in lower case' })),
      service: ProviderName,
      model: Type.Optional(
        Type.Union([Type.String(), Type.Null()], { description: `${MODEL} that was tested; null if none was named` }),
      ),
      http_status_code: Type.Optional(
        Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the answer; null if none came' }),
      ),
      response_time: Type.Optional(Type.Number({ description: 'Seconds that the call took' })),
      hosting: Type.Optional(
        Type.String({
          description:
            'Of Platform_Hosted_Models: who hosts the models, "Hosted by Splunk (tenant <name>)" or "Endpoint of this site"',
        }),
      ),
      response_content: Type.Optional(
        Type.String({ description: 'Of a chat: what the model said, at most 200 characters' }),
      ),
      retry_after: Type.Optional(Type.Number({ description: 'Seconds to wait, if the provider said so' })),
      models: Type.Optional(
        Type.Array(Type.String(), { description: "Of refresh_models: the provider's ids of its models" }),
      ),
      count: Type.Optional(Type.Integer({ description: 'Of refresh_models: how many models there are' })),
    },
    { description: 'What a test, or asking for the models, found' },
  ),
);

export type CatalogueField = Static<typeof CatalogueField>;
export type LlmActionReply = Static<typeof LlmActionReply>;
export type LlmCatalogue = Static<typeof LlmCatalogue>;
