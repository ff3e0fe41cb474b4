import { LIMITS, PROVIDER_NAMES, type Provider } from './names.ts';
import { MAX_MODELS } from './providers/httpClient.ts';
import { SETTING_FIELDS, type SettingField } from './providers/provider.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import type { LlmCatalogue } from './schemas.ts';

type Field = LlmCatalogue['services'][Provider]['fields'][string];
type Shape = Omit<Field, 'required' | 'default' | 'secret'> & Partial<Pick<Field, 'default' | 'secret'>>;

const { request_timeout, max_tokens, response_variability } = LIMITS;

/** How a form shows each field. */
const FIELDS: Readonly<Record<SettingField, Shape>> = {
  endpoint: { label: 'Endpoint', type: 'string', description: 'Base address of the provider, http or https' },
  access_token: {
    label: 'Access token',
    type: 'string',
    secret: true,
    description: 'API key; kept in the secret store',
  },
  request_timeout: {
    label: 'Request timeout',
    type: 'integer',
    ...request_timeout,
    description: 'Seconds that one action may take, with all its retries',
  },
  enterprise_api_version: {
    label: 'API version',
    type: 'string',
    description: 'YYYY-MM-DD or YYYY-MM-DD-preview with deployments in the path, or v1',
  },
  region: { label: 'Region', type: 'string', description: 'Cloud region, such as us-east-1' },
  cloud_access_key_id: {
    label: 'Access key id',
    type: 'string',
    description: "Together with the secret access key; without both the role of the platform's own machine is used",
  },
  cloud_access_token: {
    label: 'Secret access key',
    type: 'string',
    secret: true,
    description: 'Belongs to the access key id; kept in the secret store',
  },
  role_arn: { label: 'Role', type: 'string', description: 'ARN of a role to assume before the call' },
  verify_tls: {
    label: 'Verify certificate',
    type: 'boolean',
    default: true,
    description: "Whether the provider's certificate has to be trusted",
  },
  ca_certificate: {
    label: 'CA certificate',
    type: 'text',
    description: 'PEM certificates that are trusted for this provider in place of the usual ones',
  },
};

const MODEL_FIELDS: Readonly<Record<string, Field>> = {
  max_tokens: {
    label: 'Maximum tokens',
    type: 'integer',
    required: false,
    secret: false,
    default: null,
    ...max_tokens,
    description: 'Longest answer, in tokens',
  },
  response_variability: {
    label: 'Response variability',
    type: 'number',
    required: false,
    secret: false,
    default: null,
    ...response_variability,
    description: 'Temperature: 0 is the most predictable',
  },
};

/** Field by field what a form needs, and the model ids that are known without asking anybody. */
export function catalogue(
  listed: ReadonlyMap<string, ReadonlySet<string>>,
  configured: ReadonlyMap<string, ReadonlySet<string>>,
  hostedEndpoint: string | undefined,
): LlmCatalogue {
  const services = PROVIDER_NAMES.map((service) => {
    const fromProvider = [...(listed.get(service) ?? [])].slice(0, MAX_MODELS);
    const own = [...(configured.get(service) ?? [])].filter((id) => !listed.get(service)?.has(id)).sort();
    const { displayName, defaultEndpoint } = LLM_PROVIDERS[service];
    const usual = service === 'Platform_Hosted_Models' ? (hostedEndpoint ?? null) : defaultEndpoint;
    return [
      service,
      {
        display_name: displayName,
        default_endpoint: usual,
        fields: fieldsOf(service, usual),
        model_fields: MODEL_FIELDS,
        models: [
          ...fromProvider.map((id) => ({ id, source: 'provider' as const })),
          ...own.slice(0, MAX_MODELS).map((id) => ({ id, source: 'configured' as const })),
        ],
        supports: { list_models: true },
      },
    ] as const;
  });
  return { services: Object.fromEntries(services) as LlmCatalogue['services'], limits: LIMITS };
}

function fieldsOf(service: Provider, endpoint: string | null): Record<string, Field> {
  const { fields } = LLM_PROVIDERS[service];
  const shown = SETTING_FIELDS.filter((name) => name in fields).map((name) => {
    const shape = FIELDS[name];
    const usual = name === 'endpoint' ? endpoint : (shape.default ?? null);
    return [name, { ...shape, required: fields[name] === 'needed', secret: shape.secret ?? false, default: usual }];
  });
  return Object.fromEntries(shown);
}
