import { Type } from 'typebox';
import { AnyObject, JsonText, SealedFields, StoredAcl, StoredTest, StringList } from '../../contract/schemas/stored.ts';

const Text = Type.String();
const OptionalText = Type.Optional(Text);
const OptionalNumber = Type.Optional(Type.Number());

const AcceptedTool = Type.Object({ name: Text, fingerprint: Text, title: OptionalText, batch: Text });

export const StoredConnection = Type.Object({
  ...SealedFields,
  name: Text,
  type: Text,
  description: Text,
  details: Type.Object({
    url: Text,
    verify_tls: Type.Boolean(),
    client_id: OptionalText,
    is_auto_refresh_enabled: Type.Optional(Type.Boolean()),
    token_url: OptionalText,
    scope: OptionalText,
    ca_certificate: OptionalText,
  }),
  acl: StoredAcl,
  auth_state: Text,
  tools_allowed: Type.Optional(StringList),
  transport_detected: OptionalText,
  token_url_detected: OptionalText,
  discovery_url: OptionalText,
  refresh_refused: OptionalText,
  token_obtained_at: OptionalNumber,
  token_expires_at: OptionalNumber,
  acceptance: OptionalText,
  accepted_tools: Type.Optional(Type.Array(AcceptedTool)),
  last_test: StoredTest,
});

export const StoredListing = Type.Object({
  created_at: Type.Number(),
  tools: Type.Array(Type.Object({ name: Text, print: Text })),
  drift: Type.Optional(Type.Object({ added: StringList, removed: StringList, changed: StringList })),
  unaccepted: Type.Optional(Type.Object({ acceptance: Text, tools: StringList })),
});

export const StoredDefinitions = Type.Object({
  connection: Text,
  created_at: Type.Number(),
  written_at: Type.Number(),
  definitions: JsonText(Type.Array(Type.Tuple([Text, AnyObject]))),
});
