import { isObject, type Json, MAX_SCHEMA_BYTES } from '../../contract/basics.ts';
import { Fault, type Problem } from '../../contract/codes/faults.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import {
  type CacheMark,
  type ChatPart,
  isEmpty,
  type TextPart,
  type UnknownFields,
} from '../../families/llm-providers/public.ts';

export const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Arguments of a call as JSON text. Some clients send the object itself. */
export const argumentsIn = (value: unknown): string | undefined =>
  isObject(value) ? stringifyExact(value) : text(value ?? '');

/** A problem if the schema of a tool is larger than providers take. */
export const schemaSizeProblems = (schema: Json | null | undefined, field: string): Problem[] =>
  schema && Buffer.byteLength(stringifyExact(schema)) > MAX_SCHEMA_BYTES
    ? [{ field, message: `must not be longer than ${MAX_SCHEMA_BYTES} bytes of JSON` }]
    : [];

/** The members of a JSON schema for answers, whatever object holds them; undefined if it is none. */
export function schemaFormat({ name, schema, description, strict }: Json) {
  if (typeof name !== 'string' || !isObject(schema)) return undefined;
  return {
    type: 'json_schema' as const,
    name,
    schema,
    description: text(description),
    strict: typeof strict === 'boolean' ? strict : undefined,
  };
}

/** The fields of an object but those of `names` and those that are empty, which some servers refuse. */
export function othersIn(object: Json, ...names: string[]): UnknownFields | undefined {
  const others = Object.entries(object).filter(([name, value]) => !names.includes(name) && !isEmpty(value));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

/** As a member to spread: absent where there is none. */
export const othersOf = (object: Json, ...names: string[]): { others?: UnknownFields } => {
  const others = othersIn(object, ...names);
  return others ? { others } : {};
};
export const innerOf = (object: Json, ...names: string[]): { inner?: UnknownFields } => {
  const inner = othersIn(object, ...names);
  return inner ? { inner } : {};
};

/** `cache_control` of a message, part or tool, as a member to spread. */
export function cacheOf({ cache_control: mark }: Json, field: string, problems: Problem[]): { cache?: CacheMark } {
  if (isEmpty(mark)) return {};
  const { type, ttl } = isObject(mark) ? mark : {};
  if (type === 'ephemeral' && (ttl === '5m' || ttl === '1h')) return { cache: { ttl } };
  if (type === 'ephemeral' && (ttl ?? undefined) === undefined) return { cache: {} };
  problems.push({
    field: `${field}.cache_control`,
    message: 'must be {type: ephemeral}, with a ttl of 5m or 1h if any',
  });
  return {};
}

/** The parts of a text, where one of them has fields of its own. */
export function textParts(content: unknown, field: string, problems: Problem[]): { parts?: TextPart[] } {
  if (!Array.isArray(content) || content.some((part) => (part as Json).type !== 'text')) return {};
  const parts = content.map((part: Json, index): TextPart => {
    const cache = cacheOf(part, `${field}.content.${index}`, problems);
    return { type: 'text', text: String(part.text), ...cache, ...othersOf(part, 'type', 'text', 'cache_control') };
  });
  return parts.some(({ others, cache }) => others || cache) ? { parts } : {};
}

const DATA_URL = /^\s*data:([\w.+*/-]*)(?:;[\w.+="-]+)*;base64,([A-Za-z0-9+/=\s]*)$/i;
const PICTURE = /^image\/[\w.+-]+$/;

export function toPart(part: unknown, field: string, problems: Problem[]): ChatPart | undefined {
  const add = (message: string, path = field): undefined => void problems.push({ field: path, message });
  if (!isObject(part)) return add('must be an object with a type');
  const others = {
    ...cacheOf(part, field, problems),
    ...othersOf(part, 'type', 'cache_control', String(part.type)),
  };
  if (part.type === 'text')
    return typeof part.text === 'string'
      ? { type: 'text', text: part.text, ...others }
      : add('must be a text', `${field}.text`);
  if (part.type === 'image_url') {
    const image = isObject(part.image_url) ? part.image_url : { url: part.image_url };
    const read = toImage(image, () => add('must be an http(s) or a base64 data: URL', `${field}.image_url.url`));
    return read && { ...read, ...others, ...innerOf(image, 'url', 'detail') };
  }
  if (part.type === 'file' && isObject(part.file)) {
    const { file_id: id, file_data: data, filename } = part.file;
    const more = { ...others, ...innerOf(part.file, 'file_id', 'file_data', 'filename') };
    if (typeof id === 'string') return { type: 'file_id', id, ...more };
    const file = typeof data === 'string' ? readDataUrl(data) : undefined;
    if (!file?.mediaType.includes('/')) return add('must be a base64 data: URL', `${field}.file.file_data`);
    return { type: 'file', ...file, name: text(filename), ...more };
  }
  if (part.type === 'input_audio')
    throw new Fault('not_supported', 'The gateway does not support audio', { param: field });
  return add('must be text, image_url or file', `${field}.type`);
}

export function toImage({ url, detail }: Json, refuse: () => undefined): ChatPart | undefined {
  if (typeof url !== 'string') return refuse();
  if (/^https?:\/\//i.test(url)) return { type: 'image_url', url, detail: text(detail) };
  const image = readDataUrl(url);
  const mediaType = image ? pictureType(image) : '';
  if (!image || !PICTURE.test(mediaType)) return refuse();
  return { type: 'image', ...image, mediaType, detail: text(detail) };
}

interface Data {
  mediaType: string;
  /** In base64. */
  data: string;
}

export function readDataUrl(url: string): Data | undefined {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (mediaType === undefined || data === undefined) return undefined;
  return { mediaType: mediaType.toLowerCase(), data: data.replace(/\s+/g, '') };
}

/** The first bytes of the formats that providers take, and what follows the size in a RIFF file. */
const PICTURES: readonly { mediaType: string; begin: string; at8?: string }[] = [
  { mediaType: 'image/png', begin: '\x89PNG' },
  { mediaType: 'image/jpeg', begin: '\xff\xd8\xff' },
  { mediaType: 'image/gif', begin: 'GIF8' },
  { mediaType: 'image/webp', begin: 'RIFF', at8: 'WEBP' },
];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
};

/** Providers refuse a label that the content contradicts, so the content decides. */
export function pictureType({ mediaType, data }: Data): string {
  const bytes = Buffer.from(data.slice(0, 24), 'base64').toString('latin1');
  const isOf = ({ begin, at8 = '' }: (typeof PICTURES)[number]) => bytes.startsWith(begin) && bytes.startsWith(at8, 8);
  return PICTURES.find(isOf)?.mediaType ?? OTHER_NAMES[mediaType] ?? mediaType;
}
