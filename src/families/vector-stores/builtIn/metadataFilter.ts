import { isObject, type Json } from '../../../contract/basics.ts';

type Test = (given: unknown, value: unknown) => boolean;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isIn: Test = (given, value) => Array.isArray(value) && value.includes(given);

/** Operators, for a key that is there. Values of different types are never equal. */
const TESTS: Readonly<Record<string, Test>> = {
  equals: (given, value) => given === value,
  notEquals: (given, value) => given !== value,
  in: isIn,
  notIn: (given, value) => !isIn(given, value),
  greaterThan: (given, value) => isNumber(given) && isNumber(value) && given > value,
  greaterThanOrEquals: (given, value) => isNumber(given) && isNumber(value) && given >= value,
  lessThan: (given, value) => isNumber(given) && isNumber(value) && given < value,
  lessThanOrEquals: (given, value) => isNumber(given) && isNumber(value) && given <= value,
  startsWith: (given, value) => isText(given) && isText(value) && given.startsWith(value),
  listContains: (given, value) => Array.isArray(given) && given.includes(value),
  stringContains: (given, value) =>
    isText(value) && (isText(given) ? [given] : listOf(given)).some((text) => isText(text) && text.includes(value)),
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether metadata match a filter that the gateway has checked; a key that is missing matches nothing. */
export function matchesFilter(filter: Json, metadata: Json): boolean {
  const [entry] = Object.entries(filter);
  if (!entry) return true;
  const [operator, inner] = entry;
  if (operator === 'andAll') return listOf(inner).every((part) => matchesFilter(part as Json, metadata));
  if (operator === 'orAll') return listOf(inner).some((part) => matchesFilter(part as Json, metadata));
  const test = Object.hasOwn(TESTS, operator) ? TESTS[operator] : undefined;
  if (!test || !isObject(inner) || !isText(inner.key)) return false;
  const given = Object.hasOwn(metadata, inner.key) ? metadata[inner.key] : undefined;
  return given !== undefined && given !== null && test(given, inner.value);
}
