import type { WithAcl } from '../../domain/access/acl.ts';
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
