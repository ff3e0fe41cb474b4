import { finishReason, malformed, withUniqueIds } from '../answers.ts';
import type { ChatAnswer, FinishReason, ToolCall, Usage } from '../chat.ts';
import { asList, asObject, asText, count, type Json } from '../json.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** A truncated answer may be empty: reasoning models can use up the limit first. */
export function fromOpenAiChat(body: Json): ChatAnswer | undefined {
  const choice = asList(body.choices)[0];
  if (choice === undefined) return undefined;
  const { message: said, finish_reason: reason, logprobs } = asObject(choice);
  const message = asObject(said);
  const parts = asList(message.content).map((part) => asText(asObject(part).text));
  const refusal = asText(message.refusal);
  const toolCalls = withUniqueIds(asList(message.tool_calls).map(toToolCall));
  return {
    message: {
      role: 'assistant',
      content: parts.length > 0 ? parts.join('') : asText(message.content),
      ...(refusal === '' ? {} : { refusal }),
    },
    toolCalls,
    finishReason: finishReason(asText(reason), FINISH, toolCalls),
    ...(typeof logprobs === 'object' && logprobs !== null ? { logprobs: asObject(logprobs) } : {}),
    usage: toUsage(asObject(body.usage)),
  };
}

function toToolCall(one: unknown): ToolCall {
  const { id, function: called, extra_content: extra } = asObject(one);
  const { name, arguments: text } = asObject(called);
  // Some servers answer with an object.
  const given = typeof text === 'object' && text !== null ? JSON.stringify(text) : text;
  if (given !== undefined && typeof given !== 'string') throw malformed('arguments that are not a text');
  const call = { id: asText(id), name: asText(name), arguments: given ?? '{}' };
  return extra === undefined ? call : { ...call, extra: asObject(extra) };
}

function toUsage(usage: Json): Usage {
  const details = asObject(usage.prompt_tokens_details);
  const reasoning = count(asObject(usage.completion_tokens_details).reasoning_tokens);
  const [prompt, completion] = [count(usage.prompt_tokens), count(usage.completion_tokens)];
  // Some servers count reasoning apart from the completion, but within the total.
  const isApart =
    reasoning !== undefined && reasoning > 0 && usage.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return {
    input: { total: prompt, cached: count(details.cached_tokens), cacheWritten: count(details.cache_write_tokens) },
    output: { total: isApart ? (completion ?? 0) + reasoning : completion, reasoning },
  };
}
