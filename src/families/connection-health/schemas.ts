import { type Static, Type } from 'typebox';
import {
  CONNECTION_FAMILIES,
  EXPIRING_DAYS,
  HEALTH_STATES,
  MAX_AGE_S,
} from '../../contract/families/connectionHealth.ts';
import { LastTest } from '../../contract/schemas/common.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ResourceFamily, ToolDrift } from '../../contract/schemas/resourceSchemas.ts';

export const Family = narrowed(
  ResourceFamily,
  Type.Enum([...CONNECTION_FAMILIES], { description: 'The family that the connection belongs to' }),
);

export const State = named(
  'HealthState',
  Type.Enum([...HEALTH_STATES], {
    description: `reauth_required: somebody has to sign in again. failing: the last test failed, or a credential has expired. expiring: a credential ends within ${EXPIRING_DAYS} days. untested: no test so far. ok: the last test passed.`,
  }),
);

const Names = (description: string) => Type.Array(Type.String(), { description });

const row = {
  family: Family,
  name: Type.String({
    description:
      'Name within the family: of an LLM connection service/connection_name, of a container connection type/connection_name if the name alone is that of two',
  }),
  type: Type.String({
    description: 'What the family calls its kind: PLATFORM, General_Chat, docker, CLOUD_KB, cloud …',
  }),
  state: State,
  reason: Type.String({ description: 'Why it is in this state, for a person' }),
  error_code: Type.Optional(
    Type.String({ description: 'Why the last test failed, or what an expired certificate leads to' }),
  ),
  remedy: Type.Optional(Type.String({ description: 'What a person can do about it' })),
  last_test: named(
    'LastTestIfAny',
    Type.Partial(LastTest, { description: 'What the last test of the saved record found; empty before the first' }),
  ),
  expires_at: Type.Optional(
    Type.Number({
      description:
        'When the first of its credentials ends: a token that the app cannot renew by itself, a client certificate, a CA certificate; epoch seconds',
    }),
  ),
  drift: Type.Optional(ToolDrift),
  used_by: Names(
    'The agents that name it and that you may read; of a container connection, the models that run through it',
  ),
};

const ABOUT_HEALTH = { description: 'How a connection is, by its last test and by the ends of its credentials' };
const AnyHealth = named(
  'ConnectionHealth',
  Type.Object(
    { ...row, checked: Type.Optional(Type.Boolean({ description: 'Of a check: whether that call has tested it' })) },
    ABOUT_HEALTH,
  ),
);
export const ConnectionHealth = narrowed(AnyHealth, Type.Object(row, ABOUT_HEALTH));
export type ConnectionHealth = Static<typeof ConnectionHealth>;
export const CheckedConnection = narrowed(
  AnyHealth,
  Type.Object(
    { ...row, checked: Type.Boolean({ description: 'Whether this call has tested it' }) },
    { description: 'How a connection is after a check' },
  ),
);

const LONGEST_NAME = 600;
const MOST_NAMES = 1000;

export type CheckInput = Static<typeof CheckInput>;
export const CheckInput = named(
  'ConnectionCheck',
  Type.Object(
    {
      family: Type.Optional(Family),
      names: Type.Optional(
        Type.Array(Type.String({ minLength: 1, maxLength: LONGEST_NAME, 'x-trim': true }), {
          minItems: 1,
          maxItems: MOST_NAMES,
          description: 'Only connections of these names, as the rows give them; case does not count',
        }),
      ),
      max_age_s: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_AGE_S.most,
          default: MAX_AGE_S.default,
          description: 'Leave those alone that were tested in the last so many seconds',
        }),
      ),
    },
    { description: 'Which connections to test' },
  ),
);
