import type { CacheMark, ChatPart, ChatRequest, TextPart } from '../chat.ts';
import { asList, asObject, defined, type Json } from '../json.ts';
import { OWN_TEXTS } from '../ownTexts.ts';
import { alternate, BEGIN, endTrimmed, parseArguments, spokenParts, type Turn } from '../turns.ts';

export function toMessages(messages: readonly Turn[]): Json[] {
  return endTrimmed(alternate(messages.map(toTurn), { text: BEGIN })).map(({ role, blocks }) => ({
    role,
    content: [...blocks.filter((block) => block.toolResult), ...blocks.filter((block) => !block.toolResult)].flatMap(
      withPoint,
    ),
  }));
}

/** Until the blocks are in their order, the mark of one is a member of it. Its time to live is the provider's. */
export const cachePoint = (mark: CacheMark | undefined): Json => (mark ? { cachePoint: { type: 'default' } } : {});

/** The prompt is cached up to a block of its own. */
export const withPoint = ({ cachePoint: point, ...block }: Json): Json[] =>
  point ? [block, { cachePoint: point }] : [block];

/** Empty texts are refused. */
export const textBlocks = ({ text, cache }: Omit<TextPart, 'type'>): Json[] =>
  text.trim() === '' ? [] : [{ text, ...cachePoint(cache) }];

function marked(blocks: readonly Json[], cache: CacheMark | undefined): Json[] {
  const last = blocks.at(-1);
  return last ? [...blocks.slice(0, -1), { ...last, ...cachePoint(cache) }] : [];
}

function toTurn(message: Turn, turn: number): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId: toolUseId, content: text, parts = [], cache } = message;
    const status = message.isError ? 'error' : 'success';
    const sent =
      parts.length > 0
        ? toBlocks(parts, `${turn + 1}-`).map(({ cachePoint: _, ...block }) => block)
        : textBlocks({ text });
    const content = sent.length > 0 ? sent : [{ json: {} }];
    // Nothing within a result can be marked.
    const mark = cache ?? parts.find((part) => part.cache)?.cache;
    return { role: 'user', blocks: [{ toolResult: { toolUseId, content, status }, ...cachePoint(mark) }] };
  }
  if (message.role === 'user') {
    const { content, cache } = message;
    const blocks = typeof content === 'string' ? textBlocks({ text: content }) : toBlocks(content);
    return { role: 'user', blocks: marked(blocks, cache) };
  }
  const { toolCalls = [], carrier, cache } = message;
  const reasoning = [carrier, ...toolCalls.map(({ extra }) => extra)].flatMap((carried) =>
    asList(asObject(carried?.bedrock).reasoning_content),
  );
  const uses = toolCalls.map((call) => ({
    toolUse: { toolUseId: call.id, name: call.name, input: parseArguments(call) },
  }));
  const thoughts = reasoning.map((content) => ({ reasoningContent: toReasoning(asObject(content)) }));
  const said = marked([...spokenParts(message).flatMap(textBlocks), ...uses], cache);
  return { role: 'assistant', blocks: [...thoughts, ...said] };
}

/** Bytes travel as base64 in JSON. */
const toReasoning = (content: Json): Json =>
  typeof content.redactedContent === 'string'
    ? { redactedContent: Buffer.from(content.redactedContent, 'base64') }
    : content;

/** @param before distinguishes the names of documents in results, of which a message may hold several */
function toBlocks(parts: readonly ChatPart[], before = ''): Json[] {
  const blocks = parts.flatMap((part, index): Json[] => {
    if (part.type === 'text') return textBlocks(part);
    if (part.type !== 'image' && part.type !== 'file') return [];
    const format = (part.type === 'image' ? IMAGES : DOCUMENTS)[part.mediaType];
    const source = { bytes: Buffer.from(part.data, 'base64') };
    const mark = cachePoint(part.cache);
    if (part.type === 'image') return [{ image: { format, source }, ...mark }];
    return [{ document: { format, name: documentName(part.name, `${before}${index + 1}`), source }, ...mark }];
  });
  // A document demands a text beside it.
  const isMute = blocks.some((block) => block.document) && !blocks.some((block) => block.text);
  return isMute ? [...blocks, { text: OWN_TEXTS.seeDocument }] : blocks;
}

const IMAGES: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};
const DOCUMENTS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
};

/** Unique in a message, and of few characters. */
function documentName(name: string | undefined, end: string): string {
  const plain = (name ?? 'document').replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9()[\]-]+/g, ' ');
  return `${plain.trim().slice(0, 150) || 'document'} ${end}`;
}

/** Whether an image or a document has a format here. */
export const hasFormat = (part: ChatPart): boolean =>
  (part.type === 'image' && Object.hasOwn(IMAGES, part.mediaType)) ||
  (part.type === 'file' && Object.hasOwn(DOCUMENTS, part.mediaType));

/** Names of the parts that have no format here. */
export function unknownParts({ messages }: ChatRequest): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const image = parts.some((part) => part.type === 'image' && !hasFormat(part));
  const file = parts.some((part) => part.type === 'file' && !hasFormat(part));
  return [...(image ? ['image_url'] : []), ...(file ? ['file'] : [])];
}

/** The same chat without reasoning blocks; undefined if it has none. */
export const withoutReasoning = (body: Json): Json | undefined =>
  withoutBlocks(body, (block) => block.reasoningContent !== undefined);

/** The same chat without marks of the cache; undefined if it has none. */
export const withoutCachePoints = (body: Json): Json | undefined =>
  withoutBlocks(body, (block) => block.cachePoint !== undefined);

function withoutBlocks(body: Json, isOut: (block: Json) => boolean): Json | undefined {
  let hasOne = false;
  const left = (blocks: unknown): unknown =>
    blocks &&
    asList(blocks).filter((block) => {
      const leaves = isOut(asObject(block));
      hasOne ||= leaves;
      return !leaves;
    });
  const { messages, system, toolConfig } = body;
  const stripped = defined({
    ...body,
    messages: asList(messages).map((message) => ({ ...asObject(message), content: left(asObject(message).content) })),
    system: left(system),
    toolConfig: toolConfig && { ...asObject(toolConfig), tools: left(asObject(toolConfig).tools) },
  });
  return hasOne ? stripped : undefined;
}
