import { clientOf } from './httpClient.ts';
import { KEYED, type LlmProvider } from './provider.ts';

export const gemini: LlmProvider = {
  ...KEYED,
  displayName: 'Search Vendor Models (Gemini)',
  defaultEndpoint: 'https://generativelanguage.googleapis.com',
  ownHeaders: /^x-goog-api-key$/i,
  beyondBase: /\/v1(?:alpha|beta\d?)?(?:\/.*|$)/s,
  client: clientOf(async () => (await import('./dialects/gemini.ts')).geminiDialect),
};
