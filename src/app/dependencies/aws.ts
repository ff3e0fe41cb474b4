import type { AwsOptions } from '../../adapters/aws/session.ts';
import type { CloudEndpoints } from '../../ports/cloud/cloudEndpoints.ts';
import type { CloudKnowledgeBases } from '../../ports/cloud/cloudKnowledgeBases.ts';
import type { CloudModels } from '../../ports/cloud/cloudModels.ts';
import { lazy } from '../lazy.ts';
import { outboundPolicy, type SiteSettings } from './outboundPolicy.ts';

/** Reads `[aws]`, `[outbound]` and the driver's environment. */
export async function awsOptions(settings: SiteSettings): Promise<AwsOptions> {
  const [stanzas, policy] = await Promise.all([settings.recent(), outboundPolicy(settings)]);
  return { conf: stanzas.aws ?? {}, env: process.env, policy };
}

export const knowledgeBases = (settings: SiteSettings) =>
  lazy<CloudKnowledgeBases>(async () =>
    (await import('../../adapters/aws/knowledgeBases.ts')).awsKnowledgeBases(await awsOptions(settings)),
  );

export const modelEndpoints = (settings: SiteSettings) =>
  lazy<CloudEndpoints>(async () =>
    (await import('../../adapters/aws/modelEndpoints.ts')).awsModelEndpoints(await awsOptions(settings)),
  );

export const foundationModels = (settings: SiteSettings) =>
  lazy<CloudModels>(async () => (await import('../../adapters/aws/models.ts')).awsModels(await awsOptions(settings)));
