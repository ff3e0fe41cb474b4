import { type Static, Type } from 'typebox';
import {
  IMAGE_MODES,
  MASKED_OPERATIONS,
  MASKED_SERVICES,
  MASKING_MODES,
  MAX_PATTERN_LENGTH,
  MAX_PATTERNS,
  OWN_LABEL,
  POLICY_DEFAULTS,
} from '../../contract/families/masking.ts';
import { Clearable, Name } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import {
  defaulted,
  descriptionField,
  initially,
  nameField,
  optional,
  required,
} from '../../resources/record/fields.ts';
import { group } from '../../resources/record/groups.ts';

const Mode = named(
  'MaskingMode',
  Type.Enum([...MASKING_MODES], {
    description: 'allow: values stay. mask: placeholders stand for them. refuse: a request that holds one is not sent.',
  }),
);
const Service = named(
  'MaskedService',
  Type.Enum([...MASKED_SERVICES], { description: 'What a request goes to, as provider in records of usage' }),
);
const Operation = named('MaskedOperation', Type.Enum([...MASKED_OPERATIONS], { description: 'What a use asks for' }));
const ImageMode = named(
  'ImageMode',
  Type.Enum([...IMAGE_MODES], {
    description:
      'Images and files cannot be masked. allow: they are sent as they are. refuse: a request with one is not sent.',
  }),
);

const text = (maxLength: number, more: object = {}) =>
  Type.String({ minLength: 1, maxLength, 'x-trim': true, ...more });
const list = <T extends ReturnType<typeof Type.Array>>(schema: T) => optional(Clearable(schema), { view: schema });

const ABOUT_USES =
  'Which uses the policy applies to: those that fit each of these keys, and of each key one of the values. Without keys: every use';
const OPERATIONS =
  'What the uses ask for. Absent: chat and invoke_agent whole, embeddings for kinds of secrets alone; retrieve, execute_tool and predict only where they are named';

const appliesTo = group(
  {
    services: list(Type.Array(Service, { maxItems: MASKED_SERVICES.length, description: 'What the requests go to' })),
    connections: list(
      Type.Array(text(256), { maxItems: 100, description: 'Connections, compared without regard to case' }),
    ),
    aliases: list(Type.Array(text(128), { maxItems: 100, description: 'Aliases by which models are called' })),
    roles: list(Type.Array(text(128), { maxItems: 100, description: 'Roles, which users have directly or by import' })),
    operations: list(Type.Array(Operation, { maxItems: MASKED_OPERATIONS.length, description: OPERATIONS })),
  },
  {
    create: {
      name: 'MaskingPolicyAppliesInput',
      description: `${ABOUT_USES}. Omitted keys stay; null or an empty list removes a key.`,
    },
    view: { name: 'MaskingPolicyApplies', description: ABOUT_USES },
  },
);

const Kinds = Type.Record(Type.String({ maxLength: 16 }), Mode, {
  maxProperties: 100,
  description:
    'Kind -> how it is treated: ipv4, ipv6, mac, email, url_secret, host, win_user, sid, user, phone, card, iban, us_ssn, jwt, key, pem, password, field (a named value that no rule finds), or the label of a pattern. Others are allowed, labels are masked. The object is replaced as a whole.',
});
const Fields = Type.Array(text(256), {
  maxItems: 200,
  description: 'Fields whose values are masked wherever they stand in a request',
});
const Pattern = named(
  'MaskingPattern',
  Type.Object(
    {
      label: Type.String({
        maxLength: 16,
        pattern: OWN_LABEL,
        description: 'Begins the placeholders of what the pattern finds',
        'x-message': 'must be 1 to 16 characters: first a letter a to z, then letters a to z and digits',
      }),
      pattern: Type.String({
        minLength: 1,
        maxLength: MAX_PATTERN_LENGTH,
        description: 'Regular expression of RE2; it matches neither empty text nor a placeholder',
      }),
      keyword: Type.Optional(text(64, { description: 'A word that must stand shortly before' })),
    },
    { description: "An administrator's own kind of values" },
  ),
);
const Patterns = Type.Array(Pattern, {
  maxItems: MAX_PATTERNS,
  description: 'Own kinds of values. The list is replaced as a whole.',
});
const Never = Type.Array(text(256), {
  maxItems: 1000,
  description: 'Values that stay, unless they are secrets: names, *.suffix of hosts, addresses and networks (CIDR)',
});
const Regions = Type.Array(
  Type.String({ maxLength: 2, pattern: '^[A-Z]{2}$', description: 'Code of a country, ISO 3166-1' }),
  {
    maxItems: 50,
    description: 'Countries whose telephone numbers are found without + and the code of the country',
  },
);

const emptied = <T extends ReturnType<typeof Type.Array>>(schema: T, merge: 'set' | 'value' = 'set') =>
  initially(Clearable(schema), [], { view: schema, merge });

export const maskingPolicy = defineRecord(
  'MaskingPolicy',
  {
    name: nameField(Name, 'Name of the policy, as created'),
    description: descriptionField('Purpose of the policy'),
    applies_to: initially(Clearable(appliesTo.create), {}, { view: appliesTo.view, merge: 'members' }),
    // A mode of a newer version has no code here, and a policy that cannot be read masks nothing.
    kinds: required(Kinds, { stored: Type.Record(Type.String(), Type.Enum([...MASKING_MODES])) }),
    fields: emptied(Fields),
    patterns: emptied(Patterns, 'value'),
    never: emptied(Never),
    regions: emptied(Regions),
    images: defaulted(ImageMode, POLICY_DEFAULTS.images, { stored: Type.Enum([...IMAGE_MODES]) }),
    is_enabled: defaulted(Type.Boolean({ description: 'Whether the policy is in force' }), POLICY_DEFAULTS.is_enabled),
  },
  {
    create: 'A new masking policy',
    update: 'A change of the masking policy of this name; omitted fields stay',
    record: 'What is replaced before a request leaves for a provider, and put back in what comes back',
  },
);

export type PolicyUpdate = Static<typeof maskingPolicy.update>;
export type PolicyRecord = Static<typeof maskingPolicy.record>;
export type PolicyStored = StoredOf<typeof maskingPolicy>;
/** The part that decides about texts. */
export type PolicyRules = Pick<PolicyStored, 'kinds' | 'fields' | 'patterns' | 'never' | 'regions'>;
