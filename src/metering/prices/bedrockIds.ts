/** Start of ARNs of foundation models and cross-region profiles, before the id. */
const ARN = /^arn:[^/]*:(?:foundation-model|inference-profile)\//;
const REGION = /^(?:us-gov|us|eu|apac|jp|au|in|ca|global)\./;

/** `arn:aws:bedrock:…:inference-profile/eu.x` -> `eu.x` */
export const withoutArn = (model: string): string => model.replace(ARN, '');
/** `eu.x` -> `x` */
export const withoutRegion = (id: string): string => id.replace(REGION, '');
