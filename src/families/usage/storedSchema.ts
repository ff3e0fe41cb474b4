import { Type } from 'typebox';
import { AnyObject, JsonText, StringList } from '../../contract/schemas/stored.ts';

export const StoredUsage = Type.Object({
  kind: Type.Enum(['process', 'hour', 'day']),
  from: Type.Number(),
  to: Type.Number(),
  member: Type.String(),
  sources: StringList,
  rows: JsonText(Type.Array(AnyObject)),
  users: Type.Optional(StringList),
});
