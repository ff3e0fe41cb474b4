import type { WithAcl } from '../../domain/access/acl.ts';
import * as is from '../../domain/records/shape.ts';
import { ACL, type CollectionShape, LAST_TEST, SEALED, type ShapeOf } from '../../domain/records/shape.ts';
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
  model_name: is.text,
  endpoint_name: is.text,
  cloud_credentials: is.fields<RegisteredModel['cloud_credentials']>({
    region: is.text,
    access_key_id: is.optional(is.text),
    role_arn: is.optional(is.text),
  }),
  input_feature_map: is.jsonOf(is.recordOf(is.text)),
  output_prediction_map: is.jsonOf(is.recordOf(is.text)),
  openapi_spec: is.optional(is.jsonOf(is.object)),
  batch_size: is.number,
  acl: ACL,
  last_test: LAST_TEST,
};

export const registrationShapes: Record<string, CollectionShape> = {
  [REGISTERED_MODELS]: { family: 'model-registrations', shape: model },
};
