import { Type } from 'typebox';
import {
  ACCESS_KEY_ID_MESSAGE,
  ACCESS_KEY_ID_PATTERN,
  REGION_MESSAGE,
  REGION_PATTERN,
  ROLE_ARN_MESSAGE,
  ROLE_ARN_PATTERN,
} from './aws.ts';
import { Clearable, Secret } from './common.ts';

/** Fields of a record that calls AWS; families name them as their interface does. */
export const AwsRegion = (description: string) =>
  Type.String({ maxLength: 40, pattern: REGION_PATTERN, description, 'x-trim': true, 'x-message': REGION_MESSAGE });

/** The empty text unsets, as null does. */
const clearableText = (pattern: string, description: string, message: string) =>
  Type.Optional(
    Clearable(
      Type.String({ maxLength: 1024, pattern: `^$|${pattern}`, description, 'x-trim': true, 'x-message': message }),
    ),
  );

export const AwsAccessKeyId = clearableText(
  ACCESS_KEY_ID_PATTERN,
  'Access key id; without both keys the credentials of the instance are used',
  ACCESS_KEY_ID_MESSAGE,
);

export const AwsSecretKey = Type.Optional(Secret({ description: 'Secret access key', maxLength: 1024 }));

export const AwsRoleArn = clearableText(ROLE_ARN_PATTERN, 'Role to assume first', ROLE_ARN_MESSAGE);
