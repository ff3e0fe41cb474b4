import type { ChatPart, TextPart, UnknownFields } from '../chat.ts';
import { asList, asObject, type Json } from '../json.ts';
import { alternate, BEGIN, endTrimmed, parseArguments, spokenParts, type Turn } from '../turns.ts';

/** Fields of OpenAI's messages, parts and tools that Anthropic reads, too. */
export const KNOWN_OTHERS = [
  'messages[].cache_control',
  'messages[].content[].cache_control',
  'tools[].cache_control',
  'tools[].function.cache_control',
];

/** The mark that the prompt is cached to the end of a block. */
export const cacheControl = (...sources: (UnknownFields | undefined)[]): Json => {
  const marked = sources.find((others) => others?.cache_control !== undefined);
  return marked ? { cache_control: marked.cache_control } : {};
};

export function toMessages(messages: readonly Turn[]): Json[] {
  const turns = alternate(messages.map(toTurn), { type: 'text', text: BEGIN }).map(({ role, blocks }) => ({
    role,
    // Results come first in their turn.
    blocks: [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))],
  }));
  return endTrimmed(turns).map(({ role, blocks }) => {
    const [only] = blocks;
    const isPlain = blocks.length === 1 && only?.type === 'text' && only.cache_control === undefined;
    return { role, content: isPlain ? only.text : blocks };
  });
}

const isResult = (block: Json): boolean => block.type === 'tool_result';
/** Empty texts are refused. */
const textBlocks = ({ text, others }: TextPart): Json[] =>
  text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(others) }];

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId: tool_use_id, parts, isError: is_error, others } = message;
    const content = parts ? parts.flatMap(textBlocks) : message.content;
    const more = { ...(is_error ? { is_error } : {}), ...cacheControl(others) };
    return { role: 'user', blocks: [{ type: 'tool_result', tool_use_id, content, ...more }] };
  }
  if (message.role === 'user') {
    const { content, others } = message;
    const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    const blocks = parts.flatMap(toBlocks);
    const last = blocks.pop();
    return { role: 'user', blocks: last ? [...blocks, { ...cacheControl(others), ...last }] : [] };
  }
  const { toolCalls = [] } = message;
  const thinking = toolCalls.flatMap(({ extra }) => asList(asObject(extra?.anthropic).thinking_blocks)).map(asObject);
  const uses = toolCalls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseArguments(call),
  }));
  return { role: 'assistant', blocks: [...thinking, ...spokenParts(message).flatMap(textBlocks), ...uses] };
}

function toBlocks(part: ChatPart): Json[] {
  const more = cacheControl(part.others);
  switch (part.type) {
    case 'text':
      return textBlocks(part);
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data }, ...more }];
    case 'image_url':
      return [{ type: 'image', source: { type: 'url', url: part.url }, ...more }];
    case 'file':
      return [
        { type: 'document', source: toSource(part), ...(part.name === undefined ? {} : { title: part.name }), ...more },
      ];
    default:
      return [];
  }
}

const toSource = ({ mediaType, data }: { mediaType: string; data: string }): Json =>
  mediaType === 'application/pdf'
    ? { type: 'base64', media_type: mediaType, data }
    : { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };

const isThinking = (block: unknown) => /thinking$/.test(String(asObject(block).type));

/** The same chat without thinking blocks; undefined if it has none. */
export function withoutThinking(body: Json): Json | undefined {
  const messages = asList(body.messages).map(asObject);
  if (!messages.some(({ content }) => asList(content).some(isThinking))) return undefined;
  const stripped = messages.map(({ role, content }) => ({
    role,
    content: Array.isArray(content) ? content.filter((block) => !isThinking(block)) : content,
  }));
  return { ...body, messages: stripped };
}
