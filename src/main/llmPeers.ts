import { withoutTrailingSlashes } from '../domain/url.ts';
import type { HostedSite, LlmPeers } from '../families/llm-providers/services/service.ts';
import type { Settings } from '../ports/settings.ts';
import type { SiteCredentials } from '../ports/siteCredentials.ts';
import { cloudPeers } from './cloudPeers.ts';
import { outboundPolicy, type SiteSettings } from './peers.ts';

/** Providers of language models: HTTP under the outbound policy, the cloud's through its official clients. */
export function llmPeers(settings: SiteSettings, credentials: SiteCredentials): LlmPeers {
  return {
    http: {
      request: async (call) => {
        const { createOutbound } = await import('../adapters/outbound/outbound.ts');
        return createOutbound(await outboundPolicy(settings)).request(call);
      },
    },
    cloud: cloudPeers(settings).models,
    hostedEndpoint: () => hostedEndpoint(settings),
    async hostedSite(): Promise<HostedSite> {
      const endpoint = await hostedEndpoint(settings);
      // Without an address of its own the site's token would have nowhere to go.
      return endpoint ? { endpoint, token: (await credentials.read(HOSTED_MODELS))?.access_token } : {};
    },
  };
}

const HOSTED_MODELS = 'PLATFORM_HOSTED_MODELS';

async function hostedEndpoint(settings: Settings): Promise<string | undefined> {
  const address = (await settings.read())[`cloud_services:${HOSTED_MODELS}`]?.endpoint_url?.trim();
  return (address && withoutTrailingSlashes(address)) || undefined;
}
