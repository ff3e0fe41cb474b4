import { PlatformError } from '../types.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** Nesting the store accepts, as in MongoDB. Deeper input would end in a stack overflow further down. */
export const MAX_DEPTH = 100;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parser's own message quotes the input, which may hold anything: it stays out of the reply. */
export function parseJson(text: string, what: string): Json {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PlatformError(400, `JSON in the ${what} is invalid.`);
  }
  if (tooDeep(value, MAX_DEPTH)) {
    throw new PlatformError(400, `JSON in the ${what} is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return value;
}

function tooDeep(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => tooDeep(item, levels - 1));
}

/** Value at `a.b`: a field of that very name comes first. */
export function at(doc: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(doc, path)) return doc[path];
  let value: Json | undefined = doc;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
