import { type Static, Type } from 'typebox';
import { USAGE_OPERATIONS } from '../../contract/families/usage.ts';
import { LIMIT_ACTIONS, LIMIT_DEFAULTS, LIMIT_SUBJECTS, LIMIT_WINDOWS } from '../../contract/families/usageLimits.ts';
import { Clearable, DescriptionInput, Metadata, Name, Version } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';

const DESCRIPTION = 'Purpose of the limit';
const ABOUT_WHOM =
  'What the limit holds: a use that fits each of these keys, and of each key one of the values. Without keys: every use';

const USERS = 'Users, compared without regard to case';
const ROLES = 'Roles, which users have directly or by import. If limits differ only in these, the highest applies';
const OPERATIONS = 'What the uses ask for';
const MODELS =
  'References: <connection>/<model>, <service>/<connection>/<model> or a model for a configuration however it is reached; an alias for calls by this alias; * for all';

const Operation = named('UsageOperation', Type.Enum([...USAGE_OPERATIONS], { description: 'What a use asks for' }));

const MAX_VALUES = 100;
const Texts = (description: string, maxLength: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength, 'x-trim': true }), { maxItems: MAX_VALUES, description });
const Operations = Type.Array(Operation, { maxItems: USAGE_OPERATIONS.length, description: OPERATIONS });
const Users = Texts(USERS, 1024);
const Roles = Texts(ROLES, 128);
const Models = Texts(MODELS, 800);

const AppliesInput = named(
  'UsageLimitAppliesInput',
  Type.Object(
    {
      users: Type.Optional(Clearable(Users)),
      roles: Type.Optional(Clearable(Roles)),
      operations: Type.Optional(Clearable(Operations)),
      models: Type.Optional(Clearable(Models)),
    },
    { description: `${ABOUT_WHOM}. Omitted keys stay; null or an empty list removes a key.` },
  ),
);

const per = (more: { default?: string } = {}) =>
  Type.Enum([...LIMIT_SUBJECTS], {
    description: 'user: each user has this amount. all: all users together have it.',
    ...more,
  });
const Per = named('LimitSubject', per());
const Window = named(
  'LimitWindow',
  Type.Enum([...LIMIT_WINDOWS], { description: 'After which time the limit resets, by the calendar in UTC' }),
);
const action = (more: { default?: string } = {}) =>
  Type.Enum([...LIMIT_ACTIONS], {
    description: 'refuse: uses beyond the limit fail with limit_exceeded. warn: they only get a warning.',
    ...more,
  });
const Action = named('LimitAction', action());

const amounts = {
  requests: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Maximum number of uses per window; 0 blocks all',
  }),
  tokens: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000_000,
    description: 'Maximum number of tokens per window, input and output together; 0 blocks all',
  }),
  cost: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'Maximum cost per window in US dollars; uses without a price do not count. 0 blocks all',
  }),
};

const IsEnabled = (more: { default?: boolean } = {}) =>
  Type.Boolean({ description: 'Whether the limit is in force', ...more });

const optionalInput = {
  description: DescriptionInput(DESCRIPTION),
  applies_to: Type.Optional(Clearable(AppliesInput)),
  requests: Type.Optional(Clearable(amounts.requests)),
  tokens: Type.Optional(Clearable(amounts.tokens)),
  cost: Type.Optional(Clearable(amounts.cost)),
};

export const LimitCreate = named(
  'UsageLimitCreate',
  Type.Object(
    {
      name: Name,
      window: Window,
      ...optionalInput,
      per: Type.Optional(narrowed(Per, per({ default: LIMIT_DEFAULTS.per }))),
      action: Type.Optional(narrowed(Action, action({ default: LIMIT_DEFAULTS.action }))),
      is_enabled: Type.Optional(IsEnabled({ default: LIMIT_DEFAULTS.is_enabled })),
    },
    { description: 'A new limit, with at least one of requests, tokens and cost' },
  ),
);

export const LimitUpdate = named(
  'UsageLimitUpdate',
  Type.Object(
    {
      name: Name,
      window: Type.Optional(Window),
      ...optionalInput,
      per: Type.Optional(Per),
      action: Type.Optional(Action),
      is_enabled: Type.Optional(IsEnabled()),
      version: Type.Optional(Version),
    },
    { description: 'A change of the limit of this name; omitted fields stay, null removes an amount' },
  ),
);

const record = {
  name: Type.String({ description: 'Name of the limit, as created' }),
  description: Type.String({ description: DESCRIPTION }),
  applies_to: named(
    'UsageLimitApplies',
    Type.Object(
      {
        users: Type.Optional(Users),
        roles: Type.Optional(Roles),
        operations: Type.Optional(Operations),
        models: Type.Optional(Models),
      },
      { description: ABOUT_WHOM },
    ),
  ),
  per: Per,
  window: Window,
  requests: Type.Optional(amounts.requests),
  tokens: Type.Optional(amounts.tokens),
  cost: Type.Optional(amounts.cost),
  action: Action,
  is_enabled: IsEnabled(),
  ...Metadata,
};

export const LimitRecord = named(
  'UsageLimit',
  Type.Object(record, { description: 'How much users may use in a window of time' }),
);

const Used = named(
  'LimitUsed',
  Type.Object(
    {
      requests: Type.Integer({ description: 'Uses' }),
      tokens: Type.Integer({ description: 'Tokens, input and output together' }),
      cost: Type.Number({ description: 'US dollars, of the uses that have a price' }),
    },
    { description: 'What is used in the present window, at most 2 s late' },
  ),
);
const Left = named(
  'LimitLeft',
  Type.Partial(Used, { description: 'What is left in the present window, of the amounts that the limit states' }),
);
const ResetsAt = Type.Number({ description: 'When the limit resets, epoch seconds' });

const Status = named(
  'LimitStatus',
  Type.Object(
    {
      used: Used,
      left: Left,
      resets_at: ResetsAt,
      users: Type.Optional(Type.Integer({ description: 'With per=user: users who have used something' })),
      top: Type.Optional(
        Type.Array(
          Type.Object(
            { user: Type.String({ description: 'A user' }), used: Used, left: Left },
            { description: 'What a user has used' },
          ),
          { description: 'With per=user: the ten users who have used most' },
        ),
      ),
    },
    {
      description:
        'The present window. With per=user, used is that of all users together, and left that of the user who has least left.',
    },
  ),
);

export const LimitDetail = named(
  'UsageLimitDetail',
  Type.Object({ ...record, status: Status }, { description: 'A limit, and what is used of it' }),
);

const OwnStatus = named(
  'OwnLimitStatus',
  Type.Object(
    {
      name: Type.String({ description: 'Name of the limit' }),
      window: Window,
      used: Used,
      left: Left,
      resets_at: ResetsAt,
    },
    { description: 'What the caller has used of a limit; of a limit per=all, what all users have used' },
  ),
);

export const OwnLimits = named(
  'OwnUsageLimits',
  Type.Object(
    { result: Type.Array(OwnStatus, { description: 'One entry a limit, by name' }) },
    { description: 'The limits that hold some use of the caller' },
  ),
);

export type LimitUpdate = Static<typeof LimitUpdate>;
export type LimitRecord = Static<typeof LimitRecord>;
export type LimitStatus = Static<typeof Status>;
export type OwnStatus = Static<typeof OwnStatus>;
