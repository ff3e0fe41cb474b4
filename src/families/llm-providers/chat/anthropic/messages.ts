import type { CacheMark, ChatPart, TextPart } from '../chat.ts';
import { asList, asObject, type Json } from '../json.ts';
import { alternate, BEGIN, cacheControl, endTrimmed, parseArguments, spokenParts, type Turn } from '../turns.ts';

/** @param placed turns that are instructions */
export function toMessages(messages: readonly Turn[], placed: ReadonlySet<Turn>): Json[] {
  const given = messages.map((message) => (placed.has(message) ? toInstruction(message) : toTurn(message)));
  const turns = alternate(given, { type: 'text', text: BEGIN }).map(({ role, blocks }) => ({
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
const textBlocks = ({ text, cache }: TextPart): Json[] =>
  text.trim() === '' ? [] : [{ type: 'text', text, ...cacheControl(cache) }];

/** The mark of a message is that of its last block, unless that has one. */
function marked(blocks: readonly Json[], cache: CacheMark | undefined): Json[] {
  const last = blocks.at(-1);
  return last ? [...blocks.slice(0, -1), { ...cacheControl(cache), ...last }] : [];
}

const toInstruction = (message: Turn) => ({ ...toTurn(message), role: 'system' as const });

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId: tool_use_id, parts, isError: is_error, cache } = message;
    const content = parts ? parts.flatMap(toBlocks) : message.content;
    const more = { ...(is_error ? { is_error } : {}), ...cacheControl(cache) };
    return { role: 'user', blocks: [{ type: 'tool_result', tool_use_id, content, ...more }] };
  }
  if (message.role === 'user') {
    const { content, cache } = message;
    const parts: readonly ChatPart[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
    return { role: 'user', blocks: marked(parts.flatMap(toBlocks), cache) };
  }
  const { toolCalls = [], carrier, cache } = message;
  const thinking = [carrier, ...toolCalls.map(({ extra }) => extra)]
    .flatMap((carried) => asList(asObject(carried?.anthropic).thinking_blocks))
    .map(asObject);
  const uses = toolCalls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseArguments(call),
  }));
  const said = marked([...spokenParts(message).flatMap(textBlocks), ...uses], cache);
  return { role: 'assistant', blocks: [...thinking, ...said] };
}

function toBlocks(part: ChatPart): Json[] {
  const more = cacheControl(part.cache);
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

/** Whether a document can be sent: a PDF or a text. */
export const isReadable = ({ mediaType }: { mediaType: string }): boolean =>
  mediaType === 'application/pdf' || /^text\//.test(mediaType);

/** Whether a part can stand in a result of a tool. */
export const isInResults = (part: ChatPart): boolean =>
  part.type === 'image' || part.type === 'image_url' || (part.type === 'file' && isReadable(part));

const toSource = ({ mediaType, data }: { mediaType: string; data: string }): Json =>
  mediaType === 'application/pdf'
    ? { type: 'base64', media_type: mediaType, data }
    : { type: 'text', media_type: 'text/plain', data: Buffer.from(data, 'base64').toString('utf8') };

const isThinking = (block: unknown) => /thinking$/.test(String(asObject(block).type));

/** Whether the model is in the middle of calls that did not begin with thinking: it cannot be made to think before they are over. */
export function lacksThinking(messages: readonly Json[]): boolean {
  const blocksOf = (message: Json | undefined) => asList(message?.content).map(asObject);
  // An instruction may stand behind the results.
  if (!blocksOf(messages.findLast(({ role }) => role !== 'system')).some(isResult)) return false;
  return !isThinking(blocksOf(messages.findLast(({ role }) => role === 'assistant'))[0]);
}

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
