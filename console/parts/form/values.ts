import type { FieldFacts, Values } from './facts.ts';
import type { FormField } from './spec.ts';

type Json = Record<string, unknown>;

export const MASK = '***MASKED***';
/** A stored secret. It is not sent, which keeps it. */
export const STORED = Symbol('stored');
export const INVALID_KEY = '\u0000invalid JSON';
/** Text that is not valid JSON. It becomes JSON only in drafts. */
export class InvalidJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): object {
    return { [INVALID_KEY]: this.text };
  }
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function valueAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), record);
}

/** The initial values of a form. @param record that is edited or cloned */
export function valuesFrom(
  fields: readonly FormField[],
  facts: ReadonlyMap<string, FieldFacts>,
  record?: object,
): Values {
  const entries = fields.map(({ path, initial }) => {
    const fact = facts.get(path);
    const value = record ? valueAt(record, path) : (initial ?? fact?.default);
    return [path, fact?.secret ? masked(value) : value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null));
}

function masked(value: unknown): unknown {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, masked(entry)]));
  return value === MASK ? STORED : value;
}

/** Secrets belong to the original record. */
export function withoutSecrets(values: Values): Values {
  const entries = Object.entries(values).map(([path, value]) => {
    if (!isObject(value)) return [path, value === STORED ? undefined : value] as const;
    return [path, Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== STORED))] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

export const isSame = (a: unknown, b: unknown): boolean => a === b || (isEmpty(a) && isEmpty(b)) || text(a) === text(b);
const text = (value: unknown): string =>
  JSON.stringify(value, (_key, entry) => (entry === STORED ? '\u0000stored' : entry)) ?? '';

export const changedPaths = (before: Values, after: Values): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => !isSame(before[path], after[path]));

/** The body of a new record, without empty values; an emptied list replaces its default. */
export function createBody(values: Values, facts?: ReadonlyMap<string, FieldFacts>): Json {
  let body: Json = {};
  for (const [path, value] of Object.entries(values)) {
    const isSent = !isEmpty(value) || (Array.isArray(value) && facts?.get(path)?.default !== undefined);
    if (isSent && value !== STORED) body = put(body, path, withoutStored(value));
  }
  return body;
}

/** The body of a change: only changed fields, so that concurrent changes are kept. */
export function changeBody(
  before: Values,
  after: Values,
  facts: ReadonlyMap<string, FieldFacts>,
  fields: readonly FormField[] = [],
): Json {
  const atomic = new Set(fields.filter(({ atomic }) => atomic).map(({ path }) => path));
  let body: Json = {};
  for (const path of changedPaths(before, after)) {
    const [was, is] = [before[path], after[path]];
    if (is === STORED) continue;
    const fact = facts.get(path);
    const value = atomic.has(path)
      ? (is ?? (fact?.kind === 'map' ? {} : null))
      : fact?.kind === 'map'
        ? mapChange(was, is)
        : isEmpty(is)
          ? emptied(fact)
          : is;
    body = put(body, path, value);
  }
  return body;
}

/** The server merges maps, so removed names are sent as null. */
function mapChange(was: unknown, is: unknown): unknown {
  if (isEmpty(is)) return null;
  const [before, after] = [isObject(was) ? was : {}, isObject(is) ? is : {}];
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const set = Object.entries(after).filter(([key, value]) => value !== STORED && value !== before[key]);
  return Object.fromEntries([...gone.map((key) => [key, null]), ...set]);
}

function emptied(fact: FieldFacts | undefined): unknown {
  if (fact?.nullable) return null;
  return fact?.kind === 'texts' || fact?.kind === 'list' ? [] : fact?.kind === 'text' ? '' : undefined;
}

const withoutStored = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== STORED)) : value;

function put(body: Json, path: string, value: unknown): Json {
  const [key = '', ...keys] = path.split('.');
  if (keys.length === 0) return { ...body, [key]: value };
  const inner = body[key];
  return { ...body, [key]: put(isObject(inner) ? inner : {}, keys.join('.'), value) };
}
