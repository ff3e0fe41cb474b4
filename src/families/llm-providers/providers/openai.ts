import { httpClient } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, openAiDialect } from './openAiDialect.ts';
import { KEYED_FIELDS, type LlmProvider } from './provider.ts';

/** OpenAI, and everything that speaks its dialect. */
export const openai: LlmProvider = {
  displayName: 'General Chat (OpenAI)',
  defaultEndpoint: 'https://api.openai.com/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  fields: KEYED_FIELDS,
  storedWith: [],
  client: (target, { http }) => httpClient(openAiDialect, target, target.settings.endpoint ?? '', http),
};
