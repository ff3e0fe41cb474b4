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

/** Fields of a record that calls AWS; families name them as their interface does. */
export const AwsRegion = (description: string) =>
  Type.String({ maxLength: 40, pattern: REGION_PATTERN, description, 'x-trim': true, 'x-message': REGION_MESSAGE });

/** The empty text unsets, as null does. */
const clearableText = (pattern: string, description: string, message: string) =>
  Type.Optional(
    Clearable(
      Type.String({ maxLength: 1024, pattern: orEmpty(pattern), description, 'x-trim': true, 'x-message': message }),
    ),
  );

export const AwsAccessKeyId = clearableText(
  ACCESS_KEY_ID_PATTERN,
  "AWS access key id; without it and its secret key, the credentials of the instance are used. null or '' unsets it.",
  ACCESS_KEY_ID_MESSAGE,
);

export const AwsSecretKey = Type.Optional(
  Secret({ description: 'Secret access key that belongs to the access key id', maxLength: 1024 }),
);

export const AwsRoleArn = clearableText(
  ROLE_ARN_PATTERN,
  "ARN of an IAM role that is assumed before the call; null or '' unsets it",
  ROLE_ARN_MESSAGE,
);

/** What a read shows of them. */
export const AwsKeyIdView = Type.String({ description: 'AWS access key id, if one is stored; it is no secret' });
export const AwsRoleArnView = Type.String({
  description: 'ARN of the IAM role that is assumed before the call, if any',
});
