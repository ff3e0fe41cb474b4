import { type Static, Type } from 'typebox';
import { ALIAS_DEFAULTS, FALLBACK_CODES, STRATEGIES } from '../../contract/families/modelAliases.ts';
import { Clearable, Name } from '../../contract/schemas/common.ts';
import { Cooldown } from '../../contract/schemas/cooldown.ts';
import { llmReference } from '../../contract/schemas/llmReference.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import {
  accessList,
  defaulted,
  descriptionField,
  initially,
  nameField,
  optional,
  required,
} from '../../resources/record/fields.ts';
import { group } from '../../resources/record/groups.ts';

const TARGETS = 'LLM configurations that answer for the alias, in this order';
const ABOUT_TARGET = { description: 'An LLM configuration that answers for an alias' };
const ShownTarget = named(
  'AliasTarget',
  Type.Object({ ...llmReference, cooldown: Type.Optional(Cooldown) }, ABOUT_TARGET),
);
const Target = narrowed(ShownTarget, Type.Object(llmReference, ABOUT_TARGET));
const Targets = (description: string) => Type.Array(Target, { minItems: 1, maxItems: 10, description });

const Strategy = named(
  'AliasStrategy',
  Type.Enum([...STRATEGIES], {
    description: 'first: ask the targets in order. spread: start with a random one, then ask the others in order.',
  }),
);
const FallbackOn = Type.Array(
  named('FallbackCode', Type.Enum([...FALLBACK_CODES], { description: 'Code of a failed call' })),
  { maxItems: FALLBACK_CODES.length, description: 'Failures after which the next target is asked' },
);

const SYSTEM_PROMPT = 'Precedes the system message of the caller';
const Temperature = Type.Number({ minimum: 0, maximum: 2, description: 'Temperature: 0 is the most predictable' });
const MaxTokens = Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Max output tokens' });
const SystemPrompt = Type.String({ maxLength: 262_144, description: SYSTEM_PROMPT });
const ABOUT_DEFAULTS = 'Values for calls that do not set their own';

const defaults = group(
  {
    temperature: optional(Clearable(Temperature), { view: Temperature }),
    max_tokens: optional(Clearable(MaxTokens), { view: MaxTokens }),
    system_prompt: optional(Clearable(SystemPrompt), { view: Type.String({ description: SYSTEM_PROMPT }) }),
  },
  {
    create: {
      name: 'AliasDefaultsInput',
      description: `${ABOUT_DEFAULTS}. Omitted values stay; null removes a value.`,
    },
    view: { name: 'AliasDefaults', description: ABOUT_DEFAULTS },
  },
);

export const modelAlias = defineRecord(
  'ModelAlias',
  {
    name: nameField(Name, 'Name of the alias, as created'),
    description: descriptionField('Purpose of the alias'),
    targets: {
      ...required(Targets(TARGETS), {
        view: Type.Array(ShownTarget, { description: TARGETS }),
        stored: Type.Array(Type.Object(llmReference)),
      }),
      update: Type.Optional(Targets(`${TARGETS}. The list is replaced as a whole.`)),
    },
    strategy: defaulted(Strategy, ALIAS_DEFAULTS.strategy),
    fallback_on: defaulted(FallbackOn, ALIAS_DEFAULTS.fallback_on, { merge: 'set' }),
    defaults: initially(Clearable(defaults.create), {}, { view: defaults.view, merge: 'members' }),
    ...accessList,
  },
  {
    create: 'A new alias; its targets must exist',
    update: 'A change of the alias of this name; omitted fields stay',
    record: 'One name for one or several LLM configurations',
  },
);

export type AliasUpdate = Static<typeof modelAlias.update>;
export type AliasRecord = Static<typeof modelAlias.record>;
export type AliasStored = StoredOf<typeof modelAlias>;
export type AliasTarget = AliasStored['targets'][number];
