import { PROVIDER_NAMES, type Provider } from '../../contract/families/llmProviders.ts';
import type { LlmDependencies } from '../../ports/llm/llmDependencies.ts';
import type { CatalogueField, LlmCatalogue } from './catalogueSchemas.ts';
import type { SecretPaths } from './credentials/credentials.ts';
import { LIMITS } from './names.ts';
import { MAX_MODELS } from './providers/provider.ts';
import { LLM_PROVIDERS } from './providers/registry.ts';
import { FIELD_NAMES, MODEL_FIELDS, SETTING_FIELDS } from './settingFields.ts';
import { secretPath } from './settings.ts';

/** Model ids by the provider's name. */
type ModelIds = ReadonlyMap<string, ReadonlySet<string>>;
type Entry = LlmCatalogue['services'][Provider];

/** Fields for a form, and model ids that are known without a call to a provider. */
export async function catalogue(
  providerModels: ModelIds,
  configured: ModelIds,
  deps: LlmDependencies,
  marked: SecretPaths,
): Promise<LlmCatalogue> {
  const entry = async (provider: Provider): Promise<[Provider, Entry]> => {
    const { displayName, defaultEndpoint, siteEndpoint, hosting: askHosting } = LLM_PROVIDERS[provider];
    const hosting = await askHosting?.({}, deps);
    const endpoint = (await siteEndpoint?.(deps)) ?? defaultEndpoint;
    const fromProvider = [...(providerModels.get(provider) ?? [])].slice(0, MAX_MODELS);
    const configuredOnly = [...(configured.get(provider) ?? [])]
      .filter((id) => !providerModels.get(provider)?.has(id))
      .sort();
    return [
      provider,
      {
        display_name: displayName,
        default_endpoint: endpoint,
        ...(hosting === undefined ? {} : { hosting }),
        fields: fieldsOf(provider, endpoint, marked),
        model_fields: MODEL_FIELDS,
        models: [
          ...fromProvider.map((id) => ({ id, source: 'provider' as const })),
          ...configuredOnly.slice(0, MAX_MODELS).map((id) => ({ id, source: 'configured' as const })),
        ],
        supports: { list_models: true },
      },
    ];
  };
  const services = Object.fromEntries(await Promise.all(PROVIDER_NAMES.map(entry)));
  return { services: services as LlmCatalogue['services'], limits: LIMITS };
}

function fieldsOf(provider: Provider, endpoint: string | null, marked: SecretPaths): Record<string, CatalogueField> {
  const { fields } = LLM_PROVIDERS[provider];
  const described = FIELD_NAMES.filter((name) => name in fields).map((name): [string, CatalogueField] => {
    const { problem: _, ...shape } = SETTING_FIELDS[name];
    const secret = marked.some((path) => [secretPath(name), `${secretPath(name)}/*`].includes(path));
    const usual = name === 'endpoint' ? endpoint : (shape.default ?? null);
    const required = fields[name] !== 'optional';
    const limit = fields[name] === 'at_default' && endpoint !== null ? { required_at: endpoint } : {};
    const other = required && name === 'access_token' ? { required_without: 'oauth' } : {};
    return [name, { ...shape, required, ...limit, ...other, secret, default: usual }];
  });
  return Object.fromEntries(described);
}
