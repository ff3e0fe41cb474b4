import type { Json } from './basics.ts';

/** Like Object.values, which takes several times as long with very many keys. */
export const valuesOf = (item: object): unknown[] =>
  Array.isArray(item) ? item : Object.keys(item).map((key) => (item as Json)[key]);

/** Whether a value has more than so many levels. Without recursion: the value may be made to exhaust the stack. */
export function nestsDeeperThan(value: unknown, levels: number): boolean {
  const isNested = (item: unknown): item is object => typeof item === 'object' && item !== null;
  let layer = [value].filter(isNested);
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth >= levels) return true;
    layer = layer.flatMap((item) => valuesOf(item).filter(isNested));
  }
  return false;
}

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH] = [code('"'), code('\\')];
const [BRACE, BRACKET, BRACE_END, BRACKET_END] = [code('{'), code('['), code('}'), code(']')];

/**
 * Whether a JSON text has more than so many levels. JSON.parse takes seconds for a text of megabytes of brackets; this takes
 * some milliseconds, and stops at the first level too many.
 */
export function jsonNestsDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (character === QUOTE) index = endOfString(text, index);
    else if (character === BRACE || character === BRACKET) {
      depth += 1;
      if (depth > levels) return true;
    } else if (character === BRACE_END || character === BRACKET_END) depth -= 1;
  }
  return false;
}

/** Where the string ends that begins with this quote. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
