import type { OutboundCode } from '../../../../contract/codes/outbound.ts';
import { type OpenAiTraits, toOpenAiChat } from '../../chat/openai/request.ts';
import { asObject, type Dialect, formsOf, type Refusal, reasonText } from '../dialect.ts';
import { openAiCode, openAiDialect } from './openAi.ts';

/** Fields that Groq answers with 400, and the hints that it does not. */
const TRAITS: OpenAiTraits = {
  refused: ['logprobs', 'top_logprobs', 'logit_bias', 'messages[].name', 'file'],
  hints: ['user', 'service_tier'],
};

const { embed: _, readEmbeddings: __, ...dialect } = openAiDialect;

/** It has no embeddings. */
export const groqDialect: Dialect = {
  ...dialect,
  chat: (_, model, request) => formsOf('/chat/completions', toOpenAiChat(model, request, TRAITS)),
  code: groqCode,
};

/** A 400, although it is the model's answer that is malformed. */
const MALFORMED = /^(tool_use_failed|json_validate_failed)$/;

function groqCode(refusal: Refusal): OutboundCode | undefined {
  const code = reasonText(asObject(refusal.body.error).code);
  return MALFORMED.test(code) ? 'upstream_error' : openAiCode(refusal);
}
