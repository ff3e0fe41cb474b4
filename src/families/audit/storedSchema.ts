import { Type } from 'typebox';
import { AnyObject, JsonText, Nullable } from '../../contract/schemas/stored.ts';

const Text = Type.String();
const OptionalText = Type.Optional(Text);
const OptionalNumber = Type.Optional(Type.Number());

export const StoredEntry = Type.Object({
  audit_id: Text,
  time: Type.Number(),
  user: Text,
  action: Text,
  family: Text,
  name: Text,
  name_key: Text,
  outcome: Text,
  error_code: OptionalText,
  changed: JsonText(Type.Array(AnyObject)),
  version_before: OptionalNumber,
  version_after: OptionalNumber,
  request_id: Text,
  duration_ms: Nullable(Type.Number()),
  via: Text,
  count: OptionalNumber,
  failed: OptionalNumber,
  tool: OptionalText,
  sid: OptionalText,
  run_id: OptionalText,
  // Entries of earlier versions have none.
  member: OptionalText,
});
