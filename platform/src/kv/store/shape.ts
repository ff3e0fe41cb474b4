import { PlatformError } from '../../http/reply.ts';
import { at, isObject, type Json, type JsonObject, parseJson } from './json.ts';

export type Sort = [path: string, sign: 1 | -1][];

/** `a:1,b:-1` (a bare name ascends), or an object in `batch_find`. */
export function parseSort(input: Json | undefined): Sort {
  return pairs(input, 'sort').map(([path, value]) => {
    if (value !== '1' && value !== '-1') throw new PlatformError(400, 'Invalid sort: a direction must be 1 or -1.');
    return [path, value === '1' ? 1 : -1];
  });
}

export function comparator(sort: Sort): (a: JsonObject, b: JsonObject) => number {
  return (a, b) => {
    for (const [path, sign] of sort) {
      const order = compare(at(a, path), at(b, path));
      if (order !== 0) return sign * order;
    }
    return 0;
  };
}

export interface Projection {
  include: string[];
  exclude: string[];
  /** `_key` may be excluded even from a list of included fields; `_id` is a synonym. */
  key: boolean;
}

export function parseFields(input: Json | undefined): Projection | undefined {
  const include: string[] = [];
  const exclude: string[] = [];
  let key = true;
  const list = pairs(input, 'fields');
  if (list.length === 0) return undefined;
  for (const [path, value] of list) {
    if (value !== '1' && value !== '0') throw new PlatformError(400, 'Invalid fields: a value must be 1 or 0.');
    if (path === '_key' || path === '_id') {
      key = value === '1';
      if (key) include.push('_key');
    } else (value === '1' ? include : exclude).push(path);
  }
  if (include.length > 0 && exclude.length > 0) {
    throw new PlatformError(400, 'Invalid fields: includes and excludes cannot be mixed, except to exclude _key.');
  }
  return { include, exclude, key };
}

/** Keeps the document's field order, so `_user` and `_key` stay last. */
export function project(doc: JsonObject, { include, exclude, key }: Projection): JsonObject {
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(doc)) {
    if (name === '_key') {
      if (key) entries.push([name, value]);
    } else if (include.length > 0) {
      const below = inner(include, name);
      if (include.includes(name)) entries.push([name, value]);
      else if (below.length > 0 && isObject(value)) {
        entries.push([name, project(value, { include: below, exclude: [], key: true })]);
      }
    } else if (!exclude.includes(name)) {
      const below = inner(exclude, name);
      const cut = below.length > 0 && isObject(value);
      entries.push([name, cut ? project(value, { include: [], exclude: below, key: true }) : value]);
    }
  }
  // Not by assignment: a document's `__proto__` must stay a plain field.
  return Object.fromEntries(entries);
}

function inner(paths: readonly string[], name: string): string[] {
  return paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
}

function pairs(input: Json | undefined, what: string): [string, string][] {
  if (input === undefined || input === '' || input === null) return [];
  if (isObject(input)) return Object.entries(input).map(([name, value]) => [name, String(value)]);
  if (typeof input !== 'string') throw new PlatformError(400, `Invalid ${what}: must be a string.`);
  if (input.trimStart().startsWith('{')) return pairs(parseJson(input, what), what);
  return input.split(',').map((item) => {
    const at = item.lastIndexOf(':');
    const number = at < 0 ? '' : item.slice(at + 1).trim();
    const [name, value] = /^-?\d+$/.test(number) ? [item.slice(0, at).trim(), number] : [item.trim(), '1'];
    if (name === '') throw new PlatformError(400, `Invalid ${what}: a field name is empty.`);
    return [name, value];
  });
}

/** MongoDB's type order: null, numbers, strings, objects, arrays, booleans. */
function rank(value: Json | undefined): number {
  if (value === undefined || value === null) return 0;
  if (Array.isArray(value)) return 4;
  return { number: 1, string: 2, object: 3, boolean: 5 }[typeof value as 'number' | 'string' | 'object' | 'boolean'];
}

/** Texts compare by their bytes in UTF-8, in an index as in a scan. */
function bytesOf(value: Json | undefined): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

function compare(a: Json | undefined, b: Json | undefined): number {
  const types = rank(a) - rank(b);
  if (types !== 0 || rank(a) === 0) return types;
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b);
  return Buffer.compare(bytesOf(a), bytesOf(b));
}
