import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import type { ChatPart, TextPart } from '../../../families/llm-providers/public.ts';
import { cacheOf, pictureType, text } from '../../models/chatParts.ts';

/** A block, and its path in the request. */
export interface PlacedBlock {
  block: Json;
  field: string;
}

export interface Notices {
  problems: Problem[];
  warnings: Set<string>;
}

/** The blocks of a content; a text is one. */
export function placedBlocks(content: unknown, field: string, { problems }: Notices): PlacedBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, field }];
  if (!Array.isArray(content)) {
    problems.push({ field, message: 'must be a text or a list of blocks' });
    return [];
  }
  return content.flatMap((block, index) => {
    const place = `${field}.${index}`;
    if (isObject(block)) return [{ block, field: place }];
    problems.push({ field: place, message: 'must be an object with a type' });
    return [];
  });
}

/** Blocks that stand in the history of tools that Anthropic runs. */
const HOSTED =
  /^(?:server_tool_use|mcp_tool_use|\w+_tool_result|advisor\w*|container_upload|fallback|tool_addition|mid_conv_\w+)$/;

/** Leaves out a block of a hosted tool with a warning, and refuses any other. @throws Fault `not_supported` for a compaction */
export function leaveOut(
  { block: { type }, field }: PlacedBlock,
  { problems, warnings }: Notices,
  takes: string,
): void {
  if (type === 'compaction') throw unsupported(field, 'a compaction, which stands for messages that it has not');
  if (typeof type === 'string' && HOSTED.test(type))
    warnings.add(`blocks of the type ${type} were left out: the gateway has no such tools`);
  else problems.push({ field: `${field}.type`, message: `must be ${takes}` });
}

const unsupported = (param: string, what: string): Fault =>
  new Fault('not_supported', `The gateway does not support ${param}: ${what}`, { param });

/** The parts of a block of text, image, document or search result; undefined for a block of another type. Empty texts are no parts. */
export function partsOfBlock(placed: PlacedBlock, notices: Notices): ChatPart[] | undefined {
  const { block, field } = placed;
  const cache = cacheOf(block, field, notices.problems);
  switch (block.type) {
    case 'text':
      return textOf(block.text, `${field}.text`, notices).map((part) => ({ ...part, ...cache }));
    case 'image':
      return toImage(placed, notices).map((part) => ({ ...part, ...cache }));
    case 'document':
      return markedLast(toDocument(placed, notices), cache);
    case 'search_result':
      return markedLast(toSearchResult(placed, notices), cache);
    case 'tool_reference':
      return textOf(block.tool_name, `${field}.tool_name`, notices);
    default:
      return undefined;
  }
}

const markedLast = (parts: readonly ChatPart[], cache: object): ChatPart[] =>
  parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...cache } : part));

function textOf(value: unknown, field: string, { problems }: Notices): TextPart[] {
  if (typeof value !== 'string') problems.push({ field, message: 'must be a text' });
  return typeof value === 'string' && value !== '' ? [{ type: 'text', text: value }] : [];
}

const BASE64 = /^[A-Za-z0-9+/=\s]*$/;
const HTTP = /^https?:\/\//i;

/** The data of a base64 source, which is in base64. */
function dataOf({ source, field }: Source, { problems }: Notices): string | undefined {
  if (typeof source.data === 'string' && BASE64.test(source.data)) return source.data.replace(/\s+/g, '');
  problems.push({ field: `${field}.data`, message: 'must be in base64' });
  return undefined;
}

interface Source {
  source: Json;
  field: string;
}

/** @throws Fault `not_supported` for a file of Anthropic */
function sourceOf({ block, field }: PlacedBlock): Source {
  const source = isObject(block.source) ? block.source : {};
  if (source.type === 'file') throw unsupported(`${field}.source`, 'files stored at Anthropic. Send the data itself.');
  return { source, field: `${field}.source` };
}

function toImage(placed: PlacedBlock, notices: Notices): ChatPart[] {
  const given = sourceOf(placed);
  const { source, field } = given;
  if (source.type === 'url') {
    if (typeof source.url === 'string' && HTTP.test(source.url)) return [{ type: 'image_url', url: source.url }];
    notices.problems.push({ field: `${field}.url`, message: 'must be an http(s) URL' });
    return [];
  }
  if (source.type !== 'base64') {
    notices.problems.push({ field: `${field}.type`, message: 'must be base64 or url' });
    return [];
  }
  const data = dataOf(given, notices);
  if (data === undefined) return [];
  const mediaType = pictureType({ mediaType: String(source.media_type).toLowerCase(), data });
  if (/^image\/[\w.+-]+$/.test(mediaType)) return [{ type: 'image', mediaType, data }];
  notices.problems.push({ field: `${field}.media_type`, message: 'must be that of an image' });
  return [];
}

/** @throws Fault `not_supported` for documents that a provider would have to fetch */
function toDocument(placed: PlacedBlock, notices: Notices): ChatPart[] {
  const { block } = placed;
  const given = sourceOf(placed);
  const { source, field } = given;
  if (isObject(block.citations) && block.citations.enabled === true)
    notices.warnings.add('citations were left out: the answer has none');
  const name = text(block.title) || undefined;
  const context: ChatPart[] = text(block.context) ? [{ type: 'text', text: String(block.context) }] : [];
  switch (source.type) {
    case 'base64': {
      const data = dataOf(given, notices);
      const mediaType = text(source.media_type)?.toLowerCase() ?? 'application/pdf';
      return data === undefined ? [] : [...context, { type: 'file', mediaType, data, name }];
    }
    case 'text': {
      if (typeof source.data !== 'string') {
        notices.problems.push({ field: `${field}.data`, message: 'must be a text' });
        return [];
      }
      const data = Buffer.from(source.data, 'utf8').toString('base64');
      return [...context, { type: 'file', mediaType: 'text/plain', data, name }];
    }
    case 'content': {
      const inner = placedBlocks(source.content, `${field}.content`, notices);
      return [...context, ...inner.flatMap((each) => partsOrProblem(each, notices, 'text or image'))];
    }
    case 'url':
      throw unsupported(field, 'documents by URL, since it fetches nothing. Send the data itself.');
    default:
      notices.problems.push({ field: `${field}.type`, message: 'must be base64, text or content' });
      return [];
  }
}

/** The parts of a block that can be nothing else. @param takes names of the types that may stand here */
export function partsOrProblem(placed: PlacedBlock, notices: Notices, takes: string): ChatPart[] {
  const parts = partsOfBlock(placed, notices);
  if (parts === undefined) leaveOut(placed, notices, takes);
  return parts ?? [];
}

function toSearchResult({ block, field }: PlacedBlock, notices: Notices): ChatPart[] {
  const inner = placedBlocks(block.content, `${field}.content`, notices);
  const texts = inner.flatMap((each) => partsOrProblem(each, notices, 'text'));
  const lines = [
    text(block.title),
    text(block.source),
    ...texts.map((part) => (part.type === 'text' ? part.text : '')),
  ];
  return [{ type: 'text', text: lines.filter(Boolean).join('\n') }];
}
