import { clientOf } from './httpClient.ts';
import { KEYED, type LlmProvider } from './provider.ts';

export const azure: LlmProvider = {
  ...KEYED,
  displayName: 'Enterprise Cloud Chat (Azure OpenAI)',
  defaultEndpoint: null,
  beyondBase: /\/openai(?:\/.*|$)/s,
  fields: { ...KEYED.fields, enterprise_api_version: 'required' },
  requiredToStore: ['endpoint'],
  ownHeaders: /^(authorization|api-key)$/i,
  client: clientOf(async () => (await import('./dialects/azure.ts')).azureDialect),
};
