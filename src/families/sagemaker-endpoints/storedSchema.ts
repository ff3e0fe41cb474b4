import { Type } from 'typebox';
import { AnyObject, JsonText, SealedFields, StoredAcl, StoredTest } from '../../contract/schemas/stored.ts';

const Texts = Type.Record(Type.String(), Type.String());

export const StoredRegistration = Type.Object({
  ...SealedFields,
  model_name: Type.String(),
  endpoint_name: Type.String(),
  cloud_credentials: Type.Object({
    region: Type.String(),
    access_key_id: Type.Optional(Type.String()),
    role_arn: Type.Optional(Type.String()),
  }),
  input_feature_map: JsonText(Texts),
  output_prediction_map: JsonText(Texts),
  openapi_spec: Type.Optional(JsonText(AnyObject)),
  batch_size: Type.Number(),
  acl: StoredAcl,
  last_test: StoredTest,
});
