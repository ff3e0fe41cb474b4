import { type Static, Type } from 'typebox';
import { named } from '../../contract/schemas/named.ts';
import { usageLimit, Window } from './definition.ts';

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
  Type.Object({ ...usageLimit.record.properties, status: Status }, { description: 'A limit, and what is used of it' }),
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

export type LimitStatus = Static<typeof Status>;
export type OwnStatus = Static<typeof OwnStatus>;
