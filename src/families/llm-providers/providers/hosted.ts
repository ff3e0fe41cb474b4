import { OutboundError } from '../../../contract/codes/outbound.ts';
import { hostBinding, staysBound } from '../../../domain/net/url.ts';
import type { HostedSite, LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import { listedFirst } from './listedFirst.ts';
import { openAiClient } from './openai.ts';
import { BEYOND_OPENAI_BASE, KEYED, type LlmClient, type LlmProvider, type Target, testChat } from './provider.ts';

/**
 * Models hosted by the site, in OpenAI's dialect, or by Splunk. An endpoint of the configuration comes first, then the administrator's
 * (`ml_extension.conf [cloud_services:PLATFORM_HOSTED_MODELS]`, its token in the password storage), then the platform's tenant.
 */
export const hosted: LlmProvider = {
  ...KEYED,
  displayName: 'Platform Hosted Models',
  defaultEndpoint: null,
  beyondBase: BEYOND_OPENAI_BASE,
  ownHeaders: /^(authorization|request_id)$/i,
  fields: { ...KEYED.fields, endpoint: 'optional', access_token: 'optional' },
  siteEndpoint: (deps) => deps.hostedEndpoint(),
  async hosting(settings, deps) {
    const isOwn = settings.endpoint !== undefined || hasSecrets(settings);
    if (isOwn || (await deps.hostedEndpoint()) !== undefined) return 'Endpoint of this site';
    // The call itself says what keeps the platform from telling its tenant.
    const tenant = await deps.tenant.find().catch(() => undefined);
    return tenant && `Hosted by Splunk (tenant ${tenant.tenant})`;
  },
  client(target, deps) {
    let client: Promise<LlmClient> | undefined;
    const opened = () => {
      client ??= open(target, deps);
      return client;
    };
    return {
      chat: async (...asked) => (await opened()).chat(...asked),
      embed: async (...asked) => (await opened()).embed(...asked),
      list: async (deadline) => (await opened()).list(deadline),
      test: async (...asked) => testChat(await opened(), ...asked),
    };
  },
};

/** Secrets of the configuration's own go to its own endpoint alone. */
const hasSecrets = ({ access_token, headers, oauth }: Pick<Target['settings'], 'access_token' | 'headers' | 'oauth'>) =>
  access_token !== undefined || headers !== undefined || oauth !== undefined;

const needs = (what: string) => new OutboundError('configuration_invalid', `Platform_Hosted_Models needs ${what}`);

async function open(target: Target, deps: LlmDependencies): Promise<LlmClient> {
  const { settings } = target;
  const site = await deps.hostedSite();
  const isWithoutSite = settings.endpoint === undefined && site.endpoint === undefined;
  const tenant = isWithoutSite && !hasSecrets(settings) ? await deps.tenant.find() : undefined;
  if (tenant) {
    if (isLoosened(settings)) {
      throw needs(
        "verify_tls on and no ca_certificate where Splunk hosts the models: the platform's token is not sent otherwise",
      );
    }
    return (await import('./dialects/hostedBySplunk.ts')).tenantClient(target, deps, tenant);
  }
  const own = resolveHosted(target, site);
  const hidden = [...target.hidden, ...(own.access_token === undefined ? [] : [own.access_token])];
  return listedFirst(openAiClient({ ...target, settings: { ...settings, ...own }, hidden }, deps), { mayLack: true });
}

/** The site's token goes to the site's host alone, and a configuration's own token only to its own endpoint. */
function resolveHosted(
  { settings, bearer }: Target,
  site: HostedSite,
): { endpoint: string; access_token: string | undefined } {
  const accessToken = settings.access_token;
  const endpoint = settings.endpoint ?? (hasSecrets(settings) ? undefined : site.endpoint);
  if (endpoint === undefined) {
    throw needs(
      hasSecrets(settings)
        ? 'servicesettings.endpoint.value along with a token, headers or OAuth credentials of its own'
        : 'servicesettings.endpoint.value, or endpoint_url in ml_extension.conf [cloud_services:PLATFORM_HOSTED_MODELS]; the platform has no tenant for which Splunk hosts models',
    );
  }
  if (bearer !== undefined) return { endpoint, access_token: undefined };
  const isSite = site.endpoint !== undefined && staysBound(hostBinding(site.endpoint), hostBinding(endpoint));
  if (accessToken === undefined && isSite && endpoint.startsWith('https:') && isLoosened(settings)) {
    throw needs(
      "servicesettings.access_token.value: the platform's token is not sent with verify_tls off or a ca_certificate of its own",
    );
  }
  const token = accessToken ?? (isSite ? site.token : undefined);
  if (token === undefined)
    throw needs(
      "servicesettings.access_token.value, or the platform's token and an endpoint on the platform's own host",
    );
  return { endpoint, access_token: token };
}

/** The author of a configuration must not weaken the verification of the host that gets the administrator's or the tenant's token. */
const isLoosened = ({ verify_tls, ca_certificate }: Target['settings']): boolean =>
  !verify_tls || ca_certificate !== undefined;
