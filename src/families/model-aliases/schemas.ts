import { type Static, Type } from 'typebox';
import { ALIAS_DEFAULTS, FALLBACK_CODES, STRATEGIES } from '../../contract/families/modelAliases.ts';
import { Acl, AclInput, Clearable, DescriptionInput, Metadata, Name, Version } from '../../contract/schemas/common.ts';
import { llmReference } from '../../contract/schemas/llmReference.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';

const DESCRIPTION = 'Purpose of the alias';
const TARGETS = 'LLM configurations that answer for the alias, in this order';

const Target = named(
  'AliasTarget',
  Type.Object(llmReference, { description: 'An LLM configuration that answers for an alias' }),
);
const Targets = (description: string) => Type.Array(Target, { minItems: 1, maxItems: 10, description });

const strategy = (more: { default?: string } = {}) =>
  Type.Enum([...STRATEGIES], {
    description: 'first: ask the targets in order. spread: start with a random one, then ask the others in order.',
    ...more,
  });
const Strategy = named('AliasStrategy', strategy());
const FallbackOn = (more: { default?: readonly string[] } = {}) =>
  Type.Array(named('FallbackCode', Type.Enum([...FALLBACK_CODES], { description: 'Code of a failed call' })), {
    maxItems: FALLBACK_CODES.length,
    description: 'Failures after which the next target is asked',
    ...more,
  });

const MAX_TOKENS = 'Max output tokens';
const SYSTEM_PROMPT = 'Precedes the system message of the caller';
const Temperature = Type.Number({ minimum: 0, maximum: 2, description: 'Temperature: 0 is the most predictable' });
const MaxTokens = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: MAX_TOKENS });
const ABOUT_DEFAULTS = 'Values for calls that do not set their own';

const DefaultsInput = named(
  'AliasDefaultsInput',
  Type.Object(
    {
      temperature: Type.Optional(Clearable(Temperature)),
      max_tokens: Type.Optional(Clearable(MaxTokens)),
      system_prompt: Type.Optional(Clearable(Type.String({ maxLength: 262_144, description: SYSTEM_PROMPT }))),
    },
    { description: `${ABOUT_DEFAULTS}. Omitted values stay; null removes a value.` },
  ),
);

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
  strategy: Type.Optional(Strategy),
  fallback_on: Type.Optional(FallbackOn()),
  defaults: Type.Optional(Clearable(DefaultsInput)),
  acl: Type.Optional(AclInput),
};

export const AliasCreate = named(
  'ModelAliasCreate',
  Type.Object(
    {
      name: Name,
      targets: Targets(TARGETS),
      ...optionalInput,
      strategy: Type.Optional(narrowed(Strategy, strategy({ default: ALIAS_DEFAULTS.strategy }))),
      fallback_on: Type.Optional(FallbackOn({ default: ALIAS_DEFAULTS.fallback_on })),
    },
    { description: 'A new alias; its targets must exist' },
  ),
);

export const AliasUpdate = named(
  'ModelAliasUpdate',
  Type.Object(
    {
      name: Name,
      targets: Type.Optional(Targets(`${TARGETS}. The list is replaced as a whole.`)),
      ...optionalInput,
      version: Type.Optional(Version),
    },
    { description: 'A change of the alias of this name; omitted fields stay' },
  ),
);

export const AliasRecord = named(
  'ModelAlias',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the alias, as created' }),
      description: Type.String({ description: DESCRIPTION }),
      targets: Type.Array(Target, { description: TARGETS }),
      strategy: Strategy,
      fallback_on: FallbackOn(),
      defaults: named(
        'AliasDefaults',
        Type.Object(
          {
            temperature: Type.Optional(Temperature),
            max_tokens: Type.Optional(MaxTokens),
            system_prompt: Type.Optional(Type.String({ description: SYSTEM_PROMPT })),
          },
          { description: ABOUT_DEFAULTS },
        ),
      ),
      acl: Acl,
      ...Metadata,
    },
    { description: 'One name for one or several LLM configurations' },
  ),
);

export type AliasCreate = Static<typeof AliasCreate>;
export type AliasUpdate = Static<typeof AliasUpdate>;
export type AliasRecord = Static<typeof AliasRecord>;
