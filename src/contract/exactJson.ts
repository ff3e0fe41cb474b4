/** Texts without a match have no number that JSON.parse would change. */
const MAY_BE_INEXACT = /\d{16}|\d[eE]\+?\d{3}/;
/** An integer, also one that is written as 12.0. */
const INTEGER = /^(-?\d+)(?:\.0+)?$/;
/** Longer ones take too long to convert. */
const MAX_DIGITS = 1000;

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON } = JSON as unknown as { rawJSON(text: string): object };

/**
 * Reads JSON without changing an integer: those beyond 2^53 are bigints. What is no number here, such as 1e999, is its text.
 * @throws SyntaxError
 */
export const parseExact = (text: string): unknown =>
  MAY_BE_INEXACT.test(text) ? parse(text, (_key, value, { source }) => exact(value, source)) : JSON.parse(text);

function exact(value: unknown, source: string | undefined): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  const integer = INTEGER.exec(source)?.[1];
  if (integer !== undefined && integer.length <= MAX_DIGITS) return BigInt(integer);
  return Number.isFinite(value) ? value : source;
}

/**
 * JSON.stringify that also writes bigints, as numbers.
 * @throws TypeError for a value that contains itself
 */
export function stringifyExact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Only values with bigints pay for the replacer.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, inner) => (typeof inner === 'bigint' ? rawJSON(String(inner)) : inner));
  }
}

/** Any escape, so that a backslash in a text does not count as the beginning of one. */
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/** The same, with U+FFFD for halves of surrogate pairs, which many readers refuse. @throws TypeError */
export function stringifyWellFormed(value: unknown): string {
  const json = stringifyExact(value);
  return json.includes('\\ud') ? json.replace(ESCAPE, (text, half) => (half === undefined ? text : '\ufffd')) : json;
}

/** A value that JSON.stringify itself writes with all digits, for libraries that call it. */
export function withRawNumbers<T>(value: T): T {
  if (typeof value === 'bigint') return rawJSON(String(value)) as T;
  return mapped(value, withRawNumbers);
}

/** A value with numbers in place of bigints, for code that compares or limits numbers. */
export function withNumbers<T>(value: T): T {
  if (typeof value === 'bigint') return Number(value) as T;
  return mapped(value, withNumbers);
}

function mapped<T>(value: T, change: (inner: unknown) => unknown): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(change) as T;
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)])) as T;
}
