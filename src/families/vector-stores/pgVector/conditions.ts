import { type Condition, type Filter, isCombination } from '../queries/filter.ts';
import type { Parameters } from './statement.ts';

/** Comparisons in the language of JSON paths, where values of different types cannot be compared. */
const PATHS = {
  greaterThan: 'strict $ ? (@ > $v)',
  greaterThanOrEquals: 'strict $ ? (@ >= $v)',
  lessThan: 'strict $ ? (@ < $v)',
  lessThanOrEquals: 'strict $ ? (@ <= $v)',
  startsWith: 'strict $ ? (@ starts with $v)',
} as const;

/** A filter as a condition of SQL. @param metadata the metadata of a row, of type jsonb */
export function conditionOf(filter: Filter, metadata: string, parameters: Parameters): string {
  if (!isCombination(filter)) return comparison(filter, metadata, parameters);
  const parts = filter.parts.map((part) => conditionOf(part, metadata, parameters));
  return `(${parts.join(filter.operator === 'andAll' ? ' AND ' : ' OR ')})`;
}

function comparison({ operator, key, values }: Condition, metadata: string, parameters: Parameters): string {
  const value = `(${metadata} -> ${parameters.add(key)}::text)`;
  const isThere = `jsonb_typeof(${value}) <> 'null'`;
  const isAmong = () => `${value} IN (${values.map((operand) => `${parameters.add(JSON.stringify(operand))}::jsonb`)})`;
  switch (operator) {
    case 'equals':
    case 'in':
      return `COALESCE(${isAmong()}, false)`;
    case 'notEquals':
    case 'notIn':
      return `COALESCE(${isThere} AND NOT ${isAmong()}, false)`;
    case 'listContains': {
      const item = `${parameters.add(JSON.stringify(values))}::jsonb`;
      return `COALESCE(jsonb_typeof(${value}) = 'array' AND ${value} @> ${item}, false)`;
    }
    case 'stringContains': {
      const texts = `jsonb_path_query(${value}, '$[*] ? (@.type() == "string")')`;
      const part = parameters.add(String(values[0]));
      return `EXISTS (SELECT FROM ${texts} AS item WHERE strpos(item #>> '{}', ${part}::text) > 0)`;
    }
    default: {
      const operand = `${parameters.add(JSON.stringify({ v: values[0] }))}::jsonb`;
      return `COALESCE(jsonb_path_exists(${value}, '${PATHS[operator]}', ${operand}), false)`;
    }
  }
}
