import { Type } from 'typebox';
import {
  AwsAccessKeyId,
  AwsKeyIdView,
  AwsRegion,
  AwsRoleArn,
  AwsRoleArnView,
  AwsSecretKey,
} from '../../../contract/schemas/awsSchemas.ts';
import { Masked } from '../../../contract/schemas/common.ts';
import type { Fields } from '../../../resources/record/define.ts';
import { optional, required, secret } from '../../../resources/record/fields.ts';
import type { StoreType } from '../names.ts';

const REGION = 'AWS region of the knowledge base';

/** The fields of `details` by the kind of store. */
export const STORE_DETAILS = {
  CLOUD_KB: {
    cloud_region: required(AwsRegion(REGION), { view: Type.String({ description: REGION }) }),
    kb_id: required(
      Type.String({
        maxLength: 10,
        pattern: '^[0-9A-Za-z]{10}$',
        description: 'Id of the knowledge base: 10 letters or digits',
        'x-trim': true,
        'x-message': 'must be 10 letters or digits',
      }),
      { view: Type.String({ description: 'Id of the knowledge base' }) },
    ),
    cloud_access_key_id: optional(AwsAccessKeyId, { view: AwsKeyIdView }),
    cloud_access_key_token: secret(AwsSecretKey, Masked('Secret access key')),
    role_arn: optional(AwsRoleArn, { view: AwsRoleArnView }),
  },
} as const satisfies Readonly<Record<StoreType, Fields>>;
