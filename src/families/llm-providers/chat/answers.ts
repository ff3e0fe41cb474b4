import { randomBytes } from 'node:crypto';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { argumentsText } from '../../../domain/values/json.ts';
import type { ChatAnswer, ToolCall, Usage } from './chat.ts';
import { finishReason, malformed } from './finish.ts';
import { asText, type Json, modelName } from './json.ts';
import { joinedReasoning, splitReasoning } from './reasoning.ts';

/** What a provider answered, in the values that its dialect has found. */
export interface Said {
  /** False where the provider answered no message at all. */
  hasMessage: boolean;
  text: string;
  refusal?: string;
  /** As a text that a caller may read. */
  reasoning?: string;
  /** Whether the model reasoned in blocks that are not shown as text. */
  hasThoughts?: boolean;
  calls: readonly SaidCall[];
  /** The provider's word for the end of the answer. */
  reason: unknown;
  logprobs?: Json | undefined;
  usage: Usage;
  /** The provider's name of the model. */
  model: unknown;
}

export interface SaidCall {
  id: unknown;
  name: unknown;
  /** An object, or its JSON text. */
  arguments: unknown;
  extra?: Json | undefined;
}

/** The answer in its one form. @throws OutboundError `upstream_error` for an answer that broke off or is none */
export function chatAnswer(said: Said): ChatAnswer {
  const { hasMessage, refusal = '', hasThoughts = false, logprobs, usage } = said;
  const { content, reasoning: block } = splitReasoning(said.text);
  const reasoning = joinedReasoning([said.reasoning ?? '', block]);
  const toolCalls = withUniqueIds(said.calls.map(toToolCall));
  const hasCalls = toolCalls.length > 0;
  const isReasoningOnly = content === '' && refusal === '' && !hasCalls && (reasoning !== '' || hasThoughts);
  const hasText = content !== '' || refusal !== '' || isReasoningOnly;
  return {
    message: {
      role: 'assistant',
      content,
      ...(refusal === '' ? {} : { refusal }),
      ...(reasoning === '' ? {} : { reasoning }),
    },
    toolCalls,
    finishReason: finishReason(asText(said.reason), { hasMessage, hasText, hasCalls }),
    ...(isReasoningOnly ? { isReasoningOnly } : {}),
    ...(logprobs ? { logprobs } : {}),
    usage,
    ...modelName(said.model),
  };
}

function toToolCall({ id, name, arguments: args, extra }: SaidCall): ToolCall {
  const call = { id: asText(id), name: asText(name), arguments: textOf(args) };
  return extra === undefined ? call : { ...call, extra };
}

/** What the model wrote and is no object stays as it is: who makes the calls tells the model. */
function textOf(args: unknown): string {
  if (args === undefined || args === null) return '{}';
  if (typeof args === 'string') return argumentsText(args) ?? args;
  if (typeof args !== 'object' || Array.isArray(args)) throw malformed('arguments that are no object');
  return stringifyExact(args);
}

/** Calls and results are paired by id: a missing or repeated one is replaced, also between the turns of a chat. */
function withUniqueIds(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    if (call.name === '') throw malformed('a call without a name');
    const id = call.id === '' || seen.has(call.id) ? `call_${randomBytes(12).toString('hex')}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

/** Reasoning models can use up the token limit before they begin to answer, or say nothing after it. */
export function answerWarnings({ message, toolCalls, finishReason: reason, isReasoningOnly }: ChatAnswer): string[] {
  if (reason === 'length' && message.content === '' && toolCalls.length === 0)
    return ['token_limit_spent_on_reasoning'];
  return isReasoningOnly ? ['reasoning_without_answer'] : [];
}
