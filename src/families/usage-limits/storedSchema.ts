import { Type } from 'typebox';
import { LIMIT_ACTIONS, LIMIT_SUBJECTS, LIMIT_WINDOWS } from '../../contract/families/usageLimits.ts';
import { SealedFields, StringList } from '../../contract/schemas/stored.ts';

export const StoredLimit = Type.Object({
  ...SealedFields,
  limit_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  applies_to: Type.Object({
    users: Type.Optional(StringList),
    roles: Type.Optional(StringList),
    operations: Type.Optional(StringList),
    models: Type.Optional(StringList),
  }),
  per: Type.Enum([...LIMIT_SUBJECTS]),
  window: Type.Enum([...LIMIT_WINDOWS]),
  requests: Type.Optional(Type.Number()),
  tokens: Type.Optional(Type.Number()),
  cost: Type.Optional(Type.Number()),
  action: Type.Enum([...LIMIT_ACTIONS]),
  is_enabled: Type.Boolean(),
});
