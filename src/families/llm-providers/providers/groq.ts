import { httpClient } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, openAiDialect } from './openAiDialect.ts';
import { KEYED_FIELDS, type LlmProvider } from './provider.ts';

/** Groq: OpenAI's dialect below a path of its own. */
export const groq: LlmProvider = {
  displayName: 'Fast Inference (Groq)',
  defaultEndpoint: 'https://api.groq.com/openai/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  fields: KEYED_FIELDS,
  storedWith: [],
  client: (target, { http }) => httpClient(openAiDialect, target, target.settings.endpoint ?? '', http),
};
