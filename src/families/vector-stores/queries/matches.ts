import { isObject, type Json } from '../../../contract/basics.ts';
import { type Condition, type Filter, isCombination, type Scalar } from './filter.ts';

/** A test of a value that the metadata has. */
type ValueTest = (value: unknown, values: readonly Scalar[]) => boolean;

const ordered =
  (holds: (value: number, operand: number) => boolean): ValueTest =>
  (value, [operand]) =>
    typeof value === 'number' && holds(value, operand as number);

const isAmong: ValueTest = (value, values) => values.includes(value as Scalar);

const TESTS: Readonly<Record<Condition['operator'], ValueTest>> = {
  equals: isAmong,
  notEquals: (value, values) => !isAmong(value, values),
  in: isAmong,
  notIn: (value, values) => !isAmong(value, values),
  greaterThan: ordered((value, operand) => value > operand),
  greaterThanOrEquals: ordered((value, operand) => value >= operand),
  lessThan: ordered((value, operand) => value < operand),
  lessThanOrEquals: ordered((value, operand) => value <= operand),
  startsWith: (value, [operand]) => typeof value === 'string' && value.startsWith(operand as string),
  listContains: (value, [operand]) => Array.isArray(value) && value.includes(operand),
  stringContains: (value, [operand]) =>
    [value].flat().some((text) => typeof text === 'string' && text.includes(operand as string)),
};

/**
 * Whether metadata match a filter: what all kinds of stores answer. A missing key matches nothing, and values of different types
 * are never equal; a list is equal to no value.
 */
export function matches(filter: Filter, metadata: Json): boolean {
  if (isCombination(filter)) {
    const test = (part: Filter) => matches(part, metadata);
    return filter.operator === 'andAll' ? filter.parts.every(test) : filter.parts.some(test);
  }
  const value = valueAt(metadata, filter.key);
  return value !== undefined && value !== null && TESTS[filter.operator](value, filter.values);
}

/** The value of a key, or of the path that a key with dots is in the stores of others. */
export function valueAt(metadata: Json, key: string): unknown {
  if (Object.hasOwn(metadata, key)) return metadata[key];
  let value: unknown = metadata;
  for (const part of key.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}
