import { type Static, Type } from 'typebox';
import { USAGE_OPERATIONS } from '../../contract/families/usage.ts';
import { LIMIT_ACTIONS, LIMIT_DEFAULTS, LIMIT_SUBJECTS, LIMIT_WINDOWS } from '../../contract/families/usageLimits.ts';
import { Clearable, Name } from '../../contract/schemas/common.ts';
import { named } from '../../contract/schemas/named.ts';
import { defineRecord, type StoredOf } from '../../resources/record/define.ts';
import {
  defaulted,
  descriptionField,
  initially,
  internal,
  nameField,
  optional,
  required,
  sorted,
} from '../../resources/record/fields.ts';
import { group } from '../../resources/record/groups.ts';

const ABOUT_WHOM =
  'What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use';
const MODELS =
  'References: <connection>/<model>, <service>/<connection>/<model> or a model for a configuration however it is reached; an alias for calls by this alias; * for all';

const texts = (description: string, maxLength: number) =>
  list(Type.Array(Type.String({ minLength: 1, maxLength, 'x-trim': true }), { maxItems: 100, description }));
const list = <T extends ReturnType<typeof Type.Array>>(schema: T) => optional(Clearable(schema), { view: schema });

const Operation = named('UsageOperation', Type.Enum([...USAGE_OPERATIONS], { description: 'What a use asks for' }));

const appliesTo = group(
  {
    users: texts('Users, compared without regard to case', 1024),
    roles: texts(
      'Roles, which users have directly or by import. If limits differ only in these, the highest applies',
      128,
    ),
    operations: list(
      Type.Array(Operation, { maxItems: USAGE_OPERATIONS.length, description: 'What the uses ask for' }),
    ),
    models: texts(MODELS, 800),
  },
  {
    create: {
      name: 'UsageLimitAppliesInput',
      description: `${ABOUT_WHOM}. Omitted keys stay; null or an empty list removes a key.`,
    },
    view: { name: 'UsageLimitApplies', description: ABOUT_WHOM },
  },
);

const Per = named(
  'LimitSubject',
  Type.Enum([...LIMIT_SUBJECTS], {
    description: 'user: each user has this amount. all: all users together have it.',
  }),
);
export const Window = named(
  'LimitWindow',
  Type.Enum([...LIMIT_WINDOWS], { description: 'After which time the limit resets, by the calendar in UTC' }),
);
const Action = named(
  'LimitAction',
  Type.Enum([...LIMIT_ACTIONS], {
    description: 'refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning.',
  }),
);

const amount = <T extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Number>>(schema: T) =>
  optional(Clearable(schema), { view: schema });

export const usageLimit = defineRecord(
  'UsageLimit',
  {
    // Names the counters of the limit. A limit that is made anew has another one.
    limit_id: internal(Type.String()),
    name: nameField(Name, 'Name of the limit, as created'),
    description: descriptionField('Purpose of the limit'),
    applies_to: initially(Clearable(appliesTo.create), {}, { view: appliesTo.view, merge: 'members' }),
    // A subject, window or action of a newer version has no code here.
    per: defaulted(Per, LIMIT_DEFAULTS.per, { stored: Type.Enum([...LIMIT_SUBJECTS]) }),
    window: sorted(required(Window, { stored: Type.Enum([...LIMIT_WINDOWS]) })),
    requests: amount(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Maximum number of uses per window; 0 blocks all',
      }),
    ),
    tokens: amount(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000_000,
        description: 'Maximum number of tokens per window, input and output together; 0 blocks all',
      }),
    ),
    cost: amount(
      Type.Number({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all',
      }),
    ),
    action: defaulted(Action, LIMIT_DEFAULTS.action, { stored: Type.Enum([...LIMIT_ACTIONS]) }),
    is_enabled: defaulted(Type.Boolean({ description: 'Whether the limit is in force' }), LIMIT_DEFAULTS.is_enabled),
  },
  {
    create: 'A new limit, with at least one of requests, tokens and cost',
    update: 'A change of the limit of this name; omitted fields stay, null removes an amount',
    record: 'How much users may use in a window of time',
  },
);

export type LimitUpdate = Static<typeof usageLimit.update>;
export type LimitRecord = Static<typeof usageLimit.record>;
export type LimitStored = StoredOf<typeof usageLimit>;
