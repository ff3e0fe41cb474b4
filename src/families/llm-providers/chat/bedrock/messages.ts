import type { ChatPart, ChatRequest } from '../chat.ts';
import { asList, asObject, type Json } from '../json.ts';
import { OWN_TEXTS } from '../ownTexts.ts';
import { alternate, BEGIN, endTrimmed, parseArguments, spoken, type Turn } from '../turns.ts';

export function toMessages(messages: readonly Turn[]): Json[] {
  return endTrimmed(alternate(messages.map(toTurn), { text: BEGIN })).map(({ role, blocks }) => ({
    role,
    content: [...blocks.filter((block) => block.toolResult), ...blocks.filter((block) => !block.toolResult)],
  }));
}

/** Empty texts are refused. */
const textBlocks = (text: string): Json[] => (text.trim() === '' ? [] : [{ text }]);

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const status = message.isError ? 'error' : 'success';
    const content = message.content.trim() === '' ? [{ json: {} }] : [{ text: message.content }];
    return { role: 'user', blocks: [{ toolResult: { toolUseId: message.toolCallId, content, status } }] };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? textBlocks(content) : toBlocks(content) };
  }
  const { toolCalls = [] } = message;
  const reasoning = toolCalls.flatMap(({ extra }) => asList(asObject(extra?.bedrock).reasoning_content));
  const uses = toolCalls.map((call) => ({
    toolUse: { toolUseId: call.id, name: call.name, input: parseArguments(call) },
  }));
  const thoughts = reasoning.map((content) => ({ reasoningContent: toReasoning(asObject(content)) }));
  return { role: 'assistant', blocks: [...thoughts, ...textBlocks(spoken(message)), ...uses] };
}

/** Bytes travel as base64 in JSON. */
const toReasoning = (content: Json): Json =>
  typeof content.redactedContent === 'string'
    ? { redactedContent: Buffer.from(content.redactedContent, 'base64') }
    : content;

function toBlocks(parts: readonly ChatPart[]): Json[] {
  const blocks = parts.flatMap((part, index): Json[] => {
    if (part.type === 'text') return textBlocks(part.text);
    if (part.type !== 'image' && part.type !== 'file') return [];
    const format = (part.type === 'image' ? IMAGES : DOCUMENTS)[part.mediaType];
    const source = { bytes: Buffer.from(part.data, 'base64') };
    if (part.type === 'image') return [{ image: { format, source } }];
    return [{ document: { format, name: documentName(part.name, index), source } }];
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
function documentName(name: string | undefined, index: number): string {
  const plain = (name ?? 'document').replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9()[\]-]+/g, ' ');
  return `${plain.trim().slice(0, 150) || 'document'} ${index + 1}`;
}

/** Names of the parts that have no format here. */
export function unknownParts({ messages }: ChatRequest): string[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const image = parts.some((part) => part.type === 'image' && !Object.hasOwn(IMAGES, part.mediaType));
  const file = parts.some((part) => part.type === 'file' && !Object.hasOwn(DOCUMENTS, part.mediaType));
  return [...(image ? ['image_url'] : []), ...(file ? ['file'] : [])];
}

/** The same chat without reasoning blocks; undefined if it has none. */
export function withoutReasoning(body: Json): Json | undefined {
  const messages = asList(body.messages).map(asObject);
  const isReasoning = (block: unknown) => asObject(block).reasoningContent !== undefined;
  if (!messages.some(({ content }) => asList(content).some(isReasoning))) return undefined;
  const stripped = messages.map(({ role, content }) => ({
    role,
    content: asList(content).filter((block) => !isReasoning(block)),
  }));
  return { ...body, messages: stripped };
}
