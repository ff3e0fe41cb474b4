import { chatAnswer, type ProviderCall } from '../answers.ts';
import type { ChatAnswer, EmbedAnswer, EmbedRequest } from '../chat.ts';
import { malformed } from '../finish.ts';
import { asList, asObject, asText, count, defined, isObject, type Json } from '../json.ts';
import { embedAnswer } from '../vectors.ts';

export function fromOllamaChat(body: Json): ChatAnswer | undefined {
  if (!Object.hasOwn(body, 'message')) return undefined;
  // The first line of a stream that was cut off.
  if (body.done === false) throw malformed('the first part of an answer');
  const { content, thinking, tool_calls: calls } = asObject(body.message);
  return chatAnswer({
    hasMessage: isObject(body.message),
    text: asText(content),
    reasoning: asText(thinking),
    calls: asList(calls).map(toCall),
    reason: body.done_reason,
    usage: {
      // Absent for a prompt in the cache.
      input: { total: count(body.prompt_eval_count), cached: undefined },
      output: { total: count(body.eval_count), reasoning: undefined },
    },
    model: body.model,
  });
}

function toCall(call: unknown): ProviderCall {
  const { id, function: called } = asObject(call);
  const { name, arguments: args } = asObject(called);
  return { id, name, arguments: args };
}

export const toOllamaEmbed = (model: string, { inputs, dimensions }: EmbedRequest): Json =>
  defined({ model, input: inputs, truncate: false, dimensions });

export function fromOllamaEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.embeddings)) return undefined;
  return embedAnswer(body.embeddings, count(body.prompt_eval_count), body.model);
}
