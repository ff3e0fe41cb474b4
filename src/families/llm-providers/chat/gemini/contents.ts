import type { ChatPart, ToolCall } from '../chat.ts';
import { asList, asObject, asText, defined, type Json } from '../json.ts';
import { alternate, BEGIN, parseArguments, spoken, type Turn, toolNames } from '../turns.ts';

/** Documented placeholder for a missing signature: newer models refuse a call without one. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

export function toContents(messages: readonly Turn[]): Json[] {
  const names = toolNames(messages);
  const turns = messages.map((message) => toTurn(message, names));
  return alternate(turns, { text: BEGIN }).map(({ role, blocks }) => ({ role, parts: blocks }));
}

const textParts = (text: string): Json[] => (text === '' ? [] : [{ text }]);

function toTurn(message: Turn, names: ReadonlyMap<string, string>): { role: 'user' | 'model'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId: id, content, parts: given = [], isError } = message;
    const response = isError ? { error: content } : { output: content };
    const media = given.filter(({ type }) => type !== 'text').flatMap(toParts);
    const parts = media.length > 0 ? { parts: media } : {};
    return { role: 'user', blocks: [{ functionResponse: { id, name: names.get(id) ?? id, response, ...parts } }] };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? textParts(content) : content.flatMap(toParts) };
  }
  const calls = (message.toolCalls ?? []).map((call, index) => ({
    functionCall: { id: call.id, name: call.name, args: parseArguments(call) },
    ...signature(call, index),
  }));
  return { role: 'model', blocks: [...textParts(spoken(message)), ...calls] };
}

/** Signature of a call: only the first of parallel calls has one. */
function signature({ extra }: ToolCall, index: number): Json {
  const signed = asText(asObject(extra?.google).thought_signature);
  if (signed !== '') return { thoughtSignature: signed };
  return index === 0 ? { thoughtSignature: NO_SIGNATURE } : {};
}

/** Types that results of tools may hold since the third generation. */
const RESULT_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'application/pdf', 'text/plain'];
export const isInResults = (part: ChatPart): boolean =>
  (part.type === 'image' || part.type === 'file') && RESULT_TYPES.includes(part.mediaType);

function toParts(part: ChatPart): Json[] {
  if (part.type === 'text') return textParts(part.text);
  if (part.type !== 'image' && part.type !== 'file') return [];
  return [{ inlineData: { mimeType: part.mediaType, data: part.data } }];
}

/** The same chat with the placeholder for each signature; undefined if it has none. */
export function withoutSignatures(body: Json): Json | undefined {
  const contents = asList(body.contents).map(asObject);
  const isSigned = ({ thoughtSignature: signed }: Json) => signed !== undefined && signed !== NO_SIGNATURE;
  if (!contents.some(({ parts }) => asList(parts).map(asObject).some(isSigned))) return undefined;
  const strip = (part: Json, index: number, parts: readonly Json[]): Json => {
    const isFirst = parts.findIndex(({ functionCall }) => functionCall !== undefined) === index;
    return defined({ ...part, thoughtSignature: isFirst ? NO_SIGNATURE : undefined });
  };
  return {
    ...body,
    contents: contents.map(({ role, parts }) => ({ role, parts: asList(parts).map(asObject).map(strip) })),
  };
}
