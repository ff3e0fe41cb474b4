import { append, isObject, type Json } from '../../contract/basics.ts';
import { valuesOf } from '../../contract/depth.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';

export { nestsDeeperThan } from '../../contract/depth.ts';

/** Sorts the keys of all objects, so that equal values have equal JSON. */
export function sortKeysDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeysDeep);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeysDeep(inner)]));
}

export const isSameValue = (a: unknown, b: unknown): boolean =>
  stringifyExact(sortKeysDeep(a)) === stringifyExact(sortKeysDeep(b));

/** Joins keys to `details.token`; dots and backslashes in keys are escaped with a backslash. */
export const joinPath = (keys: readonly string[]): string =>
  keys.map((key) => key.replaceAll(/[.\\]/g, String.raw`\$&`)).join('.');

/** Inverse of `joinPath`. */
export function splitPath(text: string): string[] {
  const keys = [''];
  for (const [part] of text.matchAll(/\\.|\.|[^.\\]+|\\/gs)) {
    if (part === '.') keys.push('');
    else keys[keys.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return keys;
}

/** More paths are replaced by their top-level fields. */
const MAX_PATHS = 50;

/** Dotted paths of differing values; arrays are compared as one value. */
export function differences(before: Json, after: Json): string[] {
  const paths = pathsOf(before, after, []);
  if (paths.length <= MAX_PATHS) return paths.map(joinPath);
  return [...new Set(paths.map(([first = '']) => joinPath([first])))];
}

function pathsOf(before: unknown, after: unknown, path: readonly string[]): string[][] {
  if (!isObject(before) || !isObject(after)) return isSameValue(before, after) ? [] : [[...path]];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return keys.flatMap((key) => pathsOf(getOwn(before, key), getOwn(after, key), [...path, key]));
}

const getOwn = (value: Json, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

export const withoutUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as T;

/** RFC 7396 merge patch; does not modify its arguments. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(merged);
}

/** Sets a key that may be called `__proto__`. */
export function setKey(target: Json, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** Counts the keys and list entries at all levels, without recursion. */
export function hasMoreFieldsThan(value: unknown, most: number): boolean {
  const pending: unknown[] = [value];
  let left = most;
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner = valuesOf(next);
    left -= inner.length;
    if (left < 0) return true;
    append(pending, inner);
  }
  return false;
}

/** The arguments of a call, as a model wrote them, with all digits; undefined if they are no object. */
export function argumentsOf(text: string): Json | undefined {
  const object = argumentsText(text);
  return object === undefined ? undefined : (parseExact(object) as Json);
}

/**
 * The JSON text of the object that arguments are; undefined if they are none. Nothing and null stand for no arguments, and some
 * servers encode the object twice.
 */
export function argumentsText(text: string): string | undefined {
  if (text.trim() === '') return '{}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (value === null) return '{}';
  if (typeof value === 'string') return argumentsText(value);
  return isObject(value) ? text : undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
