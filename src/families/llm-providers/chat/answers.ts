import { randomBytes } from 'node:crypto';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { argumentsText } from '../../../domain/values/json.ts';
import type { ChatAnswer, ToolCall, Usage } from './chat.ts';
import { finishReason, malformed } from './finish.ts';
import { asText, type Json, modelName } from './json.ts';
import { joinedReasoning, splitReasoning } from './reasoning.ts';

/** A provider's answer, in the values that its dialect has read from it. */
export interface ProviderAnswer {
  /** False where the provider answered no message at all. */
  hasMessage: boolean;
  text: string;
  refusal?: string;
  /** As a text that a caller may read. */
  reasoning?: string;
  carrier?: ChatAnswer['message']['carrier'];
  /** Fields that the provider wants to see again beside the message. */
  echoed?: Json | undefined;
  calls: readonly ProviderCall[];
  /** The provider's word for the end of the answer. */
  reason: unknown;
  stopSequence?: unknown;
  logprobs?: Json | undefined;
  usage: Usage;
  /** The provider's name of the model. */
  model: unknown;
}

export interface ProviderCall {
  id: unknown;
  name: unknown;
  /** An object, or its JSON text. */
  arguments: unknown;
  extra?: Json | undefined;
}

/** The answer in its one form. @throws OutboundError `upstream_error` for an answer that broke off or is none */
export function chatAnswer(answer: ProviderAnswer): ChatAnswer {
  const { hasMessage, refusal = '', carrier, echoed, logprobs, usage } = answer;
  const { content, reasoning: block } = splitReasoning(answer.text);
  const reasoning = joinedReasoning([answer.reasoning ?? '', block]);
  const toolCalls = withUniqueIds(answer.calls.map(toToolCall));
  const hasCalls = toolCalls.length > 0;
  const isReasoningOnly = content === '' && refusal === '' && !hasCalls && (reasoning !== '' || carrier !== undefined);
  const stopSequence = asText(answer.stopSequence);
  const hasText = content !== '' || refusal !== '' || isReasoningOnly;
  return {
    message: {
      role: 'assistant',
      content,
      ...(refusal === '' ? {} : { refusal }),
      ...(reasoning === '' ? {} : { reasoning }),
      ...(carrier ? { carrier } : {}),
      ...(echoed ? { echoed } : {}),
    },
    toolCalls,
    finishReason: finishReason(asText(answer.reason), { hasMessage, hasText, hasCalls }),
    ...(stopSequence === '' ? {} : { stopSequence }),
    ...(isReasoningOnly ? { isReasoningOnly } : {}),
    ...(logprobs ? { logprobs } : {}),
    usage,
    ...modelName(answer.model),
  };
}

function toToolCall({ id, name, arguments: args, extra }: ProviderCall): ToolCall {
  const call = { id: asText(id), name: asText(name), arguments: textOf(args) };
  return extra === undefined ? call : { ...call, extra };
}

/** Text of the model that is no JSON object stays as it is: whoever makes the calls tells the model. */
function textOf(args: unknown): string {
  if (args === undefined || args === null) return '{}';
  if (typeof args === 'string') return argumentsText(args) ?? args;
  if (typeof args !== 'object' || Array.isArray(args)) throw malformed('arguments that are no object');
  return stringifyExact(args);
}

/**
 * Calls and results are paired by id: a missing or repeated one is replaced.
 * @param earlier ids of the calls of earlier turns, since some providers begin anew in each
 */
export function withUniqueIds(calls: readonly ToolCall[], earlier: Iterable<string> = []): ToolCall[] {
  const usedIds = new Set(earlier);
  return calls.map((call) => {
    if (call.name === '') throw malformed('a call without a name');
    const id = call.id === '' || usedIds.has(call.id) ? `call_${randomBytes(12).toString('hex')}` : call.id;
    usedIds.add(id);
    return { ...call, id };
  });
}

/** Reasoning models can use up the token limit before they begin to answer, or say nothing after it. */
export function answerWarnings({ message, toolCalls, finishReason: reason, isReasoningOnly }: ChatAnswer): string[] {
  if (reason === 'length' && message.content === '' && toolCalls.length === 0)
    return ['token_limit_spent_on_reasoning'];
  return isReasoningOnly ? ['reasoning_without_answer'] : [];
}
