import { clientOf } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, KEYED, type LlmProvider } from './provider.ts';

/** Groq: OpenAI's dialect below a path of its own. */
export const groq: LlmProvider = {
  ...KEYED,
  displayName: 'Fast Inference (Groq)',
  defaultEndpoint: 'https://api.groq.com/openai/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  fields: { ...KEYED.fields, access_token: 'at_default' },
  client: clientOf(async () => (await import('./dialects/groq.ts')).groqDialect),
};
