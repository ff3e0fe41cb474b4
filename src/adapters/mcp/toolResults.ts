import { isObject, type Json } from '../../contract/basics.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { textOf } from './messages.ts';

/** Deeper values cannot be written as text. */
const MAX_LEVELS = 500;

/**
 * The result of a tool with regular members: content, structuredContent, isError, or what a server asks for. A tool that ran must
 * not lose its result for one irregular member, so an item of an unknown or broken kind becomes a text.
 */
export function readToolResult(raw: unknown): Json {
  if (!isObject(raw)) return { content: contentOf(raw) };
  if (raw.resultType === 'input_required') return raw;
  const { content, structuredContent, isError, toolResult, ...others } = raw;
  // Revision 2024-10-07 had `toolResult`.
  if (isAbsent(content) && isAbsent(structuredContent) && !isAbsent(toolResult)) return readToolResult(toolResult);
  const { _meta, resultType, ...unknownMembers } = others;
  const items = contentOf(content);
  // Members of the server's own, such as `error`, must not be lost.
  const isSaidElsewhere = items.length === 0 && isAbsent(structuredContent) && Object.keys(unknownMembers).length > 0;
  return {
    content: isSaidElsewhere ? contentOf(unknownMembers) : items,
    ...(isAbsent(structuredContent) ? {} : { structuredContent }),
    ...(isAbsent(isError) ? {} : { isError: isTrue(isError) }),
  };
}

const isAbsent = (value: unknown): value is null | undefined => value === null || value === undefined;

function isTrue(value: unknown): boolean {
  if (typeof value === 'string') return !['', 'false', 'no', '0'].includes(value.trim().toLowerCase());
  return Boolean(value);
}

const contentOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? value : [value]).flatMap((item) => (isAbsent(item) ? [] : [itemOf(item)]));

const text = (value: unknown): Json => ({ type: 'text', text: textOf(value) });

function itemOf(raw: unknown): unknown {
  if (nestsDeeperThan(raw, MAX_LEVELS)) return raw;
  if (!isObject(raw)) return text(raw);
  const item = withoutNulls(raw);
  const annotations = isObject(item.annotations) ? annotationsOf(item.annotations) : undefined;
  delete item.annotations;
  if (!isObject(item._meta)) delete item._meta;
  const regular = KINDS.get(item.type)?.(item);
  if (!regular) return unknownItem(item);
  return annotations ? { ...regular, annotations } : regular;
}

const KINDS: ReadonlyMap<unknown, (item: Json) => Json | undefined> = new Map([
  ['text', (item: Json) => ({ ...item, text: isAbsent(item.text) ? '' : textOf(item.text) })],
  ['image', mediaOf],
  ['audio', mediaOf],
  ['resource', resourceOf],
  ['resource_link', linkOf],
]);

/** An item of another kind whose only content is a text is that text. */
function unknownItem({ type, _meta, ...members }: Json): Json {
  const { text: words, ...others } = members;
  return text(typeof words === 'string' && Object.keys(others).length === 0 ? words : { type, ...members });
}

const withoutNulls = (item: Json): Json =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));

const ROLES = ['user', 'assistant'];

function annotationsOf(raw: Json): Json {
  const { audience, priority, ...regular } = withoutNulls(raw);
  if (regular.lastModified !== undefined && typeof regular.lastModified !== 'string') delete regular.lastModified;
  const isRatio = typeof priority === 'number' && priority >= 0 && priority <= 1;
  return {
    ...(Array.isArray(audience) ? { audience: audience.filter((role) => ROLES.includes(role)) } : {}),
    ...(isRatio ? { priority } : {}),
    ...regular,
  };
}

const DATA_URL = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i;
/** The beginnings of pictures in base64. */
const SIGNATURES: readonly [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['PHN2Zy', 'image/svg+xml'],
];

function mediaOf({ source, ...given }: Json): Json | undefined {
  // Messages of Anthropic have the bytes in `source`.
  const item = isObject(source) ? { ...given, data: source.data, mimeType: source.media_type } : given;
  if (typeof item.data !== 'string') return undefined;
  const url = DATA_URL.exec(item.data);
  const data = url ? item.data.slice(url[0].length) : item.data;
  const named = typeof item.mimeType === 'string' && item.mimeType !== '' ? item.mimeType : url?.[1];
  return { ...item, data, mimeType: named ?? mediaType(item, data) };
}

function mediaType({ type }: Json, data: string): string {
  const signed = type === 'image' ? SIGNATURES.find(([start]) => data.startsWith(start)) : undefined;
  return signed?.[1] ?? 'application/octet-stream';
}

function resourceOf(item: Json): Json | undefined {
  if (!isObject(item.resource)) return undefined;
  const resource = withoutNulls(item.resource);
  const { uri, text: words, blob, mimeType } = resource;
  if (typeof uri !== 'string' || (typeof words !== 'string' && typeof blob !== 'string')) return undefined;
  if (mimeType !== undefined && typeof mimeType !== 'string') delete resource.mimeType;
  if (!isObject(resource._meta)) delete resource._meta;
  return { ...item, resource };
}

function linkOf(item: Json): Json | undefined {
  const { uri, name, title } = item;
  if (typeof uri !== 'string') return undefined;
  const shown = [name, title].find((value) => typeof value === 'string' && value !== '') ?? uri;
  const link: Json = { ...item, name: shown };
  for (const key of ['title', 'description', 'mimeType'])
    if (link[key] !== undefined && typeof link[key] !== 'string') delete link[key];
  if (link.size !== undefined && typeof link.size !== 'number') delete link.size;
  return link;
}
