import { Type } from 'typebox';
import { named } from '../contract/schemas/named.ts';
import { Masked } from './masking/schemas.ts';

const LONGEST = 16 * 1024 * 1024;
export const Text = (description: string, maxLength = LONGEST) => Type.String({ maxLength, description });
export const Anything = (description: string) => Type.Unknown({ description });
export const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Union([schema, Type.Null()]);
/** A field in which null counts as absent, as clients send it. */
export const Clearable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) =>
  Type.Optional(Nullable(schema));

export const ModelReference = Type.String({
  minLength: 1,
  maxLength: 800,
  description:
    'An alias, `<connection>/<model>`, `<service>/<connection>/<model>`, the model of one configuration only, or `container/<model>` for a container that serves one. Default: the alias `default`',
});

export const MaskFields = Clearable(
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    maxItems: 100,
    description: 'Fields whose values are masked, besides those that policies name',
  }),
);
export const Row = Clearable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'The row that the texts were made of: values of named fields are masked wherever they stand',
  }),
);

export const SAMPLING_FIELDS = {
  temperature: Clearable(Type.Number({ minimum: 0, maximum: 2, description: 'Default: that of the configuration' })),
  top_p: Clearable(Type.Number({ minimum: 0, maximum: 1, description: 'Nucleus sampling' })),
};

export const TopK = Clearable(
  Type.Integer({
    minimum: -1,
    maximum: 1_000_000,
    description: 'Sampling of this many tokens; 0 and -1: of all',
  }),
);

/** Members of the body of every API of chats that no provider gets. */
export const OWN_FIELDS = {
  drop_unsupported: Clearable(
    Type.Boolean({
      default: false,
      description: 'Leave out what the provider cannot do and name it in ml.warnings, instead of failing',
    }),
  ),
  mask_fields: MaskFields,
  row: Row,
};

/** Hints of OpenAI's APIs. */
export const HINT_FIELDS = {
  user: Clearable(Text('End user, a hint for the provider', 1024)),
  safety_identifier: Clearable(Text('A hint for the provider', 1024)),
  prompt_cache_key: Clearable(Text('A hint for the provider', 1024)),
  service_tier: Clearable(Text('A hint for the provider', 64)),
};

export const Json = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

export const UseFacts = named(
  'UseFacts',
  Type.Object(
    {
      service: Type.String({ description: 'Service of the connection that answered' }),
      connection_name: Type.String({ description: 'Connection that answered' }),
      model: Type.String({ description: 'Model that answered' }),
      attempts: Type.Integer({ description: 'Requests sent to providers' }),
      upstream_ms: Type.Number({ description: 'Milliseconds spent waiting for providers' }),
      overhead_ms: Type.Number({ description: 'Milliseconds spent on the rest' }),
      cost: Type.Optional(Type.Number({ description: 'US dollars; absent without a price' })),
      masked: Masked,
      warnings: Type.Array(Type.String(), { description: 'What was left out or changed' }),
    },
    { description: 'How the answer came about' },
  ),
);
