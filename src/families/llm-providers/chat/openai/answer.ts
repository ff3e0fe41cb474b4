import { withNumbers } from '../../../../contract/exactJson.ts';
import { chatAnswer, type SaidCall } from '../answers.ts';
import type { ChatAnswer, Usage } from '../chat.ts';
import { asList, asObject, asText, count, isObject, type Json } from '../json.ts';
import { joinedReasoning } from '../reasoning.ts';

/** A truncated answer may be empty: reasoning models can use up the limit first. */
export function fromOpenAiChat(body: Json): ChatAnswer | undefined {
  const choices = asList(body.choices);
  if (choices.length === 0) return undefined;
  const { message: said, finish_reason: reason, logprobs } = asObject(choices[0]);
  const message = asObject(said);
  return chatAnswer({
    hasMessage: isObject(said),
    text: textOf(message.content),
    refusal: asText(message.refusal) || refusalOf(message.content),
    reasoning: reasoningOf(message),
    calls: callsOf(message),
    reason,
    logprobs: isObject(logprobs) ? withNumbers(logprobs) : undefined,
    usage: toUsage(asObject(body.usage)),
    model: body.model,
  });
}

/** Some servers answer in parts. */
export const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => asText(asObject(part).text)).join('') : asText(content);

/** A refusal may also be a part of the content. */
const refusalOf = (content: unknown): string =>
  asList(content)
    .map((part) => asText(asObject(part).refusal))
    .join('');

/** Two names are in use, and servers that changed theirs send both with the same text. */
function reasoningOf({ reasoning_content: text, reasoning, content }: Json): string {
  return joinedReasoning([asText(text) || asText(reasoning), thinkingOf(content)]);
}

/** Mistral has the reasoning in parts of the content. */
export const thinkingOf = (content: unknown): string =>
  asList(content)
    .map(asObject)
    .filter(({ type }) => type === 'thinking')
    .map((part) => textOf(part.thinking))
    .join('');

function callsOf({ tool_calls: calls, function_call: older }: Json): SaidCall[] {
  if (!Array.isArray(calls) || calls.length === 0) return isObject(older) ? [toCall({ function: older })] : [];
  return calls.map((one) => toCall(asObject(one)));
}

function toCall({ id, function: called, extra_content: extra }: Json): SaidCall {
  const { name, arguments: args } = asObject(called);
  return { id, name, arguments: args, extra: isObject(extra) ? withNumbers(extra) : undefined };
}

function toUsage(usage: Json): Usage {
  const details = asObject(usage.prompt_tokens_details);
  const reasoning = count(asObject(usage.completion_tokens_details).reasoning_tokens);
  const [prompt, completion] = [count(usage.prompt_tokens), count(usage.completion_tokens)];
  // Some servers count reasoning apart from the completion, but within the total.
  const isApart =
    reasoning !== undefined && reasoning > 0 && usage.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return {
    input: {
      total: prompt,
      // DeepSeek; Anthropic's name, which LiteLLM's proxy keeps; Moonshot.
      cached: counted(
        details.cached_tokens,
        usage.prompt_cache_hit_tokens,
        usage.cache_read_input_tokens,
        usage.cached_tokens,
      ),
      cacheWritten: counted(
        details.cache_write_tokens,
        details.cache_creation_tokens,
        usage.cache_creation_input_tokens,
      ),
    },
    output: { total: isApart ? count((completion ?? 0) + reasoning) : completion, reasoning },
  };
}

/** The first count that is not 0, of several names for one. */
function counted(...values: unknown[]): number | undefined {
  const counts = values.map(count);
  return counts.find((one) => one !== undefined && one > 0) ?? counts.find((one) => one !== undefined);
}
