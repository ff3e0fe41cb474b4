import { embedUsage, finishReason, malformed, withUniqueIds } from '../answers.ts';
import type { ChatAnswer, EmbedAnswer, EmbedRequest, ToolCall } from '../chat.ts';
import { asList, asObject, asText, count, defined, type Json } from '../json.ts';

export function fromOllamaChat(body: Json): ChatAnswer | undefined {
  if (!Object.hasOwn(body, 'message')) return undefined;
  const { content, tool_calls: calls } = asObject(body.message);
  const reason = asText(body.done_reason);
  // The model was loaded, but not asked.
  if (reason === 'load') throw malformed(reason);
  const toolCalls = withUniqueIds(asList(calls).map(toToolCall));
  return {
    message: { role: 'assistant', content: asText(content) },
    toolCalls,
    finishReason: finishReason(reason, { length: 'length' }, toolCalls),
    usage: {
      // Absent for a prompt in the cache.
      input: { total: count(body.prompt_eval_count), cached: undefined },
      output: { total: count(body.eval_count), reasoning: undefined },
    },
  };
}

function toToolCall(one: unknown): ToolCall {
  const { id, function: called } = asObject(one);
  const { name, arguments: args } = asObject(called);
  return { id: asText(id), name: asText(name), arguments: JSON.stringify(args ?? {}) };
}

export const toOllamaEmbed = (model: string, { inputs, dimensions }: EmbedRequest): Json =>
  defined({ model, input: inputs, truncate: false, dimensions });

export function fromOllamaEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.embeddings)) return undefined;
  return { vectors: body.embeddings as number[][], usage: embedUsage(count(body.prompt_eval_count)) };
}
