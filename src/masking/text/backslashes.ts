import { isJson } from '../../domain/values/json.ts';
import { isWordAt } from './letters.ts';

export interface Replacement {
  /** Number of characters that are replaced. */
  length: number;
  by: string;
}

const LINE_ENDS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const DEEPEST = 4;

/**
 * Reads runs of backslashes, from left to right: any number before a name is one, as JSON in JSON doubles them.
 * `\n` is the end of a line in a text that is JSON, and at the depth of escaped quotes around it; elsewhere `CORP\nina` is a user.
 */
export function escapesAt(text: string): (index: number) => Replacement | undefined {
  const isJson = isJsonText(text);
  const isOpen = new Array<boolean>(DEEPEST).fill(false);
  return (index) => {
    let end = index;
    while (text.charCodeAt(end) === 0x5c) end += 1;
    const count = end - index;
    const next = text.charAt(end);
    if (next === '"') {
      toggle(isOpen, Math.log2(count + 1));
      return { length: count + 1, by: '"' };
    }
    if (next === '/') return { length: count + 1, by: '/' };
    const character = next === 'u' ? unicodeAt(text, end + 1) : undefined;
    if (character !== undefined) return { length: count + 5, by: character };
    const depth = isOpen.lastIndexOf(true);
    const isLineEnd = (isJson && count === 1) || (depth > 0 && count === 2 ** depth);
    const lineEnd = isLineEnd ? LINE_ENDS[next] : undefined;
    if (lineEnd !== undefined) return { length: count + 1, by: lineEnd };
    const isShare = count > 1 && !isWordAt(text, index - 1) && isWordAt(text, end) && !isBehindDrive(text, index);
    return { length: count, by: isShare ? '\\\\' : '\\' };
  };
}

/** A quote of a lower depth closes the deeper ones. */
function toggle(isOpen: boolean[], depth: number): void {
  if (!Number.isInteger(depth) || depth >= DEEPEST) return;
  isOpen[depth] = !isOpen[depth];
  isOpen.fill(false, depth + 1);
}

/** Characters that JSON escapes in texts of people; others may be a name, as in `CORP\u1234`. */
function unicodeAt(text: string, index: number): string | undefined {
  const hex = text.slice(index, index + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(hex)) return undefined;
  const code = Number.parseInt(hex, 16);
  const isLikely = code < 0x600 || (code >= 0x2000 && code < 0x2100) || (code >= 0xd800 && code < 0xe000);
  return isLikely ? String.fromCharCode(code) : undefined;
}

/** Whether a text, or its first line, is JSON. */
function isJsonText(text: string): boolean {
  const body = text.trimStart();
  return /^[{["]/.test(body) && (isJson(body) || isJson(body.split('\n', 1)[0] ?? ''));
}

/** `C:\\Users` within JSON begins no share. */
const isBehindDrive = (text: string, index: number): boolean =>
  /(?<![A-Za-z0-9])[A-Za-z]:$/.test(text.slice(Math.max(0, index - 3), index));
