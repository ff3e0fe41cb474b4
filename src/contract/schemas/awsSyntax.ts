/**
 * A region of any partition: `us-east-1`, `us-gov-west-1`, `cn-north-1`, `eusc-de-east-1`, `us-isob-east-1`.
 * Strict, since it becomes a part of a host name.
 */
export const REGION_PATTERN = '^[a-z]{2,5}(-[a-z]{2,12}){1,2}-[1-9][0-9]?$';
export const REGION_MESSAGE = 'must be an AWS region, such as us-east-1';

export const ROLE_ARN_PATTERN = '^arn:aws(-[a-z]+)*:iam::[0-9]{12}:role/[A-Za-z0-9_+=,.@/-]{1,576}$';
export const ROLE_ARN_MESSAGE = 'must be the ARN of an IAM role, such as arn:aws:iam::123456789012:role/name';

/** The key id becomes part of a header, separated by slashes. */
export const ACCESS_KEY_ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';
export const ACCESS_KEY_ID_MESSAGE = 'must be an AWS access key id: letters and digits';
