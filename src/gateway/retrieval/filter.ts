import { isObject, type Json } from '../../contract/basics.ts';
import type { Problem } from '../../contract/codes/faults.ts';
import { mapStrings } from '../masking/strings.ts';

const isScalar = (value: unknown): boolean =>
  ['string', 'boolean'].includes(typeof value) || (typeof value === 'number' && Number.isFinite(value));

/** Types that the value of a condition may have. */
const VALUES = {
  scalar: { is: isScalar, message: 'must be a text, a number, true or false' },
  list: {
    is: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isScalar),
    message: 'must be a list of texts, numbers, true or false, with at least one',
  },
  number: { is: (value: unknown) => typeof value === 'number' && Number.isFinite(value), message: 'must be a number' },
  text: { is: (value: unknown) => typeof value === 'string', message: 'must be a text' },
} as const;

/** Operators that compare one value of the metadata, and what they compare it with. */
const CONDITIONS: Readonly<Record<string, keyof typeof VALUES>> = {
  equals: 'scalar',
  notEquals: 'scalar',
  in: 'list',
  notIn: 'list',
  greaterThan: 'number',
  greaterThanOrEquals: 'number',
  lessThan: 'number',
  lessThanOrEquals: 'number',
  startsWith: 'text',
  listContains: 'text',
  stringContains: 'text',
};
/** Operators that combine filters. */
const GROUPS = ['andAll', 'orAll'];
const OPERATORS = [...Object.keys(CONDITIONS), ...GROUPS];

const MAX_DEPTH = 5;
const MAX_PARTS = 100;
const MAX_KEY = 100;

/** All problems of a filter, which has one operator with `{key, value}` or a list of filters. */
export function filterProblems(filter: Json, field = 'filter'): Problem[] {
  return problemsOf(filter, field, 1);
}

function problemsOf(filter: unknown, field: string, depth: number): Problem[] {
  if (!isObject(filter)) return [{ field, message: 'must be an object' }];
  const names = Object.keys(filter);
  const unknown = names.filter((name) => !OPERATORS.includes(name));
  if (unknown.length > 0) return [{ field, message: `has an unknown operator; use one of ${OPERATORS.join(', ')}` }];
  const [operator] = names;
  if (operator === undefined || names.length > 1)
    return [{ field, message: 'must have exactly one operator; combine several with andAll or orAll' }];
  const inner = `${field}.${operator}`;
  return GROUPS.includes(operator)
    ? groupProblems(filter[operator], inner, depth)
    : conditionProblems(filter[operator], inner, VALUES[CONDITIONS[operator] as keyof typeof VALUES]);
}

function groupProblems(parts: unknown, field: string, depth: number): Problem[] {
  if (!Array.isArray(parts) || parts.length < 2 || parts.length > MAX_PARTS)
    return [{ field, message: `must be a list of 2 to ${MAX_PARTS} filters` }];
  if (depth >= MAX_DEPTH) return [{ field, message: `filters may be nested ${MAX_DEPTH} deep at most` }];
  return parts.flatMap((part, index) => problemsOf(part, `${field}.${index}`, depth + 1));
}

function conditionProblems(
  condition: unknown,
  field: string,
  { is, message }: { is(value: unknown): boolean; message: string },
): Problem[] {
  if (!isObject(condition)) return [{ field, message: 'must be {key, value}' }];
  const { key, value, ...operators } = condition;
  const isKey = typeof key === 'string' && key !== '' && key.length <= MAX_KEY;
  return [
    ...(isKey ? [] : [{ field: `${field}.key`, message: `must be a text of 1 to ${MAX_KEY} characters` }]),
    ...(is(value) ? [] : [{ field: `${field}.value`, message }]),
    ...(Object.keys(operators).length > 0 ? [{ field, message: 'must have key and value only' }] : []),
  ];
}

/** Replaces the texts that a filter compares with. Its keys are names of fields, and stay. */
export function withFilterTexts(filter: Json, replace: (text: string) => string): Json {
  return Object.fromEntries(
    Object.entries(filter).map(([operator, inner]) => {
      if (Array.isArray(inner)) return [operator, inner.map((part) => withFilterTexts(part, replace))];
      const { value, ...condition } = inner as Json;
      return [operator, { ...condition, value: mapStrings(value, replace) }];
    }),
  );
}
