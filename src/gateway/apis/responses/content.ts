import { isObject, type Json } from '../../../contract/basics.ts';
import { Fault, type Problem } from '../../../contract/codes/faults.ts';
import { type ChatPart, isEmpty, type TextPart, type UnknownFields } from '../../../families/llm-providers/public.ts';
import { readDataUrl, text, toImage } from '../../models/chatParts.ts';

interface TextContent {
  content: string;
  parts?: TextPart[];
}

const NO_CONTENT = 'must be a text or a list of parts';

/** A content of texts alone. Its parts are kept where one of them has a field of its own. @param between two parts */
export function toText(content: unknown, field: string, problems: Problem[], between: string): TextContent | undefined {
  if (typeof content === 'string') return { content };
  const parts = toParts(content, field, problems);
  const texts = parts?.filter((part) => part.type === 'text');
  if (!parts || !texts) return undefined;
  if (texts.length === parts.length) return joined(texts, between);
  problems.push({ field, message: 'must have texts alone' });
  return undefined;
}

const joined = (parts: readonly TextPart[], between: string): TextContent =>
  parts.some(({ others }) => others)
    ? { content: textOf(parts), parts: [...parts] }
    : { content: parts.map((part) => part.text).join(between) };

const textOf = (parts: readonly ChatPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');

export function toUserContent(content: unknown, field: string, problems: Problem[]): string | ChatPart[] | undefined {
  if (typeof content === 'string') return content;
  const parts = toParts(content, field, problems);
  const [first] = parts ?? [];
  return parts?.length === 1 && first?.type === 'text' && !first.others ? first.text : parts;
}

/** The output of a call. */
export function toResult(
  output: unknown,
  field: string,
  problems: Problem[],
): { content: string; parts?: ChatPart[] } | undefined {
  if (typeof output === 'string') return { content: output };
  const parts = toParts(output, field, problems);
  if (!parts) return undefined;
  const texts = parts.filter((part) => part.type === 'text');
  return texts.length === parts.length ? joined(texts, '\n') : { content: textOf(parts), parts };
}

function toParts(content: unknown, field: string, problems: Problem[]): ChatPart[] | undefined {
  if (!Array.isArray(content)) {
    problems.push({ field, message: NO_CONTENT });
    return undefined;
  }
  const parts = content.map((part, index) => toPart(part, `${field}.${index}`, problems));
  return parts.filter((part) => part !== undefined);
}

function toPart(part: unknown, field: string, problems: Problem[]): ChatPart | undefined {
  const add = (message: string, member = ''): undefined =>
    void problems.push({ field: member === '' ? field : `${field}.${member}`, message });
  if (!isObject(part)) return add('must be an object with a type');
  switch (part.type) {
    case 'input_text':
    case 'output_text':
      return typeof part.text === 'string'
        ? { type: 'text', text: part.text, ...othersOf(part) }
        : add('must be a text', 'text');
    case 'refusal':
      return typeof part.refusal === 'string' ? { type: 'text', text: part.refusal } : add('must be a text', 'refusal');
    case 'input_image': {
      refuseIds(part, field);
      const { image_url: url, detail } = part;
      const image = toImage({ url, detail }, () => add('must be an http(s) or a base64 data: URL', 'image_url'));
      return image && { ...image, ...othersOf(part) };
    }
    case 'input_file':
      return toFile(part, field, add);
    case 'input_audio':
      throw new Fault('not_supported', 'The gateway does not support audio', { param: field });
    default:
      return add('must be input_text, output_text, refusal, input_image or input_file', 'type');
  }
}

/** A mark of OpenAI's cache reaches the servers of its dialect. */
const othersOf = ({ prompt_cache_breakpoint: mark }: Json): { others?: UnknownFields } =>
  isEmpty(mark) ? {} : { others: { prompt_cache_breakpoint: mark } };

function refuseIds({ file_id: id }: Json, field: string): void {
  if (isEmpty(id)) return;
  const message = 'The gateway stores no files: send the image as image_url';
  throw new Fault('not_supported', message, { param: `${field}.file_id` });
}

function toFile(part: Json, field: string, add: (message: string, member?: string) => undefined): ChatPart | undefined {
  const { file_id: id, file_url: url, file_data: data, filename } = part;
  const others = othersOf(part);
  if (typeof id === 'string' && id !== '') return { type: 'file_id', id, ...others };
  if (!isEmpty(url)) {
    const message = 'The gateway fetches no files: send the content as file_data';
    throw new Fault('not_supported', message, { param: `${field}.file_url` });
  }
  const name = text(filename);
  const file = typeof data === 'string' ? (readDataUrl(data) ?? bareFile(data, name)) : undefined;
  if (!file?.mediaType.includes('/')) {
    return add('must be a base64 data: URL, or base64 beside a filename with a known ending', 'file_data');
  }
  return { type: 'file', ...file, name, ...others };
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  pdf: 'application/pdf',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  xml: 'application/xml',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** Some clients send base64 without the head of a data: URL, so the name has to say what it is. */
function bareFile(data: string, name = ''): ReturnType<typeof readDataUrl> {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const mediaType = Object.hasOwn(MEDIA_TYPES, ending) ? MEDIA_TYPES[ending] : undefined;
  if (mediaType === undefined || !BASE64.test(data)) return undefined;
  return { mediaType, data: data.replace(/\s+/g, '') };
}
