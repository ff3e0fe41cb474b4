import { OutboundError } from '../../../contract/codes/outbound.ts';
import type { ChatMessage, ChatRequest, ChatTool, EmbedAnswer, FinishReason, ToolCall, Usage } from './chat.ts';

export type Json = Record<string, unknown>;
export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export type Turn = Exclude<ChatMessage, { role: 'system' | 'developer' }>;

const JSON_ONLY = 'Answer with one JSON object and nothing else.';

/** System text and the rest of a chat. A chat of system messages alone becomes a user message: providers need one. */
export function splitSystem({ messages, responseFormat }: ChatRequest, jsonByInstruction: boolean) {
  const system = messages
    .filter((one) => one.role === 'system' || one.role === 'developer')
    .map(({ content }) => content);
  const rest = messages.filter((one): one is Turn => one.role !== 'system' && one.role !== 'developer');
  const added = jsonByInstruction && responseFormat?.type === 'json_object' ? [JSON_ONLY] : [];
  if (rest.length > 0) return { system: [...system, ...added], rest };
  return { system: added, rest: [{ role: 'user' as const, content: system.join('\n\n') }] };
}

/** Joins consecutive turns of one role: some providers require alternating roles. */
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

/** Call id -> tool name: some providers pair results by name. */
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

export const defined = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Fields of the request that the provider does not support. @param fields that it does not support */
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

/** For providers that accept no image addresses. */
export const unsupportedImages = ({ messages }: ChatRequest): string[] =>
  messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image_url'))
    ? ['image_url']
    : [];

export const functionTools = (tools: readonly ChatTool[] | undefined): Json[] | undefined =>
  tools?.map(({ name, description, parameters }) => ({
    type: 'function',
    function: defined({ name, description, parameters }),
  }));

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

export const embedUsage = (total: number | undefined): Usage => ({
  input: { total, cached: undefined },
  output: { total: 0, reasoning: undefined },
});

/** Joins the answers to slices of a longer list. */
export function joinEmbeddings(answers: readonly EmbedAnswer[]): EmbedAnswer {
  const totals = answers.map(({ usage }) => usage.input.total);
  const total = totals.includes(undefined) ? undefined : sum(0, ...totals);
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    usage: embedUsage(total),
  };
}
