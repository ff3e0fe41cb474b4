import type { WithAcl } from '../../domain/access/acl.ts';
import {
  ACL,
  type CollectionShape,
  fields,
  jsonOf,
  LAST_TEST,
  number,
  object,
  optional,
  recordOf,
  SEALED,
  type ShapeOf,
  text,
} from '../../domain/records/shape.ts';
import type { Resource } from '../../resources/records.ts';

export const REGISTERED_MODELS = 'ml_registered_models';

export interface RegisteredModel extends Resource, WithAcl {
  model_name: string;
  endpoint_name: string;
  cloud_credentials: { region: string; access_key_id?: string; role_arn?: string };
  /** JSON text, since the store accepts no keys with `$` or dots. */
  input_feature_map: string;
  output_prediction_map: string;
  openapi_spec?: string | undefined;
  batch_size: number;
}

export type StringMap = Record<string, string>;
export const mapOf = (text: string): StringMap => JSON.parse(text) as StringMap;

const model: ShapeOf<RegisteredModel> = {
  ...SEALED,
  model_name: text,
  endpoint_name: text,
  cloud_credentials: fields<RegisteredModel['cloud_credentials']>({
    region: text,
    access_key_id: optional(text),
    role_arn: optional(text),
  }),
  input_feature_map: jsonOf(recordOf(text)),
  output_prediction_map: jsonOf(recordOf(text)),
  openapi_spec: optional(jsonOf(object)),
  batch_size: number,
  acl: ACL,
  last_test: LAST_TEST,
};

export const registrationShapes: Record<string, CollectionShape> = {
  [REGISTERED_MODELS]: { family: 'model-registrations', shape: model },
};
