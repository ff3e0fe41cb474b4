import { isObject } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { argumentsText } from '../../../domain/values/json.ts';
import type { CacheMark, ChatMessage, ChatRequest, ChatTool, TextPart, ToolCall } from './chat.ts';
import { defined, type Json } from './json.ts';
import { OWN_TEXTS } from './ownTexts.ts';

export type Turn = Exclude<ChatMessage, { role: 'system' | 'developer' }>;
type Instruction = Extract<ChatMessage, { role: 'system' | 'developer' }>;

export const isInstruction = (message: ChatMessage): message is Instruction =>
  message.role === 'system' || message.role === 'developer';

/** System texts and the rest of a chat. A chat of system messages alone becomes a user message: providers need one. */
export function splitSystem(
  { messages, responseFormat }: ChatRequest,
  jsonByInstruction: boolean,
): { system: TextPart[]; turns: Turn[] } {
  const system = messages.filter(isInstruction).flatMap(instructionParts);
  const turns = messages.filter((message): message is Turn => !isInstruction(message));
  const added = jsonByInstruction && responseFormat?.type === 'json_object' ? [textPart(OWN_TEXTS.jsonOnly)] : [];
  if (turns.length > 0) return { system: [...system, ...added].filter(({ text }) => text.trim() !== ''), turns };
  const content = system.some(({ others, cache }) => others || cache)
    ? system
    : system.map(({ text }) => text).join('\n\n');
  return { system: added, turns: [{ role: 'user', content }] };
}

const textPart = (text: string): TextPart => ({ type: 'text', text });

export const instructionParts = (message: Instruction): readonly TextPart[] => textParts(message);

/** The content of a message of text: its parts, or one. Fields of the message are those of the last part. */
function textParts({ content, parts, others, cache }: Instruction | Answer): readonly TextPart[] {
  const given = parts ?? [textPart(content)];
  const last = given.at(-1);
  if (!last) return given;
  return [
    ...given.slice(0, -1),
    {
      ...last,
      ...(others ? { others: { ...others, ...last.others } } : {}),
      ...(cache && !last.cache ? { cache } : {}),
    },
  ];
}

/**
 * The messages with the instructions in the middle joined to the first one. Templates of prompts may know no others, and a model that is
 * instructed last may leave the user's question.
 */
export function systemFirst(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const begin = messages.findIndex((message) => !isInstruction(message));
  const later = messages.filter((message, index) => index > begin && isInstruction(message)) as Instruction[];
  if (begin < 0 || later.length === 0) return messages;
  const turns = messages.filter((message, index) => index < begin || !isInstruction(message));
  const [first] = turns;
  const isFirst = first !== undefined && isInstruction(first);
  const content = [...(isFirst ? [first] : []), ...later].map(instructionText).join('\n\n');
  return isFirst
    ? [{ ...first, content, parts: undefined }, ...turns.slice(1)]
    : [{ role: 'system', content }, ...turns];
}

/** For providers that take one text. */
export const instructionText = ({ content, parts }: Instruction): string =>
  parts ? parts.map(({ text }) => text).join('\n\n') : content;

/** A mark as Anthropic writes it, and the proxies that pass it on. */
export const cacheControl = (mark: CacheMark | undefined): Json =>
  mark ? { cache_control: defined({ type: 'ephemeral', ttl: mark.ttl }) } : {};

interface Blocks<R extends string> {
  role: R;
  blocks: Json[];
}

/** Text of the user where the model would speak first. */
export const BEGIN = OWN_TEXTS.begin;

/** Joins consecutive turns of one role and begins with the user's: some providers demand both. @param begin BEGIN as a block */
export function alternate<R extends string>(turns: readonly Blocks<R | 'user'>[], begin: Json): Blocks<R | 'user'>[] {
  const merged: Blocks<R | 'user'>[] = [];
  for (const { role, blocks } of turns) {
    const last = merged.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else if (blocks.length > 0) merged.push({ role, blocks: [...blocks] });
  }
  if (merged[0] && merged[0].role !== 'user') merged.unshift({ role: 'user', blocks: [begin] });
  return merged;
}

type Answer = Extract<ChatMessage, { role: 'assistant' }>;

/** The text of an assistant's turn; a refusal stands in place of a content. */
export const spoken = ({ content, refusal }: Answer): string => (content === '' ? (refusal ?? '') : content);
/** The same in its parts, without the mark of the message, which also covers its calls. */
export const spokenParts = (message: Answer): readonly TextPart[] =>
  textParts({ ...message, content: spoken(message), cache: undefined });

/** Some providers refuse an answer to be continued that ends in white space. */
export function endTrimmed<B extends Blocks<string>>(turns: readonly B[]): B[] {
  const last = turns.at(-1);
  const end = last?.blocks.at(-1);
  if (last?.role !== 'assistant' || typeof end?.text !== 'string') return [...turns];
  return [
    ...turns.slice(0, -1),
    { ...last, blocks: [...last.blocks.slice(0, -1), { ...end, text: end.text.trimEnd() }] },
  ];
}

/** Call id -> tool name: some providers pair results by name. */
export function toolNames(messages: readonly ChatMessage[]): Map<string, string> {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
  return new Map(calls.map(({ id, name }) => [id, name]));
}

/** The tools of earlier calls: Converse and Anthropic demand them even when none may be called any more. */
export const calledTools = (messages: readonly ChatMessage[]): ChatTool[] =>
  [...new Set(toolNames(messages).values())].map((name) => ({ name, parameters: { type: 'object' } }));

/** Integers beyond 2^53 are bigints. @throws OutboundError `bad_request` */
export function parseArguments({ name, arguments: text }: ToolCall): Json {
  const object = argumentsText(text);
  if (object !== undefined) return parseExact(object) as Json;
  throw new OutboundError('bad_request', `The arguments of the call of ${name} must be a JSON object`);
}

/** A schema of arguments as all providers take it: some refuse one that does not say that it is an object. */
export function objectSchema(schema: Json): Json {
  const { type = null, properties, ...keywords } = schema;
  if (type !== 'object' && type !== null && !(Array.isArray(type) && type.includes('object'))) return schema;
  if (type === 'object' && (properties === undefined || isObject(properties))) return schema;
  return { type: 'object', properties: isObject(properties) ? properties : {}, ...keywords };
}

export const functionTools = (tools: readonly ChatTool[] | undefined): Json[] | undefined =>
  tools?.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    function: defined({ name, description, parameters, strict }),
  }));
