import type { ChatPart } from '../chat.ts';
import { asList, asObject, type Json } from '../json.ts';
import { alternate, BEGIN, parseArguments, spoken, type Turn } from '../turns.ts';

export function toMessages(messages: readonly Turn[]): Json[] {
  return alternate(messages.map(toTurn), { type: 'text', text: BEGIN }).map(({ role, blocks }) => {
    // Results come first in their turn.
    const ordered = [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
    const [only] = ordered;
    const isPlain = ordered.length === 1 && only?.type === 'text';
    return { role, content: isPlain ? only.text : ordered };
  });
}

const isResult = (block: Json): boolean => block.type === 'tool_result';
/** Empty texts are refused. */
const textBlocks = (text: string): Json[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId: tool_use_id, content, isError: is_error } = message;
    return { role: 'user', blocks: [{ type: 'tool_result', tool_use_id, content, ...(is_error ? { is_error } : {}) }] };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? textBlocks(content) : content.flatMap(toBlocks) };
  }
  const { toolCalls = [] } = message;
  const thinking = toolCalls.flatMap(({ extra }) => asList(asObject(extra?.anthropic).thinking_blocks)).map(asObject);
  const uses = toolCalls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseArguments(call),
  }));
  return { role: 'assistant', blocks: [...thinking, ...textBlocks(spoken(message)), ...uses] };
}

function toBlocks(part: ChatPart): Json[] {
  switch (part.type) {
    case 'text':
      return textBlocks(part.text);
    case 'image':
      return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
    case 'image_url':
      return [{ type: 'image', source: { type: 'url', url: part.url } }];
    case 'file':
      return [{ type: 'document', source: toSource(part), ...(part.name === undefined ? {} : { title: part.name }) }];
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
