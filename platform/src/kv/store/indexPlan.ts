import type { SQLInputValue } from 'node:sqlite';
import { type Acceleration, containsSql, fieldSql, type IndexPlan } from './accelerations.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import type { Sort } from './shape.ts';

const COMPARISONS: Readonly<Record<string, string>> = { $gt: '>', $gte: '>=', $lt: '<', $lte: '<=' };

interface Condition {
  sql: string;
  params: SQLInputValue[];
}

/** The fields of a query: `used` = all, `scalars` = compared by size. */
interface Fields {
  used: Set<string>;
  scalars: Set<string>;
}

/**
 * Plans a search whose fields are all in one acceleration; undefined means a scan. Only equality, `$ne`, the four
 * comparisons, `$and` and `$or` over texts and numbers have an exact SQL form.
 */
export function indexPlan(query: JsonObject, sort: Sort, list: readonly Acceleration[]): IndexPlan | undefined {
  const fields: Fields = { used: new Set(), scalars: new Set() };
  const { used, scalars } = fields;
  const condition = conjunction(query, fields);
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
    scalars: [...new Set([...scalars, ...sorted])],
    where: condition.sql,
    params: condition.params,
    orderBy: [...order, 'seq'].join(', '),
  };
}

function conjunction(query: JsonObject, fields: Fields): Condition | undefined {
  const parts = Object.entries(query).map(([name, value]) => {
    if (name === '$and' || name === '$or') return junction(name, value, fields);
    return condition(name, value, fields);
  });
  return join(parts, ' AND ');
}

function junction(name: '$and' | '$or', value: Json, fields: Fields): Condition | undefined {
  if (!Array.isArray(value)) return undefined;
  const parts = value.map((item) => (isObject(item) ? conjunction(item, fields) : undefined));
  return join(parts, name === '$and' ? ' AND ' : ' OR ');
}

function join(parts: readonly (Condition | undefined)[], word: string): Condition | undefined {
  if (parts.length === 0) return { sql: '1', params: [] };
  const usable = parts.filter((part) => part !== undefined);
  if (usable.length < parts.length) return undefined;
  return { sql: `(${usable.map(({ sql }) => sql).join(word)})`, params: usable.flatMap(({ params }) => params) };
}

function condition(name: string, value: Json, fields: Fields): Condition | undefined {
  if (name.startsWith('$')) return undefined;
  if (name !== '_key') {
    if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(name)) return undefined;
    fields.used.add(name);
  }
  if (!isObject(value)) return equality(name, value);
  return join(
    Object.entries(value).map(([operator, operand]) => comparison(name, operator, operand, fields)),
    ' AND ',
  );
}

function comparison(name: string, operator: string, operand: Json, fields: Fields): Condition | undefined {
  if (operator === '$eq') return equality(name, operand);
  if (operator === '$ne') {
    const same = equality(name, operand);
    return same && { sql: `(${same.sql} IS NOT TRUE)`, params: same.params };
  }
  if (!comparable(operand)) return undefined;
  const sign = Object.hasOwn(COMPARISONS, operator) ? COMPARISONS[operator] : undefined;
  if (sign === undefined) return undefined;
  if (name !== '_key') fields.scalars.add(name);
  const column = columnOf(name);
  // A comparison never crosses types.
  const types = typeof operand === 'string' ? `= 'text'` : `IN ('integer', 'real')`;
  return { sql: `(typeof(${column}) ${types} AND ${column} ${sign} ?)`, params: [operand] };
}

/** A key is one text; any other field may be an array of texts, which never contains a number. */
function equality(name: string, value: Json): Condition | undefined {
  if (!comparable(value)) return undefined;
  if (name === '_key' || typeof value === 'number') return { sql: `${columnOf(name)} = ?`, params: [value] };
  return containsSql(name, value);
}

const columnOf = (name: string): string => (name === '_key' ? 'key' : fieldSql(name));

function comparable(value: Json): value is string | number {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}
