import { clientOf } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, KEYED, type LlmProvider } from './provider.ts';

/** A server of OpenAI's dialect, however it is reached. */
export const openAiClient = clientOf(async () => (await import('./dialects/openAi.ts')).openAiDialect);

/** OpenAI and compatible servers. */
export const openai: LlmProvider = {
  ...KEYED,
  displayName: 'General Chat (OpenAI)',
  defaultEndpoint: 'https://api.openai.com/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  // A server of one's own may need no key.
  fields: { ...KEYED.fields, access_token: 'at_default' },
  client: openAiClient,
};
