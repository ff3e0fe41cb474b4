import type { SQLInputValue } from 'node:sqlite';
import { Context } from 'mingo/core';
import {
  $all,
  $and,
  $elemMatch,
  $eq,
  $exists,
  $gt,
  $gte,
  $in,
  $lt,
  $lte,
  $ne,
  $nin,
  $nor,
  $not,
  $or,
  $regex,
  $size,
} from 'mingo/operators/query';
import { Query } from 'mingo/query';
import { PlatformError } from '../../http/reply.ts';
import { isObject, type Json, type JsonObject, parseJson } from './json.ts';
import { hasRegex, inTime, withRegexOptions } from './regex.ts';

/**
 * The platform documents the first nine; published apps use `$in` and `$regex`; the others are harmless. `$where`,
 * `$expr` and `$jsonSchema` run code: they are refused.
 */
const operators = {
  ...{ $gt, $gte, $lt, $lte, $ne, $and, $or, $not, $eq },
  ...{ $in, $nin, $nor, $exists, $size, $all, $elemMatch, $regex },
};
const context = Context.init({ query: operators });

interface Form {
  needs: string;
  test(value: Json): boolean;
}
const list: Form = { needs: 'an array', test: Array.isArray };
const branches: Form = {
  needs: 'an array of objects that is not empty',
  test: (value) => Array.isArray(value) && value.length > 0 && value.every(isObject),
};
const object: Form = { needs: 'an object', test: isObject };
const text: Form = { needs: 'a text', test: (value) => typeof value === 'string' };
const options: Form = {
  needs: 'letters of i, m and s',
  test: (value) => typeof value === 'string' && /^[ims]*$/.test(value),
};

/** Forms that the query library would misread instead of refusing. */
const FORMS: Record<string, Form | undefined> = {
  ...{ $and: branches, $or: branches, $nor: branches, $in: list, $nin: list, $all: list },
  ...{ $not: object, $elemMatch: object, $size: { needs: 'a number', test: (value) => typeof value === 'number' } },
  ...{ $regex: text, $options: options },
};

export interface CompiledQuery {
  query: JsonObject;
  test(doc: JsonObject): boolean;
  /** True for `{}`, which SQL can page. */
  everything: boolean;
  /** Only documents with these keys can match. */
  keys: string[] | undefined;
  where: { sql: string; params: SQLInputValue[] } | undefined;
  /** Only documents with keys after this one can match. */
  after: string | undefined;
}

export function compileQuery(input: Json | undefined): CompiledQuery {
  const query = typeof input === 'string' ? parseJson(input, 'query') : (input ?? {});
  if (!isObject(query)) throw new PlatformError(400, 'The query must be a JSON object.');
  refuseUnknown(query);
  try {
    const compiled = new Query(withRegexOptions(query) as never, { context, scriptEnabled: false } as never);
    const test = (doc: JsonObject) => compiled.test(doc);
    return {
      query,
      test: hasRegex(query) ? (doc) => inTime(() => test(doc)) : test,
      everything: Object.keys(query).length === 0,
      keys: boundKeys(query),
      where: prefilter(query),
      after: lowerBound(query),
    };
  } catch {
    throw new PlatformError(400, 'The query is invalid: an operator has a value of the wrong form.');
  }
}

function refuseUnknown(value: Json): void {
  if (Array.isArray(value)) for (const item of value) refuseUnknown(item);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const isOption = name === '$options' && Object.hasOwn(value, '$regex');
    if (name.startsWith('$') && !Object.hasOwn(operators, name) && !isOption) {
      throw new PlatformError(400, `The query is invalid: unknown operator ${name.slice(0, 40)}.`);
    }
    const form = FORMS[name];
    if (form !== undefined && !form.test(inner)) {
      throw new PlatformError(400, `The query is invalid: ${name} needs ${form.needs}.`);
    }
    refuseUnknown(inner);
  }
}

/** The keys that a query is limited to; leases and records are found this way. */
function boundKeys(query: JsonObject): string[] | undefined {
  for (const [name, value] of Object.entries(query)) {
    if (name === '_key') {
      if (typeof value === 'string') return [value];
      if (isObject(value) && typeof value.$eq === 'string') return [value.$eq];
      if (isObject(value) && Array.isArray(value.$in)) return value.$in.filter((item) => typeof item === 'string');
    }
    if (name === '$and' && Array.isArray(value)) {
      const bound = value
        .filter(isObject)
        .map(boundKeys)
        .find((keys) => keys !== undefined);
      if (bound !== undefined) return bound;
    }
    if (name === '$or' && Array.isArray(value) && value.length > 0) {
      const branches = value.filter(isObject).map(boundKeys);
      if (branches.every((keys) => keys !== undefined)) return branches.flat();
    }
  }
  return undefined;
}

/** Keyset pagination: `{_key: {$gt: the last one}}`, alone or with other conditions. */
function lowerBound(query: JsonObject): string | undefined {
  const { _key: key, $and: parts } = query;
  if (isObject(key) && typeof key.$gt === 'string') return key.$gt;
  if (!Array.isArray(parts)) return undefined;
  return parts
    .filter(isObject)
    .map(lowerBound)
    .find((bound) => bound !== undefined);
}

/** Simple equalities are left to SQLite, which is faster than parsing each document. */
function prefilter(query: JsonObject): CompiledQuery['where'] {
  const sql: string[] = [];
  const params: SQLInputValue[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || !comparable(value)) continue;
    const path = `$."${name}"`;
    // An array matches when an element is equal, which the query itself decides.
    sql.push('(json_extract(doc, ?) = ? OR json_type(doc, ?) = ?)');
    params.push(path, typeof value === 'boolean' ? Number(value) : value, path, 'array');
    if (sql.length === 10) break;
  }
  return sql.length === 0 ? undefined : { sql: sql.join(' AND '), params };
}

/** Values that SQLite and JavaScript compare alike. */
function comparable(value: Json): value is string | number | boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER);
}
