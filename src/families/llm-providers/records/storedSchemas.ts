import { Type } from 'typebox';
import { PROVIDER_NAMES } from '../../../contract/families/llmProviders.ts';
import { AnyObject, JsonText, SealedFields, StoredTest, StringList } from '../../../contract/schemas/stored.ts';

const OptionalText = Type.Optional(Type.String());
const OptionalNumber = Type.Optional(Type.Number());

const Model = Type.Object({
  model: Type.String(),
  is_saved: Type.Optional(Type.Boolean()),
  is_model_saved: Type.Optional(Type.Boolean()),
  blob: Type.Optional(AnyObject),
  version: OptionalNumber,
  created_at: OptionalNumber,
  created_by: OptionalText,
  last_updated_at: OptionalNumber,
  last_updated_by: OptionalText,
  last_test: StoredTest,
});

export const StoredConnection = Type.Object({
  ...SealedFields,
  service: Type.Enum([...PROVIDER_NAMES]),
  connection_name: Type.String(),
  servicesettings: JsonText(AnyObject),
  models: JsonText(Type.Array(Model)),
  model_names: Type.Optional(Type.Array(Type.String())),
  api: OptionalText,
});

export const StoredCooldown = Type.Object({
  connection: Type.String(),
  model: Type.String(),
  reason: Type.String(),
  until: Type.Number(),
  pause_s: Type.Number(),
});

export const StoredModelList = Type.Object({
  service: Type.String(),
  models: JsonText(StringList),
  refreshed_at: Type.Number(),
});
