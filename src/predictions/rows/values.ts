import { nestsDeeperThan } from '../../domain/values/json.ts';
import type { PredictionValue, RowError } from './prediction.ts';

/** A row as it was sent: values by feature. */
export type Row = Readonly<Record<string, unknown>>;

const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?\s*$/i;
/** Longer text is not read as a number. */
const LONGEST_NUMBER = 400;

/**
 * The number that a value is, or that its text reads as; undefined for any other value, and for what is infinite. It may be
 * rounded.
 */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'bigint') return numberOf(Number(value));
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER || !NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** The same, with all digits of an integer. */
export function exactNumberOf(value: unknown): number | bigint | undefined {
  const number = numberOf(value);
  if (number === undefined || Number.isSafeInteger(number)) return number;
  if (typeof value === 'bigint') return value;
  const isInteger = typeof value === 'string' && /^\s*[+-]?\d+\s*$/.test(value);
  return isInteger ? BigInt(value.replace('+', '')) : number;
}

/** Digits that are no number to those who wrote them, such as a postal code. */
export const hasLeadingZero = (text: string): boolean => /^\s*[+-]?0\d/.test(text);

/** Whether a field is not there: searches send an empty text. */
export const isMissing = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * The fields of all rows, in the order of the first row that has them all, else in the order in which they appear: searches leave
 * out the empty fields of a row, and a model that takes fields by their order must not get them in another one.
 */
export function fieldsOf(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  const complete = rows.find((row) => Object.keys(row).length === names.size);
  return complete ? Object.keys(complete) : [...names];
}

export const missingField = (row: number, feature: string): RowError => ({
  row,
  error_code: 'missing_field',
  message: `The field ${shortened(feature)} is missing or empty`,
});

/** @param what what the value must be: `a number` */
export const unreadableValue = (row: number, feature: string, what: string): RowError => ({
  row,
  error_code: 'unreadable_value',
  message: `The value of the field ${shortened(feature)} must be ${what}`,
});

const MAX_NAME = 200;
const shortened = (name: string): string => (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name);

/** More would exhaust the stack of what writes it as JSON. */
export const MAX_LEVELS = 32;

/** Whether a value of a row or of an answer cannot be written as JSON. */
export const isTooDeep = (value: unknown): boolean => nestsDeeperThan(value, MAX_LEVELS);

/**
 * Parses what a model answered, also after a byte order mark: integers beyond 2^53 become text; `NaN` and `Infinity`, which
 * Python writes, become null.
 * @throws SyntaxError
 */
export function parseAnswer(answer: string): unknown {
  const text = answer.replace(/^\ufeff/, '');
  return JSON.parse(UNUSUAL.test(text) ? text.replace(TOKEN, asJson) : text);
}

const UNUSUAL = /\d{16}|NaN|Infinity/;
/** A string with its end, a number, or what Python writes in the place of one. */
const TOKEN = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\bNaN\b|-?\bInfinity\b/g;

function asJson(token: string): string {
  if (token.startsWith('"')) return token;
  const isWhole = /^-?\d+$/.test(token);
  if (isWhole) return Number.isSafeInteger(Number(token)) ? token : `"${token}"`;
  return /\d/.test(token) ? token : 'null';
}

/** A value of an answer as a field has it; lists and objects are JSON text. */
export function predictionValue(value: unknown): PredictionValue {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
