import type { Json } from '../../contract/basics.ts';
import { eventStreamReply, type RawReply } from '../../contract/rows/rawReply.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import { roundTenths } from '../../domain/values/numbers.ts';
import type { ChatReply, LlmIdentity, Usage } from '../../families/llm-providers/public.ts';
import type { Times } from '../../metering/meter.ts';
import type { Charge } from '../../metering/prices/price.ts';
import { countedOr, type Tokens } from '../../metering/tokens.ts';

/** An answer with what is known about how it came about. */
export interface UseResult<A> {
  answer: A;
  model: LlmIdentity;
  attempts: number;
  tokens: Tokens;
  warnings: string[];
  /** Places that were masked, by kind; undefined where there is none. */
  masked: Readonly<Record<string, number>> | undefined;
}

/** Without a charge for models without a price. */
export interface ChargeFields {
  charge?: Charge | undefined;
}

/** @param texts for providers that count nothing */
export function tokensOf(usage: Usage, texts: { prompt(): string; answer(): string }): Tokens {
  const input = countedOr(usage.input.total, texts.prompt);
  const output = countedOr(usage.output.total, texts.answer);
  return {
    input: input.tokens,
    cached: partOf(input.tokens, usage.input.cached),
    cacheWritten: partOf(input.tokens, usage.input.cacheWritten),
    output: output.tokens,
    reasoning: partOf(output.tokens, usage.output.reasoning),
    estimated: input.estimated || output.estimated,
  };
}

/** A part that is larger than all of it is none. */
const partOf = (total: number, part: number | undefined): number | undefined =>
  part !== undefined && part <= total ? part : undefined;

export function usageOf({ input, output, cached, cacheWritten, reasoning }: Tokens) {
  const prompt = detailsOf({ cached_tokens: cached, cache_write_tokens: cacheWritten });
  const completion = detailsOf({ reasoning_tokens: reasoning });
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(Object.keys(prompt).length > 0 ? { prompt_tokens_details: prompt } : {}),
    ...(Object.keys(completion).length > 0 ? { completion_tokens_details: completion } : {}),
  };
}

const detailsOf = (values: Record<string, number | undefined>) => withoutUndefined(values) as Record<string, number>;

type Facts = Omit<UseResult<unknown>, 'answer' | 'tokens'> & ChargeFields;

export function useFacts({ model, attempts, warnings, charge, masked }: Facts, times: Times) {
  const { service, connection_name, model: id } = model;
  return {
    service,
    connection_name,
    model: id,
    attempts,
    upstream_ms: roundTenths(times.upstreamMs),
    overhead_ms: roundTenths(times.overheadMs),
    ...(charge ? { cost: charge.cost } : {}),
    ...(masked ? { masked } : {}),
    warnings,
  };
}

/** The changing part of an id: 32 hex digits. */
export const hexId = (): string => globalThis.crypto.randomUUID().replaceAll('-', '');

/** OpenAI's object for an answer. @param reference the model that was asked for */
export function chatCompletion(result: UseResult<ChatReply> & ChargeFields, reference: string, times: Times) {
  const { answer, tokens } = result;
  const { content, refusal, reasoning, carrier, echoed } = answer.message;
  const calls = answer.toolCalls.map(({ id, name, arguments: text, extra }, index) => {
    // The reasoning of a turn is asked for once, so the first call carries it.
    const carried = (index === 0 ? carrier : undefined) ?? extra;
    return {
      id,
      type: 'function',
      function: { name, arguments: text },
      ...(carried ? { extra_content: carried } : {}),
    };
  });
  const message: Json = {
    role: 'assistant',
    content: content === '' && (calls.length > 0 || refusal !== undefined) ? null : content,
    refusal: refusal ?? null,
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...echoed,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return {
    id: `chatcmpl-${hexId()}`,
    object: 'chat.completion' as const,
    created: Math.floor(Date.now() / 1000),
    model: reference,
    choices: [{ index: 0, message, finish_reason: answer.finishReason, logprobs: answer.logprobs ?? null }],
    usage: usageOf(tokens),
    ml: useFacts(result, times),
  };
}

type Completion = ReturnType<typeof chatCompletion>;

/** The complete answer as an event stream, since the platform hands over a reply when it is complete. */
export function eventStream({ id, created, model, choices, usage, ml }: Completion, includeUsage: boolean): RawReply {
  const [choice] = choices;
  const { message, finish_reason, logprobs } = choice as NonNullable<typeof choice>;
  const base = { id, object: 'chat.completion.chunk', created, model };
  const chunk = (delta: Json, more: Json = {}) => ({
    ...base,
    choices: [{ index: 0, delta, finish_reason: null, logprobs: null, ...more }],
    ...(includeUsage ? { usage: null } : {}),
  });
  const { role: _, content, refusal, reasoning_content, tool_calls = [], ...echoed } = message;
  const calls = tool_calls as Json[];
  const chunks: Json[] = [
    chunk({ role: 'assistant', content: '' }),
    ...(reasoning_content ? [chunk({ reasoning_content })] : []),
    ...(Object.keys(echoed).length > 0 ? [chunk(echoed)] : []),
    ...(content ? [chunk({ content }, { logprobs })] : []),
    ...(refusal ? [chunk({ refusal })] : []),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    { ...chunk({}, { finish_reason }), ml },
    ...(includeUsage ? [{ ...base, choices: [], usage }] : []),
  ];
  const events = [...chunks.map((part) => JSON.stringify(part)), '[DONE]'];
  return eventStreamReply(events.map((event) => `data: ${event}\n\n`));
}
