import { clientOf } from './httpClient.ts';
import { KEYED, type LlmProvider } from './provider.ts';

export const anthropic: LlmProvider = {
  ...KEYED,
  displayName: 'Assistant Family (Anthropic)',
  defaultEndpoint: 'https://api.anthropic.com',
  ownHeaders: /^(x-api-key|anthropic-version)$/i,
  beyondBase: /\/v1(?:\/(?:messages|models|complete)(?:\/.*|$)|$)/s,
  client: clientOf(async () => (await import('./dialects/anthropic.ts')).anthropicDialect),
};
