import { Type } from 'typebox';
import { AnyObject, JsonText, SealedFields, StoredAcl, StringList } from '../../contract/schemas/stored.ts';

const Text = Type.String();

export const StoredExperiment = Type.Object({
  ...SealedFields,
  experiment_id: Text,
  title: Text,
  title_key: Text,
  description: Text,
  type: Text,
  status: Text,
  acl: StoredAcl,
  owner: Text,
  audience: StringList,
  tags: StringList,
  models: StringList,
  outline: JsonText(AnyObject),
  stages: JsonText(Type.Array(AnyObject)),
});

export const StoredHistoryEntry = Type.Object({
  history_id: Text,
  experiment_id: Text,
  action: Text,
  timestamp: Type.Number(),
  user: Text,
  status: Text,
  details: JsonText(AnyObject),
  message: Type.Optional(Text),
});
