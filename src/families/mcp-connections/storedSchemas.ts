import { Type } from 'typebox';
import { AnyObject, JsonText, StringList } from '../../contract/schemas/stored.ts';

const Text = Type.String();
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
