import { isIPv4 } from 'node:net';
import { searchRegex } from '../language/regex.ts';
import { type Cell, cellText } from '../results/rows.ts';
import { formatTime, parseTime } from './strftime.ts';
import { timeBound } from './times.ts';

/** Undefined is null: the field gets no value. */
export type Value = Cell | number | boolean | undefined;

/** A function of eval expressions. */
export interface EvalFunction {
  /** The least and the largest number of arguments. */
  arity: [number, number];
  call(...values: Value[]): Value;
}

export const number = (value: Value): number | undefined => {
  const digits = typeof value === 'object' || value === undefined ? '' : String(value).trim();
  const parsed = Number(digits);
  return digits === '' || Number.isNaN(parsed) ? undefined : parsed;
};
export const text = (value: Value): string =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : cellText(value);

const ANY = Number.POSITIVE_INFINITY;
const list = (value: Value): string[] => (value === undefined ? [] : Array.isArray(value) ? value : [text(value)]);
const multivalue = (values: string[]): Value => (values.length < 2 ? values[0] : values);

/** Without the arguments that it needs, a function gives null. */
const ofTexts =
  (calculate: (...texts: string[]) => Value) =>
  (...values: Value[]) =>
    values.includes(undefined) ? undefined : calculate(...values.map(text));
const ofNumbers =
  (calculate: (...numbers: number[]) => number) =>
  (...values: Value[]) => {
    const numbers = values.map(number);
    if (numbers.includes(undefined)) return undefined;
    const result = calculate(...(numbers as number[]));
    return Number.isFinite(result) ? result : undefined;
  };

function rounded(value: number, digits: number): string {
  const factor = 10 ** digits;
  return (Math.sign(value) * (Math.round(Math.abs(value) * factor + Number.EPSILON) / factor)).toFixed(digits);
}

/** `like`: `%` is any text, `_` one character. */
function isLike(value: string, pattern: string): boolean {
  const parts = [...pattern].map((char) =>
    char === '%' ? '[^]*' : char === '_' ? '[^]' : char.replace(/[\\^$.*+?()[\]{}|]/, '\\$&'),
  );
  return searchRegex('eval', `^${parts.join('')}$`).exec(value) !== null;
}

function isInNetwork(network: string, address: string): boolean | undefined {
  const [base = '', bits = '32'] = network.split('/');
  if (!isIPv4(base) || !isIPv4(address) || !/^\d{1,2}$/.test(bits) || Number(bits) > 32) return undefined;
  const value = (ip: string) => ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return Math.floor(value(base) / size) === Math.floor(value(address) / size);
}

const trimmed = (pattern: (set: string) => string) => (value: Value, characters?: Value) =>
  value === undefined
    ? undefined
    : searchRegex(
        'eval',
        pattern((characters === undefined ? ' \t' : text(characters)).replace(/[\\\]^-]/g, '\\$&')),
      ).replace(text(value), '');

function substring(value: string, start: number, length: number | undefined): string {
  const from = start < 0 ? Math.max(0, value.length + start) : Math.max(0, start - 1);
  return length === undefined ? value.slice(from) : value.slice(from, from + Math.max(0, length));
}

function elements(value: Value, start: Value, end: Value): Value {
  const values = list(value);
  const [first, last = first] = [number(start), number(end)];
  if (first === undefined || last === undefined) return undefined;
  const index = (position: number) => (position < 0 ? values.length + position : position);
  return index(first) < 0 ? undefined : multivalue(values.slice(index(first), index(last) + 1));
}

function formatted(value: Value, format: Value): Value {
  if (value === undefined || format === undefined) return value === undefined ? undefined : text(value);
  const numeric = number(value);
  if (numeric === undefined) return text(value);
  if (format === 'hex') return `0x${Math.trunc(numeric).toString(16).toUpperCase()}`;
  if (format === 'commas') {
    const digits = Number.isInteger(numeric) ? 0 : 2;
    return numeric.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }
  if (format !== 'duration') return undefined;
  const seconds = Math.floor(numeric);
  const days = Math.floor(seconds / 86_400);
  const clock = [3600, 60, 1].map((unit, index) =>
    String(Math.floor(seconds / unit) % (index === 0 ? 24 : 60)).padStart(2, '0'),
  );
  return `${days > 0 ? `${days}+` : ''}${clock.join(':')}`;
}

const extreme =
  (sign: 1 | -1) =>
  (...values: Value[]) => {
    const present = values.flatMap(list);
    // Text is greater than any number.
    const order = (a: string, b: string) => {
      const [left, right] = [number(a), number(b)];
      if (left !== undefined && right !== undefined) return left - right;
      if (left !== undefined || right !== undefined) return left === undefined ? 1 : -1;
      return a < b ? -1 : a > b ? 1 : 0;
    };
    return present.sort((a, b) => sign * order(a, b))[0];
  };

/** `relative_time`: the time with a modifier such as `-1d@d`. */
function relative(time: Value, modifier: Value): Value {
  const seconds = number(time);
  if (seconds === undefined || modifier === undefined) return undefined;
  try {
    return timeBound('relative_time', text(modifier), seconds * 1000);
  } catch {
    return undefined;
  }
}

const fn = (least: number, most: number, call: EvalFunction['call']): EvalFunction => ({ arity: [least, most], call });

export const FUNCTIONS: Readonly<Record<string, EvalFunction>> = {
  abs: fn(1, 1, ofNumbers(Math.abs)),
  case: fn(2, ANY, (...values) => {
    for (let index = 0; index + 1 < values.length; index += 2) if (values[index] === true) return values[index + 1];
    return undefined;
  }),
  ceiling: fn(1, 1, ofNumbers(Math.ceil)),
  ceil: fn(1, 1, ofNumbers(Math.ceil)),
  cidrmatch: fn(2, 2, ofTexts(isInNetwork)),
  coalesce: fn(1, ANY, (...values) => values.find((value) => value !== undefined && value !== '')),
  exp: fn(1, 1, ofNumbers(Math.exp)),
  false: fn(0, 0, () => false),
  floor: fn(1, 1, ofNumbers(Math.floor)),
  if: fn(3, 3, (condition, yes, no) => (condition === true ? yes : no)),
  in: fn(2, ANY, (value, ...values) => value !== undefined && values.some((other) => text(other) === text(value))),
  isint: fn(1, 1, (value) => Number.isInteger(number(value))),
  isnotnull: fn(1, 1, (value) => value !== undefined),
  isnull: fn(1, 1, (value) => value === undefined),
  isnum: fn(1, 1, (value) => number(value) !== undefined),
  isstr: fn(1, 1, (value) => value !== undefined && number(value) === undefined),
  len: fn(1, 1, (value) => (value === undefined ? undefined : text(value).length)),
  like: fn(2, 2, ofTexts(isLike)),
  ln: fn(1, 1, ofNumbers(Math.log)),
  log: fn(
    1,
    2,
    ofNumbers((value, base = 10) => Math.log(value) / Math.log(base)),
  ),
  lower: fn(
    1,
    1,
    ofTexts((value) => value.toLowerCase()),
  ),
  ltrim: fn(
    1,
    2,
    trimmed((set) => `^[${set}]+`),
  ),
  match: fn(
    2,
    2,
    ofTexts((value, pattern) => searchRegex('eval', pattern).exec(value) !== null),
  ),
  max: fn(1, ANY, extreme(-1)),
  min: fn(1, ANY, extreme(1)),
  mvappend: fn(1, ANY, (...values) => multivalue(values.flatMap(list))),
  mvcount: fn(1, 1, (value) => (value === undefined ? undefined : list(value).length)),
  mvdedup: fn(1, 1, (value) => multivalue([...new Set(list(value))])),
  mvindex: fn(2, 3, elements),
  mvjoin: fn(2, 2, (value, separator) => (value === undefined ? undefined : list(value).join(text(separator)))),
  mvsort: fn(1, 1, (value) => multivalue([...list(value)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)))),
  now: fn(0, 0, () => Math.floor(Date.now() / 1000)),
  null: fn(0, 0, () => undefined),
  nullif: fn(2, 2, (a, b) => (a !== undefined && b !== undefined && text(a) === text(b) ? undefined : a)),
  pow: fn(
    2,
    2,
    ofNumbers((base, exponent) => base ** exponent),
  ),
  relative_time: fn(2, 2, relative),
  replace: fn(
    3,
    3,
    ofTexts((value, pattern, replacement) => searchRegex('eval', pattern).replace(value, replacement)),
  ),
  round: fn(1, 2, (value, digits = 0) => {
    const [numeric, places] = [number(value), number(digits)];
    return numeric === undefined || places === undefined || places < 0 || places > 15
      ? undefined
      : rounded(numeric, places);
  }),
  rtrim: fn(
    1,
    2,
    trimmed((set) => `[${set}]+$`),
  ),
  split: fn(2, 2, (value, separator) =>
    value === undefined ? undefined : multivalue(text(value).split(text(separator))),
  ),
  sqrt: fn(1, 1, ofNumbers(Math.sqrt)),
  strftime: fn(2, 2, (time, format) => {
    const seconds = number(time);
    return seconds === undefined || format === undefined ? undefined : formatTime(seconds, text(format));
  }),
  strptime: fn(2, 2, ofTexts(parseTime)),
  substr: fn(2, 3, (value, start, length) => {
    const [first, most] = [number(start), number(length)];
    return value === undefined || first === undefined ? undefined : substring(text(value), first, most);
  }),
  time: fn(0, 0, () => Date.now() / 1000),
  tonumber: fn(1, 2, (value, base = 10) => {
    const radix = number(base) ?? 10;
    if (radix === 10) return number(value);
    const digits = text(value).toLowerCase();
    const parsed = Number.parseInt(digits, radix);
    return parsed.toString(radix) === digits.replace(/^0+(?=.)/, '') ? parsed : undefined;
  }),
  tostring: fn(1, 2, formatted),
  trim: fn(
    1,
    2,
    trimmed((set) => `^[${set}]+|[${set}]+$`),
  ),
  true: fn(0, 0, () => true),
  typeof: fn(1, 1, (value) =>
    value === undefined
      ? 'Invalid'
      : typeof value === 'boolean'
        ? 'Boolean'
        : number(value) === undefined
          ? 'String'
          : 'Number',
  ),
  upper: fn(
    1,
    1,
    ofTexts((value) => value.toUpperCase()),
  ),
  validate: fn(2, ANY, (...values) => {
    for (let index = 0; index + 1 < values.length; index += 2) if (values[index] === false) return values[index + 1];
    return undefined;
  }),
};
