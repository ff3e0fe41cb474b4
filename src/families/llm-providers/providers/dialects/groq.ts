import { type OpenAiTraits, toOpenAiChat } from '../../chat/openai/request.ts';
import { type Dialect, formsOf } from '../dialect.ts';
import { openAiDialect } from './openAi.ts';

/** Fields that Groq answers with 400, and the hints that it does not. */
const TRAITS: OpenAiTraits = {
  refused: ['logprobs', 'top_logprobs', 'logit_bias', 'messages[].name', 'file'],
  hints: ['user', 'service_tier'],
  isSystemFirst: true,
};

const { embed: _, readEmbeddings: __, ...dialect } = openAiDialect;

/** It has no embeddings. */
export const groqDialect: Dialect = {
  ...dialect,
  chat: (_, model, request) => formsOf('/chat/completions', toOpenAiChat(model, request, TRAITS)),
};
