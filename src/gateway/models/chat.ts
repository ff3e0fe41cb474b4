import { createHash } from 'node:crypto';
import { stringifyExact } from '../../contract/exactJson.ts';
import { addKnown } from '../../domain/values/numbers.ts';
import type { ChatReply, ChatRequest, OpenModel } from '../../families/llm-providers/public.ts';
import type { ModelRoute } from '../../families/model-aliases/public.ts';

export function withAliasDefaults(request: ChatRequest, { alias }: ModelRoute): ChatRequest {
  const { temperature, max_tokens: maxTokens, system_prompt: prompt } = alias?.defaults ?? {};
  const { messages } = request;
  const first = prompt === undefined || prompt === '' ? [] : [{ role: 'system' as const, content: prompt }];
  return withDefaults({ ...request, messages: [...first, ...messages] }, { temperature, maxTokens });
}

/** Sets the parameters that the caller did not send, and marks them as such. */
function withDefaults(request: ChatRequest, defaults: Pick<ChatRequest, 'temperature' | 'maxTokens'>): ChatRequest {
  const names = (['temperature', 'maxTokens'] as const).filter(
    (name) => request[name] === undefined && defaults[name] !== undefined,
  );
  const values = Object.fromEntries(names.map((name) => [name, defaults[name]]));
  return { ...request, ...values, defaulted: [...(request.defaulted ?? []), ...names] };
}

/** The configuration's `max_tokens` is default and maximum, its `response_variability` the default temperature. */
export function withConfiguration(request: ChatRequest, model: OpenModel): ChatRequest {
  const { maxTokens } = request;
  const most = model.maxTokens;
  const limited = maxTokens === undefined || most === undefined ? maxTokens : Math.min(maxTokens, most);
  return withDefaults({ ...request, maxTokens: limited }, model);
}

/** The usage of two answers together. */
export function sumOf({ usage: a }: ChatReply, { usage: b }: ChatReply): ChatReply['usage'] {
  const both = (first: number | undefined, other: number | undefined) =>
    first === undefined || other === undefined ? undefined : first + other;
  return {
    input: {
      total: both(a.input.total, b.input.total),
      cached: addKnown(a.input.cached, b.input.cached),
      cacheWritten: addKnown(a.input.cacheWritten, b.input.cacheWritten),
    },
    output: {
      total: both(a.output.total, b.output.total),
      reasoning: addKnown(a.output.reasoning, b.output.reasoning),
    },
  };
}

/** The text of a request, for estimates. */
export function promptText({ messages, tools }: ChatRequest): string {
  const texts = messages.map(({ content }) =>
    typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
  );
  return [...texts, ...(tools?.length ? [stringifyExact(tools)] : [])].join('\n');
}

export const answerText = ({ message: { content, refusal = '', reasoning = '' }, toolCalls }: ChatReply): string =>
  [reasoning, content, refusal, ...toolCalls.map(({ name, arguments: text }) => `${name}${text}`)]
    .filter((text) => text !== '')
    .join('\n');

/** A name for an end user by which a provider cannot tell who that is. */
export const hashedUser = (user: string): string =>
  createHash('sha256').update(`ml_extension:user:${user}`).digest('hex').slice(0, 32);
