import type { SQLInputValue } from 'node:sqlite';
import { type Acceleration, fieldSql, type IndexPlan } from './accelerations.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Sort } from './shape.ts';

const COMPARISONS: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

interface Condition {
  sql: string;
  params: SQLInputValue[];
}

/**
 * The plan for a search of which one acceleration has every field, or undefined: then documents are looked at one by
 * one. Only equality, `$ne`, the four comparisons, `$and` and `$or` over texts and numbers can be said in SQL exactly.
 */
export function indexPlan(query: JsonObject, sort: Sort, list: readonly Acceleration[]): IndexPlan | undefined {
  const used = new Set<string>();
  const condition = conjunction(query, used);
  if (condition === undefined) return undefined;
  const sorted = sort.map(([path]) => path).filter((path) => path !== '_key');
  const fits = list.filter((fields) => [...used, ...sorted].every((field) => fields.includes(field)));
  const acceleration =
    fits.find((fields) => fields[0] === sorted[0]) ?? fits.find((fields) => used.has(fields[0] ?? ''));
  const chosen = acceleration ?? fits[0];
  if (chosen === undefined) return undefined;
  const order = sort.map(
    ([path, sign]) => `${path === '_key' ? 'key' : fieldSql(path)} ${sign === 1 ? 'ASC' : 'DESC'}`,
  );
  return {
    acceleration: chosen,
    where: condition.sql,
    params: condition.params,
    orderBy: [...order, 'seq'].join(', '),
  };
}

function conjunction(query: JsonObject, used: Set<string>): Condition | undefined {
  const parts = Object.entries(query).map(([name, value]) => {
    if (name === '$and' || name === '$or') return junction(name, value, used);
    return field(name, value, used);
  });
  return join(parts, ' AND ');
}

function junction(name: '$and' | '$or', value: Json, used: Set<string>): Condition | undefined {
  if (!Array.isArray(value)) return undefined;
  const parts = value.map((item) => (isObject(item) ? conjunction(item, used) : undefined));
  return join(parts, name === '$and' ? ' AND ' : ' OR ');
}

function join(parts: readonly (Condition | undefined)[], word: string): Condition | undefined {
  if (parts.length === 0) return { sql: '1', params: [] };
  const whole = parts.filter((part) => part !== undefined);
  if (whole.length < parts.length) return undefined;
  return { sql: `(${whole.map(({ sql }) => sql).join(word)})`, params: whole.flatMap(({ params }) => params) };
}

function field(name: string, value: Json, used: Set<string>): Condition | undefined {
  if (name.startsWith('$')) return undefined;
  const column = name === '_key' ? 'key' : fieldSql(name);
  if (name !== '_key') {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return undefined;
    used.add(name);
  }
  if (!isObject(value)) return comparable(value) ? { sql: `${column} = ?`, params: [value] } : undefined;
  return join(
    Object.entries(value).map(([operator, operand]) => comparison(column, operator, operand)),
    ' AND ',
  );
}

function comparison(column: string, operator: string, operand: Json): Condition | undefined {
  if (!comparable(operand)) return undefined;
  if (operator === '$eq') return { sql: `${column} = ?`, params: [operand] };
  if (operator === '$ne') return { sql: `${column} IS NOT ?`, params: [operand] };
  const sign = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (sign === undefined) return undefined;
  // A comparison never crosses types.
  const types = typeof operand === 'string' ? `= 'text'` : `IN ('integer', 'real')`;
  return { sql: `(typeof(${column}) ${types} AND ${column} ${sign} ?)`, params: [operand] };
}

function comparable(value: Json): value is string | number {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
