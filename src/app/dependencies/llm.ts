import { setting } from '../../contract/settings/settings.ts';
import { withoutTrailingSlashes } from '../../domain/net/url.ts';
import type { Http } from '../../ports/llm/http.ts';
import type { HostedSite, LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import type { PlatformTenant } from '../../ports/llm/platformTenant.ts';
import type { ClientTokenIssuer } from '../../ports/oauth/oauthTokenClient.ts';
import type { Settings, SiteCredentials, Stanzas } from '../../ports/stores/settings.ts';
import { lazy } from '../lazy.ts';
import { foundationModels } from './aws.ts';
import { outboundPolicy, type SiteSettings } from './outboundPolicy.ts';

/** LLM providers: HTTP under the outbound policy, AWS through its SDK. */
export function llmDependencies(
  settings: SiteSettings,
  credentials: SiteCredentials,
  tenant: PlatformTenant,
): LlmDependencies {
  const outbound = async () =>
    (await import('../../adapters/outbound/outbound.ts')).createOutbound(await outboundPolicy(settings));
  return {
    tenant,
    http: lazy<Http>(outbound),
    tokens: lazy<ClientTokenIssuer>(async () => {
      const { createOAuthTokenClient } = await import('../../adapters/oauth/oauthTokenClient.ts');
      return createOAuthTokenClient(await outbound());
    }),
    cloud: foundationModels(settings),
    hostedEndpoint: () => hostedEndpoint(settings),
    async hostedSite(): Promise<HostedSite> {
      const endpoint = await hostedEndpoint(settings);
      // The token is only sent to the configured URL.
      return endpoint ? { endpoint, token: (await credentials.read(HOSTED_MODELS))?.access_token } : {};
    },
  };
}

const HOSTED_MODELS = 'PLATFORM_HOSTED_MODELS';

async function hostedEndpoint(settings: Settings): Promise<string | undefined> {
  const addressIn = (stanzas: Stanzas) => setting(stanzas, `cloud_services:${HOSTED_MODELS}`, 'endpoint_url');
  // Nothing is refused for want of a setting that was just made.
  const address = addressIn(await settings.recent()) ?? addressIn(await settings.read());
  return address === undefined ? undefined : withoutTrailingSlashes(address) || undefined;
}
