import { type Static, Type } from 'typebox';
import {
  CONNECTION_FAMILIES,
  EXPIRING_DAYS,
  HEALTH_STATES,
  MAX_AGE_S,
} from '../../contract/families/connectionHealth.ts';
import { LastTest } from '../../contract/schemas/common.ts';
import { ModelCooldown } from '../../contract/schemas/cooldown.ts';
import { named, narrowed } from '../../contract/schemas/named.ts';
import { ResourceFamily, ToolDrift } from '../../contract/schemas/resourceSchemas.ts';

export const Family = narrowed(
  ResourceFamily,
  Type.Enum([...CONNECTION_FAMILIES], { description: 'The family that the connection belongs to' }),
);

export const State = named(
  'HealthState',
  Type.Enum([...HEALTH_STATES], {
    description: `reauth_required: sign in again. failing: the last test failed, a credential has expired, or a usage limit is used up. expiring: a credential expires within ${EXPIRING_DAYS} days, or 80 % of a usage limit is used. untested: no test so far. ok: the last test passed.`,
  }),
);

const Names = (description: string) => Type.Array(Type.String(), { description });

const row = {
  family: Family,
  name: Type.String({
    description:
      'Name within the family. LLM connections: service/connection_name. Container connections: type/connection_name if the name alone is ambiguous.',
  }),
  type: Type.String({
    description: 'Type within the family: PLATFORM, General_Chat, docker, CLOUD_KB, cloud, alias, limit …',
  }),
  state: State,
  reason: Type.String({ description: 'Reason of the state, for a person' }),
  error_code: Type.Optional(Type.String({ description: 'Code of the failed test or of the expired certificate' })),
  remedy: Type.Optional(Type.String({ description: 'What to do about it' })),
  last_test: named(
    'LastTestIfAny',
    Type.Partial(LastTest, { description: 'Result of the last test of the saved record; empty before the first' }),
  ),
  expires_at: Type.Optional(
    Type.Number({
      description:
        'Earliest expiry of its credentials, epoch seconds: a token that the app cannot refresh, a client certificate or a CA certificate',
    }),
  ),
  cooldown: Type.Optional(ModelCooldown),
  drift: Type.Optional(ToolDrift),
  unaccepted: Type.Optional(Names('Tools of the MCP server that are new or have changed since they were accepted')),
  used_by: Names('The readable agents and aliases that use it; for a container connection, the models that run on it'),
};

const ABOUT_HEALTH = { description: 'Health of a connection, by its last test and the expiry of its credentials' };
const AnyHealth = named(
  'ConnectionHealth',
  Type.Object(
    { ...row, checked: Type.Optional(Type.Boolean({ description: 'In a check: whether it was tested' })) },
    ABOUT_HEALTH,
  ),
);
export const ConnectionHealth = narrowed(AnyHealth, Type.Object(row, ABOUT_HEALTH));
export type ConnectionHealth = Static<typeof ConnectionHealth>;
export const CheckedConnection = narrowed(
  AnyHealth,
  Type.Object(
    { ...row, checked: Type.Boolean({ description: 'Whether this call tested it' }) },
    { description: 'Health of a connection after a check' },
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
          description: 'Only connections with these names, compared without regard to case',
        }),
      ),
      max_age_s: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: MAX_AGE_S.most,
          default: MAX_AGE_S.default,
          description: 'Skip connections tested within this many seconds',
        }),
      ),
    },
    { description: 'Which connections to test' },
  ),
);
