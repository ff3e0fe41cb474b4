import { isObject, type Json } from '../../../contract/basics.ts';

type Test = (found: unknown, value: unknown) => boolean;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isText = (value: unknown): value is string => typeof value === 'string';
const isIn: Test = (found, value) => Array.isArray(value) && value.includes(found);

/** Operators, for a key that is there. Values of different types are never equal. */
const TESTS: Readonly<Record<string, Test>> = {
  equals: (found, value) => found === value,
  notEquals: (found, value) => found !== value,
  in: isIn,
  notIn: (found, value) => !isIn(found, value),
  greaterThan: (found, value) => isNumber(found) && isNumber(value) && found > value,
  greaterThanOrEquals: (found, value) => isNumber(found) && isNumber(value) && found >= value,
  lessThan: (found, value) => isNumber(found) && isNumber(value) && found < value,
  lessThanOrEquals: (found, value) => isNumber(found) && isNumber(value) && found <= value,
  startsWith: (found, value) => isText(found) && isText(value) && found.startsWith(value),
  listContains: (found, value) => Array.isArray(found) && found.includes(value),
  stringContains: (found, value) =>
    isText(value) && (isText(found) ? [found] : listOf(found)).some((text) => isText(text) && text.includes(value)),
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
  const found = Object.hasOwn(metadata, inner.key) ? metadata[inner.key] : undefined;
  return found !== undefined && found !== null && test(found, inner.value);
}
