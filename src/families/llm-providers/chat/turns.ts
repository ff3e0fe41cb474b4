import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { ChatMessage, ChatRequest, EmbedAnswer, FinishReason, ToolCall } from './chat.ts';
import { asObject, type Json } from './json.ts';

const JSON_ONLY = 'Answer with one JSON object and nothing else.';

/** System text and the rest of a chat. A chat of system messages alone becomes a user message: providers need one. */
export function splitSystem({ messages, responseFormat }: ChatRequest, jsonByInstruction: boolean) {
  const system = messages.filter((one) => one.role === 'system').map(({ content }) => content);
  const rest = messages.filter((one): one is Exclude<ChatMessage, { role: 'system' }> => one.role !== 'system');
  const added = jsonByInstruction && responseFormat?.type === 'json_object' ? [JSON_ONLY] : [];
  if (rest.length > 0) return { system: [...system, ...added], rest };
  return { system: added, rest: [{ role: 'user' as const, content: system.join('\n\n') }] };
}

/** Joins neighbours of one role, as providers that want alternating roles demand. */
export function mergeTurns<R extends string, B>(
  turns: readonly { role: R; blocks: B[] }[],
): { role: R; blocks: B[] }[] {
  const merged: { role: R; blocks: B[] }[] = [];
  for (const { role, blocks } of turns) {
    const last = merged.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, blocks: [...blocks] });
  }
  return merged;
}

/** The name of the tool that each call id stands for: some providers pair results by name. */
export function toolNames(messages: readonly ChatMessage[]): Map<string, string> {
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.toolCalls ?? []) : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

export function parseArguments({ name, arguments: text }: ToolCall): Json {
  if (text.trim() === '') return {};
  try {
    return asObject(JSON.parse(text));
  } catch {
    throw new OutboundError('bad_request', `The arguments of the call of ${name} are not JSON.`);
  }
}

/** Without keys whose value is undefined. */
export const defined = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Names of the fields that the request sets among those that a provider does not know. */
export function unsupportedOf(request: ChatRequest, ...fields: (keyof ChatRequest)[]): string[] {
  const names: Partial<Record<keyof ChatRequest, string>> = {
    topP: 'top_p',
    toolChoice: 'tool_choice',
    frequencyPenalty: 'frequency_penalty',
    presencePenalty: 'presence_penalty',
  };
  // A penalty of 0 is the default.
  return fields
    .filter((field) => request[field] !== undefined && request[field] !== 0)
    .map((field) => names[field] ?? field);
}

export function clampTemperature(temperature: number | undefined, warnings: string[]): number | undefined {
  if (temperature === undefined || temperature <= 1) return temperature;
  warnings.push('temperature was reduced to 1, the most that the provider takes');
  return 1;
}

export function warnOfParallelCalls({ parallelToolCalls }: ChatRequest, warnings: string[]): void {
  if (parallelToolCalls === false) warnings.push('parallel_tool_calls was left out: the provider does not know it');
}

export function finishReason(
  word: string,
  words: Readonly<Record<string, FinishReason>>,
  toolCalls: readonly ToolCall[],
): FinishReason {
  const found = words[word] ?? 'stop';
  return found === 'stop' && toolCalls.length > 0 ? 'tool_calls' : found;
}

export function malformed(word: string): OutboundError {
  return new OutboundError('upstream_error', `The model broke off with a malformed answer or tool call (${word}).`);
}

/** Calls and results are paired by id, so missing ids are generated. */
export const callId = (id: unknown, index: number): string =>
  typeof id === 'string' && id !== '' ? id : `call_${index}`;

export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The sum of the defined values; undefined without the first. */
export function sum(first: unknown, ...more: unknown[]): number | undefined {
  const start = count(first);
  return start === undefined ? undefined : more.reduce<number>((total, one) => total + (count(one) ?? 0), start);
}

/** The answers to the slices of a longer list, in order. */
export function joinEmbeddings(answers: readonly EmbedAnswer[]): EmbedAnswer {
  const totals = answers.map(({ usage }) => usage.input.total);
  const total = totals.includes(undefined) ? undefined : sum(0, ...totals);
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    usage: { input: { total, cached: undefined }, output: { total: 0, reasoning: undefined } },
  };
}
