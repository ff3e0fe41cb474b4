import { BEYOND_OPENAI_BASE, openAiWire } from './openAiWire.ts';
import { KEYED_FIELDS, type LlmService } from './service.ts';
import { httpClient } from './wire.ts';

/** OpenAI, and everything that speaks its dialect. */
export const generalChat: LlmService = {
  displayName: 'General Chat (OpenAI)',
  defaultEndpoint: 'https://api.openai.com/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  fields: KEYED_FIELDS,
  storedWith: [],
  client: (target, { http }) => httpClient(openAiWire, target, target.settings.endpoint ?? '', http),
};
