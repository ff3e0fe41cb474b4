import { awsAccess, pairProblems } from '../../../domain/net/awsKeys.ts';
import type { CloudAccess } from '../../../ports/cloud/cloudAccess.ts';
import { fieldName } from '../settings.ts';
import { KEYED, type LlmProvider, type Target } from './provider.ts';

const { access_token: _, ...WITHOUT_TOKEN } = KEYED.fields;

/** Amazon Bedrock through the official clients, which handle signatures, roles and regions. */
export const bedrock: LlmProvider = {
  displayName: 'Cloud Model Hub (Amazon Bedrock)',
  defaultEndpoint: null,
  beyondBase: /\/(?:model|foundation-models|inference-profiles)(?:\/.*|$)/s,
  fields: {
    ...WITHOUT_TOKEN,
    region: 'required',
    cloud_access_key_id: 'optional',
    cloud_access_token: 'optional',
    role_arn: 'optional',
    endpoint: 'optional',
  },
  requiredToStore: ['region'],
  // Another region is another host, and another role gives the key's rights to another account.
  addressFields: ['endpoint', 'region', 'role_arn'],
  ownHeaders: /^(authorization|x-amz-.*)$/i,
  problems: (has) =>
    pairProblems(has('cloud_access_key_id'), has('cloud_access_token'), {
      id: fieldName('cloud_access_key_id'),
      secret: fieldName('cloud_access_token'),
    }),
  client: (target, { cloud }) => {
    const load = async () =>
      (await import('./dialects/bedrock.ts')).bedrockClient(accessOf(target), cloud, target.hidden);
    return {
      chat: async (...asked) => (await load()).chat(...asked),
      embed: async (...asked) => (await load()).embed(...asked),
      list: async (...asked) => (await load()).list(...asked),
    };
  },
};

function accessOf({ settings, hidden, bearer }: Target): CloudAccess {
  const { region = '', cloud_access_key_id: accessKeyId, cloud_access_token: secret, role_arn: roleArn } = settings;
  return {
    ...awsAccess({ region, accessKeyId, roleArn }, secret, hidden),
    endpoint: settings.endpoint,
    verifyTls: settings.verify_tls,
    caCertificate: settings.ca_certificate,
    headers: settings.headers,
    bearer,
    // A test reports throttling instead of retrying.
    attempts: 1,
  };
}
