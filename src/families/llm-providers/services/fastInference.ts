import { BEYOND_OPENAI_BASE, openAiWire } from './openAiWire.ts';
import { KEYED_FIELDS, type LlmService } from './service.ts';
import { httpClient } from './wire.ts';

/** Groq: OpenAI's dialect below a path of its own. */
export const fastInference: LlmService = {
  displayName: 'Fast Inference (Groq)',
  defaultEndpoint: 'https://api.groq.com/openai/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  fields: KEYED_FIELDS,
  storedWith: [],
  client: (target, { http }) => httpClient(openAiWire, target, target.settings.endpoint ?? '', http),
};
