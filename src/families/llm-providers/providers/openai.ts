import { clientOf } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, openAiDialect } from './openAiDialect.ts';
import { KEYED, type LlmProvider } from './provider.ts';

/** OpenAI and compatible servers. */
export const openai: LlmProvider = {
  ...KEYED,
  displayName: 'General Chat (OpenAI)',
  defaultEndpoint: 'https://api.openai.com/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  client: clientOf(openAiDialect),
};
