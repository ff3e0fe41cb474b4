import { randomBytes } from 'node:crypto';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { ChatAnswer, EmbedAnswer, FinishReason, ToolCall, Usage } from './chat.ts';
import { sum } from './json.ts';

export function finishReason(
  word: string,
  words: Readonly<Record<string, FinishReason>>,
  toolCalls: readonly ToolCall[],
): FinishReason {
  const found = Object.hasOwn(words, word) ? words[word] : undefined;
  return found ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

export function malformed(word: string): OutboundError {
  return new OutboundError('upstream_error', `The model broke off with a malformed answer or tool call (${word}).`);
}

/** Calls and results are paired by id: a missing or repeated one is replaced, also between the turns of a chat. */
export function withUniqueIds(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call) => {
    if (call.name === '') throw malformed('a call without a name');
    const id = call.id === '' || seen.has(call.id) ? `call_${randomBytes(12).toString('hex')}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

/** Reasoning models can use up the token limit before they begin to answer. */
export const isSpentOnReasoning = ({ message, toolCalls, finishReason }: ChatAnswer): boolean =>
  finishReason === 'length' && message.content === '' && toolCalls.length === 0;

export const embedUsage = (total: number | undefined): Usage => ({
  input: { total, cached: undefined },
  output: { total: 0, reasoning: undefined },
});

/** Joins the answers to slices of a longer list. */
export function joinEmbeddings(answers: readonly EmbedAnswer[]): EmbedAnswer {
  const totals = answers.map(({ usage }) => usage.input.total);
  const total = totals.includes(undefined) ? undefined : sum(0, ...totals);
  return { vectors: answers.flatMap(({ vectors }) => vectors), usage: embedUsage(total) };
}
