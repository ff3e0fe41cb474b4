import type { Json } from '../../../contract/basics.ts';

export type Scalar = string | number | boolean;

/** Compares the metadata of one key. */
export interface Condition {
  operator:
    | 'equals'
    | 'notEquals'
    | 'in'
    | 'notIn'
    | 'greaterThan'
    | 'greaterThanOrEquals'
    | 'lessThan'
    | 'lessThanOrEquals'
    | 'startsWith'
    | 'listContains'
    | 'stringContains';
  key: string;
  /** One value, or those of `in` and `notIn`. */
  values: readonly Scalar[];
}

export interface Combination {
  operator: 'andAll' | 'orAll';
  parts: readonly Filter[];
}

export type Filter = Condition | Combination;

export const isCombination = (filter: Filter): filter is Combination => 'parts' in filter;

/** Reads a filter that the gateway has checked. */
export function readFilter(filter: Json): Filter {
  const [[operator, inner] = []] = Object.entries(filter);
  if (Array.isArray(inner)) {
    return { operator: operator as Combination['operator'], parts: inner.map((part) => readFilter(part)) };
  }
  const { key, value } = inner as { key: string; value: Scalar | readonly Scalar[] };
  return { operator: operator as Condition['operator'], key, values: [value].flat() as Scalar[] };
}

/** Calls for each condition of a filter. */
export function eachCondition(filter: Filter, visit: (condition: Condition) => void): void {
  if (!isCombination(filter)) visit(filter);
  else for (const part of filter.parts) eachCondition(part, visit);
}
