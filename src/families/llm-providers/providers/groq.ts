import { clientOf } from './httpClient.ts';
import { BEYOND_OPENAI_BASE, openAiDialect } from './openAiDialect.ts';
import { KEYED, type LlmProvider } from './provider.ts';

const { embed: _, readEmbeddings: __, ...groqDialect } = openAiDialect;

/** Groq, which has no embeddings: OpenAI's dialect below a path of its own. */
export const groq: LlmProvider = {
  ...KEYED,
  displayName: 'Fast Inference (Groq)',
  defaultEndpoint: 'https://api.groq.com/openai/v1',
  beyondBase: BEYOND_OPENAI_BASE,
  client: clientOf(groqDialect),
};
