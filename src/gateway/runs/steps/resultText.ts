import { isObject, type Json } from '../../../contract/basics.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import type { ToolResult } from '../../operations/tool.ts';

/**
 * The text that a model reads of a tool's result: its texts, with a note in place of bytes, or the structured result without any.
 * Well-formed, since providers refuse half of a surrogate pair.
 */
export function textOfResult({ content, structuredContent }: ToolResult): string {
  const parts = content.map(partOf);
  const hasText = parts.some(({ isText, shown }) => isText && !BLANK.test(shown));
  const structured = hasText || structuredContent === undefined ? [] : [stringifyWellFormed(structuredContent)];
  const shown = parts.filter((part) => part.shown !== '' || structured.length === 0).map((part) => part.shown);
  return withoutBytes([...structured, ...shown].join('\n')).toWellFormed();
}

/** Also characters without a width. */
const BLANK = /^[\s\u200b-\u200d\u2060]*$/;
/** A file inside of a text. Short ones, such as icons, cost a model little. */
const DATA_URL =
  /\bdata:([\w.+-]{1,100}\/[\w.+-]{1,100})(?:;[\w.+=-]{1,100}){0,5};base64,([A-Za-z0-9+/_-]{512,}={0,2})/g;

const withoutBytes = (text: string): string =>
  text.replaceAll(DATA_URL, (_url, mimeType: string, base64: string) => noteOf('file', base64, mimeType).shown);

interface ShownPart {
  shown: string;
  /** Says something by itself, other than a note. */
  isText: boolean;
}

function partOf(part: Json): ShownPart {
  const { type, text, data, mimeType, resource } = part;
  if (type === 'text' && typeof text === 'string') return { shown: text, isText: true };
  if ((type === 'image' || type === 'audio') && typeof data === 'string') return noteOf(String(type), data, mimeType);
  if (type !== 'resource' || !isObject(resource)) return { shown: stringifyWellFormed(part), isText: true };
  if (typeof resource.text === 'string') return { shown: resource.text, isText: true };
  if (typeof resource.blob !== 'string') return { shown: stringifyWellFormed(part), isText: true };
  return noteOf('file', resource.blob, resource.mimeType, resource.uri);
}

function noteOf(kind: string, base64: string, ...facts: unknown[]): ShownPart {
  const named = facts.filter((fact) => typeof fact === 'string' && fact !== '');
  const size = `${Buffer.byteLength(base64, 'base64')} bytes`;
  return { shown: `[${[kind, ...named, size].join(', ')}, not shown]`, isText: false };
}
