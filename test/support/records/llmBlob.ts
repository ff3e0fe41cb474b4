import type { Provider } from '../../../src/contract/families/llmProviders.ts';
import { LLM_PROVIDERS } from '../../../src/families/llm-providers/providers/registry.ts';
import { MODEL } from '../peers/llm.ts';

export const KEY = 'sk-canary-7b1f0c9d55e2a8';
export const AWS_SECRET = 'canary/aws+secret9d55e2a8XXXXXXXXXXXXXXX';

/** The path that stands behind the host in each provider's own base address. */
const baseOf = (service: Provider): string => {
  const { defaultEndpoint } = LLM_PROVIDERS[service];
  return defaultEndpoint === null ? '' : new URL(defaultEndpoint).pathname.replace(/\/$/, '');
};

const value = (item: unknown) => ({ value: item });

/** A whole configuration of a service, aimed at a scripted provider. */
export function blobOf(service: Provider, url: string, more: Record<string, unknown> = {}) {
  const keys =
    service === 'Cloud_Model_Hub'
      ? {
          region: value('us-east-1'),
          cloud_access_key_id: value('AKIAIOSFODNN7EXAMPLE'),
          cloud_access_token: value(AWS_SECRET),
        }
      : { access_token: value(KEY) };
  const version = service === 'Enterprise_Cloud_Chat' ? { enterprise_api_version: value('2024-10-21') } : {};
  return {
    service,
    connection_name: `to ${service}`,
    model: MODEL[service],
    servicesettings: {
      endpoint: { value: `${url}${baseOf(service)}`, label: 'Endpoint' },
      ...keys,
      ...version,
      request_timeout: value(20),
      ...more,
    },
    modelsettings: { max_tokens: value(100), response_variability: value(0.5) },
  };
}
