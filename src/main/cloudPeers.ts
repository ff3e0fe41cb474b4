import type { AwsOptions } from '../adapters/aws/session.ts';
import type { CloudEndpoints } from '../ports/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../ports/cloudKnowledgeBases.ts';
import type { CloudModels } from '../ports/cloudModels.ts';
import { outboundPolicy, type SiteSettings } from './peers.ts';

export interface CloudPeers {
  knowledgeBases: CloudKnowledgeBases;
  endpoints: CloudEndpoints;
  models: CloudModels;
}

/** `[aws]` and `[outbound]` as they are now; the variables are the driver's own environment. */
export async function awsOptions(settings: SiteSettings): Promise<AwsOptions> {
  const [stanzas, policy] = await Promise.all([settings.read(), outboundPolicy(settings)]);
  return { conf: stanzas.aws ?? {}, env: process.env, policy };
}

/** AWS. Its clients are loaded at the first call, not before. */
export function cloudPeers(settings: SiteSettings): CloudPeers {
  const options = () => awsOptions(settings);
  const knowledgeBases = async () =>
    (await import('../adapters/aws/knowledgeBases.ts')).awsKnowledgeBases(await options());
  const endpoints = async () => (await import('../adapters/aws/modelEndpoints.ts')).awsModelEndpoints(await options());
  const models = async () => (await import('../adapters/aws/models.ts')).awsModels(await options());
  return {
    knowledgeBases: { visit: async (...args) => (await knowledgeBases()).visit(...args) },
    endpoints: { describe: async (...args) => (await endpoints()).describe(...args) },
    models: {
      list: async (...args) => (await models()).list(...args),
      chat: async (...args) => (await models()).chat(...args),
    },
  };
}
