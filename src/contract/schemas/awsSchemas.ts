import { Type } from 'typebox';
import {
  ACCESS_KEY_ID_MESSAGE,
  ACCESS_KEY_ID_PATTERN,
  REGION_MESSAGE,
  REGION_PATTERN,
  ROLE_ARN_MESSAGE,
  ROLE_ARN_PATTERN,
} from './awsSyntax.ts';
import { Clearable, orEmpty, Secret } from './common.ts';

export const AwsRegion = (description: string) =>
  Type.String({ maxLength: 40, pattern: REGION_PATTERN, description, 'x-trim': true, 'x-message': REGION_MESSAGE });

const clearableText = (pattern: string, description: string, message: string) =>
  Type.Optional(
    Clearable(
      Type.String({ maxLength: 1024, pattern: orEmpty(pattern), description, 'x-trim': true, 'x-message': message }),
    ),
  );

export const AwsAccessKeyId = clearableText(
  ACCESS_KEY_ID_PATTERN,
  "AWS access key id; default: the credentials of the instance. null or '' unsets it.",
  ACCESS_KEY_ID_MESSAGE,
);

export const AwsSecretKey = Type.Optional(Secret({ description: 'AWS secret access key', maxLength: 1024 }));

export const AwsRoleArn = clearableText(
  ROLE_ARN_PATTERN,
  "ARN of an IAM role to assume; null or '' unsets it",
  ROLE_ARN_MESSAGE,
);

export const AwsKeyIdView = Type.String({ description: 'AWS access key id, if set' });
export const AwsRoleArnView = Type.String({
  description: 'ARN of the IAM role to assume, if set',
});
