import { OutboundError } from '../../../contract/codes/outbound.ts';
import { hostBinding, staysBound } from '../../../domain/net/url.ts';
import type { HostedSite, LlmDependencies } from '../../../ports/llm/llmDependencies.ts';
import { listedFirst } from './listedFirst.ts';
import { openAiClient } from './openai.ts';
import { BEYOND_OPENAI_BASE, KEYED, type LlmClient, type LlmProvider, type Target } from './provider.ts';

/**
 * Models hosted by the site, in OpenAI's dialect. Address and token are the administrator's
 * (`ml_extension.conf [cloud_services:PLATFORM_HOSTED_MODELS]` and the password storage), or the configuration's own.
 */
export const hosted: LlmProvider = {
  ...KEYED,
  displayName: 'Platform Hosted Models',
  defaultEndpoint: null,
  beyondBase: BEYOND_OPENAI_BASE,
  fields: { ...KEYED.fields, endpoint: 'optional', access_token: 'optional' },
  siteEndpoint: (deps) => deps.hostedEndpoint(),
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
    };
  },
  testChat: listedFirst({ mayLack: true }),
};

async function open(target: Target, deps: LlmDependencies): Promise<LlmClient> {
  const site = resolveHosted(target.settings, await deps.hostedSite());
  const hidden = [...target.hidden, site.access_token];
  return openAiClient({ settings: { ...target.settings, ...site }, hidden }, deps);
}

/** The site's token goes to the site's host alone, and a configuration's own token only to its own endpoint. */
function resolveHosted(settings: Target['settings'], site: HostedSite): { endpoint: string; access_token: string } {
  const needs = (what: string) => new OutboundError('configuration_invalid', `Platform_Hosted_Models needs ${what}`);
  const accessToken = settings.access_token;
  const endpoint = settings.endpoint ?? (accessToken === undefined ? site.endpoint : undefined);
  if (endpoint === undefined) {
    throw needs(
      accessToken === undefined
        ? 'servicesettings.endpoint.value, or endpoint_url in ml_extension.conf [cloud_services:PLATFORM_HOSTED_MODELS]'
        : 'servicesettings.endpoint.value along with a token of its own',
    );
  }
  const isSite = site.endpoint !== undefined && staysBound(hostBinding(site.endpoint), hostBinding(endpoint));
  if (accessToken === undefined && isSite && isLoosened(settings, endpoint)) {
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

/** The author of a configuration must not weaken the verification of the host that gets the administrator's token. */
const isLoosened = ({ verify_tls, ca_certificate }: Target['settings'], endpoint: string): boolean =>
  endpoint.startsWith('https:') && (!verify_tls || ca_certificate !== undefined);
