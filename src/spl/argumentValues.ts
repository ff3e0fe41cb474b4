import type { TemplateArgument } from './kinds.ts';
import { timeProblem } from './time/modifier.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const PRIVATE = /[\ue000-\uf8ff]/;
const PLAIN_NUMBER = /^-?\d{1,21}(?:\.\d{1,21})?$/;
const MAX_STRING = 10_000;
/** Values of an enum that a message shows, and characters of each. */
const MAX_SHOWN = 20;
const MAX_SHOWN_VALUE = 80;

type Check = (value: unknown, argument: TemplateArgument) => string | undefined;

const NAMES: Readonly<Record<'index' | 'sourcetype' | 'field', { pattern: RegExp; example: string }>> = {
  index: { pattern: /^[A-Za-z0-9_][\w-]{0,79}$/, example: 'web' },
  sourcetype: { pattern: /^[A-Za-z0-9_][\w.:-]{0,255}$/, example: 'access_combined' },
  field: { pattern: /^[A-Za-z_][\w.:{}-]{0,255}$/, example: 'host' },
};

const named: Check = (value, { type }) => {
  const { pattern, example } = NAMES[type as keyof typeof NAMES];
  return typeof value === 'string' && pattern.test(value)
    ? undefined
    : `must be the name of ${article(type)} ${type}, such as ${example}`;
};

const numeric: Check = (value, { type, minimum, maximum }) => {
  const isNumber = typeof value === 'number' && PLAIN_NUMBER.test(String(value));
  if (!isNumber || (type === 'integer' && !Number.isSafeInteger(value)))
    return `must be ${type === 'integer' ? 'an integer' : 'a number'}`;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `must be at most ${maximum}` : undefined;
};

const CHECKS: Readonly<Record<TemplateArgument['type'], Check>> = {
  string: (value, { wildcards }) => {
    if (typeof value !== 'string') return 'must be a string';
    if (value.length > MAX_STRING) return `must have at most ${MAX_STRING} characters`;
    if (CONTROL.test(value) || PRIVATE.test(value)) return 'must not contain line breaks or other control characters';
    if (value.includes('`')) return 'must not contain a backtick';
    return value.includes('*') && !wildcards ? 'must not contain *, since this argument takes no wildcards' : undefined;
  },
  integer: numeric,
  number: numeric,
  boolean: (value) => (typeof value === 'boolean' ? undefined : 'must be true or false'),
  time: timeProblem,
  index: named,
  sourcetype: named,
  field: named,
};

/** The fault of a value, to follow the name of its argument; undefined if it may be filled in. */
export function valueProblem(value: unknown, argument: TemplateArgument): string | undefined {
  const problem = CHECKS[argument.type](value, argument);
  if (problem !== undefined || argument.enum === undefined || argument.enum.includes(value)) return problem;
  const shown = argument.enum.slice(0, MAX_SHOWN).map((each) => JSON.stringify(each).slice(0, MAX_SHOWN_VALUE));
  const more = argument.enum.length - shown.length;
  return `must be one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A value as it stands in the search: within double quotes, quotes and backslashes are escaped. */
export function written(value: unknown, isQuoted: boolean): string {
  const text = String(value);
  return isQuoted ? text.replace(/["\\]/g, '\\$&') : text;
}

const article = (noun: string): string => (noun === 'index' ? 'an' : 'a');
