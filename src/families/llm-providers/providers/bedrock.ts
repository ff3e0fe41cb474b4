import { awsAccess } from '../../../domain/awsKeys.ts';
import type { CloudAccess } from '../../../ports/cloudAccess.ts';
import { COMMON_FIELDS, type LlmProvider, PROBE, type Target } from './provider.ts';

/** Amazon Bedrock, through the official clients: signatures, roles and regions are their business. */
export const bedrock: LlmProvider = {
  displayName: 'Cloud Model Hub (Amazon Bedrock)',
  defaultEndpoint: null,
  beyondBase: /\/(?:model|foundation-models|inference-profiles)(?:\/.*|$)/s,
  fields: {
    ...COMMON_FIELDS,
    region: 'needed',
    cloud_access_key_id: 'optional',
    cloud_access_token: 'optional',
    role_arn: 'optional',
    endpoint: 'optional',
  },
  storedWith: ['region'],
  client: (target, { cloud }) => ({
    async chat(model, deadline) {
      const { httpStatus, text } = await cloud.chat(accessOf(target), { model, ...PROBE }, deadline);
      return { status: httpStatus, text };
    },
    async list(deadline) {
      return { status: 200, ids: await cloud.list(accessOf(target), deadline) };
    },
  }),
};

export function accessOf({ settings, cloudAccessToken }: Target): CloudAccess {
  const { region = '', cloud_access_key_id: accessKeyId, role_arn: roleArn, endpoint } = settings;
  return {
    ...awsAccess({ region, accessKeyId, roleArn }, cloudAccessToken),
    endpoint,
    verifyTls: settings.verify_tls,
    caCertificate: settings.ca_certificate,
    // A test tells what happened: a throttle is an answer, not something to wait out.
    attempts: 1,
  };
}
