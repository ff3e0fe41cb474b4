import { stringifyExact, withNumbers } from '../../../../contract/exactJson.ts';
import { chatAnswer, type ProviderCall } from '../answers.ts';
import type { ChatAnswer, Usage } from '../chat.ts';
import { ECHOED } from '../echoed.ts';
import { asList, asObject, asText, count, definedOrNothing, isEmpty, isObject, type Json } from '../json.ts';
import { joinedReasoning } from '../reasoning.ts';

/** A truncated answer may be empty: reasoning models can use up the limit first. */
export function fromOpenAiChat(body: Json): ChatAnswer | undefined {
  const choices = asList(body.choices);
  if (choices.length === 0) return undefined;
  const { message: said, finish_reason: reason, stop_reason: stopSequence, logprobs } = asObject(choices[0]);
  const message = asObject(said);
  return chatAnswer({
    hasMessage: isObject(said),
    text: textOf(message.content),
    refusal: asText(message.refusal) || refusalOf(message.content),
    reasoning: joinedReasoning([shownReasoning(message), thinkingOf(message.content)]),
    echoed: echoedOf(message),
    calls: callsOf(message),
    reason,
    // vLLM says which text it was, or the number of a token.
    stopSequence,
    logprobs: isObject(logprobs) ? withNumbers(logprobs) : undefined,
    usage: toUsage(asObject(body.usage)),
    model: body.model,
  });
}

/** OpenAI refuses a limit that its model has used up before the first word of an answer, which others answer with an empty one. */
export function cutAnswer(
  { status, text }: { status: number; text: string },
  maxTokens: number | undefined,
): ChatAnswer | undefined {
  if (status !== 400 || !text.slice(0, LONGEST_REFUSAL).includes(TOO_LOW)) return undefined;
  const usage = {
    input: { total: undefined, cached: undefined },
    output: { total: maxTokens, reasoning: undefined },
  };
  return chatAnswer({ hasMessage: true, text: '', calls: [], reason: 'length', usage, model: undefined });
}

const LONGEST_REFUSAL = 2000;
const TOO_LOW = 'max_tokens or model output limit was reached';

function echoedOf(message: Json): Json | undefined {
  const fields = ECHOED.map((name) => [name, isEmpty(message[name]) ? undefined : message[name]]);
  return definedOrNothing(withNumbers(Object.fromEntries(fields)) as Json);
}

/** A refusal may also be a part of the content. */
const refusalOf = (content: unknown): string =>
  asList(content)
    .map((part) => asText(asObject(part).refusal))
    .join('');

/** Some servers answer in parts. Others read an answer that is JSON, so that it is a number or an object. */
export function textOf(content: unknown): string {
  if (Array.isArray(content)) return content.map((part) => asText(asObject(part).text)).join('');
  if (typeof content === 'string' || content === undefined || content === null) return asText(content);
  return asText(asObject(content).text) || stringifyExact(content);
}

/** Several names are in use, and servers that changed theirs send both with the same text. */
export const shownReasoning = ({ reasoning_content: text, reasoning, reasoning_text: older }: Json): string =>
  asText(text) || asText(reasoning) || asText(older);

/** Mistral has the reasoning in parts of the content. */
export const thinkingOf = (content: unknown): string =>
  asList(content)
    .map(asObject)
    .filter(({ type }) => type === 'thinking')
    .map((part) => textOf(part.thinking))
    .join('');

function callsOf({ tool_calls: calls, function_call: older }: Json): ProviderCall[] {
  if (!Array.isArray(calls) || calls.length === 0) return isObject(older) ? [toCall({ function: older })] : [];
  return calls.map((call) => toCall(asObject(call)));
}

function toCall({ id, function: called, extra_content: extra }: Json): ProviderCall {
  const { name, arguments: args, parameters } = asObject(called);
  // Servers that pass on what a Llama model has written name them as it does.
  return { id, name, arguments: args ?? parameters, extra: isObject(extra) ? withNumbers(extra) : undefined };
}

function toUsage(usage: Json): Usage {
  const details = asObject(usage.prompt_tokens_details);
  const reasoning = count(asObject(usage.completion_tokens_details).reasoning_tokens);
  // The second names are those of the Responses API.
  const prompt = count(usage.prompt_tokens ?? usage.input_tokens);
  const completion = count(usage.completion_tokens ?? usage.output_tokens);
  // Some servers count reasoning apart from the completion, but within the total.
  const isApart =
    reasoning !== undefined && reasoning > 0 && usage.total_tokens === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return {
    input: {
      total: prompt,
      // DeepSeek; Anthropic's name, which LiteLLM's proxy keeps; Moonshot; Mistral; the Responses API.
      cached: counted(
        details.cached_tokens,
        usage.prompt_cache_hit_tokens,
        usage.cache_read_input_tokens,
        usage.cached_tokens,
        usage.num_cached_tokens,
        asObject(usage.input_tokens_details).cached_tokens,
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
  return counts.find((tokens) => tokens !== undefined && tokens > 0) ?? counts.find((tokens) => tokens !== undefined);
}
