import { isObject, type Json } from '../contract/json.ts';
import { isSameValue } from './canonical.ts';

/** Keys as one text, `details.token`; a dot or a backslash within a key has a backslash before it. */
export const dotted = (keys: readonly string[]): string =>
  keys.map((key) => key.replaceAll(/[.\\]/g, String.raw`\$&`)).join('.');

/** And back. */
export function keysOfDotted(text: string): string[] {
  const keys = [''];
  for (const [part] of text.matchAll(/\\.|\.|[^.\\]+|\\/gs)) {
    if (part === '.') keys.push('');
    else keys[keys.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return keys;
}

/** More than these say less than the name of what they are in. */
const MOST_PATHS = 50;

/** Dotted paths of what differs; lists are compared as a whole. */
export function differences(before: Json, after: Json): string[] {
  const paths = pathsOf(before, after, []);
  if (paths.length <= MOST_PATHS) return paths.map(dotted);
  return [...new Set(paths.map(([first = '']) => dotted([first])))];
}

function pathsOf(before: unknown, after: unknown, at: readonly string[]): string[][] {
  if (!isObject(before) || !isObject(after)) return isSameValue(before, after) ? [] : [[...at]];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => pathsOf(own(before, key), own(after, key), [...at, key]));
}

const own = (value: Json, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);
