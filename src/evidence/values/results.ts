import { parseExact } from '../../contract/exactJson.ts';
import { type CsvRecord, csvRecords } from '../../domain/values/csvRecords.ts';
import { closedJson } from './closedJson.ts';

/** Rows of a result: a list of objects, one object, or lists of cells with the names of their columns. */
export type Table =
  | { rows: readonly Readonly<Record<string, unknown>>[] }
  | { names: readonly string[]; rows: readonly (readonly unknown[])[] };

/** Receives the values of a result. */
export interface Values {
  /** @param field innermost key that holds it */
  textValue(text: string, field: string | undefined): void;
  numberValue(value: number | bigint, field: string | undefined): void;
  table(table: Table): void;
}

/** Strings that hold JSON are read so deep. */
const MOST_STRINGS = 4;
const MOST_LEVELS = 200;
const MOST_COLUMNS = 1000;

/** Reads a text as JSON, as lines of JSON, as CSV or as it is. */
export function readText(text: string, into: Values, field?: string, depth = 0): void {
  const start = text.charAt(0) <= ' ' ? text.trimStart() : text;
  const first = start.charAt(0);
  if (depth < MOST_STRINGS && (first === '{' || first === '[' || first === '"') && readJson(start, into, field, depth))
    return;
  if (depth < MOST_STRINGS && text.includes('\n') && readCsv(start, into)) return;
  into.textValue(text, field);
}

/** @returns false for what is no JSON */
function readJson(text: string, into: Values, field: string | undefined, depth: number): boolean {
  const value = parsed(text);
  if (value !== undefined) {
    readValue(value, into, field, depth + 1);
    return true;
  }
  if (text.charAt(0) === '"') return false;
  return readJsonLines(text, into, field, depth) || readCutJson(text, into, field, depth);
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function readJsonLines(text: string, into: Values, field: string | undefined, depth: number): boolean {
  const end = text.indexOf('\n');
  if (end < 0 || parsed(text.slice(0, end)) === undefined) return false;
  const rows: Record<string, unknown>[] = [];
  for (const line of text.split('\n')) {
    const value = line.charAt(0) === '{' || line.charAt(0) === '[' ? parsed(line) : undefined;
    if (value === undefined) into.textValue(line, field);
    else if (isObject(value)) rows.push(value);
    else readValue(value, into, field, depth + 1);
  }
  if (rows.length > 0) readValue(rows, into, field, depth + 1);
  return true;
}

/** JSON that was cut: what is complete is read as such, what stands behind as text. */
function readCutJson(text: string, into: Values, field: string | undefined, depth: number): boolean {
  const closed = closedJson(text);
  const value = closed && parsed(closed.json);
  if (!closed || value === undefined) return false;
  readValue(value, into, field, depth + 1);
  into.textValue(text.slice(closed.end), field);
  return true;
}

/** Reads a value of JSON. */
export function readValue(value: unknown, into: Values, field?: string, depth = 0, level = 0): void {
  if (level > MOST_LEVELS) return;
  if (typeof value === 'string') readText(value, into, field, depth);
  else if (typeof value === 'number' || typeof value === 'bigint') into.numberValue(value, field);
  else if (Array.isArray(value)) readList(value, into, field, depth, level);
  else if (isObject(value)) readObject(value, into, field, depth, level);
}

function readList(
  list: readonly unknown[],
  into: Values,
  field: string | undefined,
  depth: number,
  level: number,
): void {
  const rows = list.filter(isObject);
  if (rows.length > 0) into.table({ rows });
  for (const item of list) {
    if (isObject(item)) readFields(item, into, depth, level + 1);
    else readValue(item, into, field, depth, level + 1);
  }
}

function readObject(
  object: Record<string, unknown>,
  into: Values,
  field: string | undefined,
  depth: number,
  level: number,
): void {
  const cells = cellsOf(object);
  if (!cells) {
    into.table({ rows: [object] });
    readFields(object, into, depth, level);
    return;
  }
  into.table(cells);
  for (const row of cells.rows) {
    for (const [column, cell] of row.entries()) readValue(cell, into, cells.names[column] ?? field, depth, level + 2);
  }
  const { fields: _fields, rows: _rows, ...others } = object;
  readFields(others, into, depth, level);
}

/** Keys may hold values as well: columns of charts are hosts or addresses. */
function readFields(object: Record<string, unknown>, into: Values, depth: number, level: number): void {
  for (const key of Object.keys(object)) {
    if (MAY_BE_VALUE.test(key)) into.textValue(key, key);
    readValue(object[key], into, key, depth, level + 1);
  }
}

const MAY_BE_VALUE = /[ .:@\\-]|^\d+$/;

/** `fields[]` with `rows[[…]]`. */
function cellsOf(object: Record<string, unknown>): { names: string[]; rows: unknown[][] } | undefined {
  const { fields, rows } = object;
  if (!Array.isArray(fields) || !Array.isArray(rows) || !rows.every(Array.isArray)) return undefined;
  const names = fields.map((field) => String(isObject(field) ? field.name : field));
  return { names, rows };
}

/** CSV with a header line. Lines of another shape, such as a note that the result was cut, are text. */
function readCsv(text: string, into: Values): boolean {
  const lines = csvRecords(text);
  const header = lines.next().value as CsvRecord | undefined;
  const names = header?.cells ?? [];
  if (
    names.length < 2 ||
    names.length > MOST_COLUMNS ||
    !names.every(isColumnName) ||
    !/^[A-Za-z_]/.test(names[0] ?? '')
  )
    return false;
  const rows: string[][] = [];
  const others: string[] = [];
  for (const { cells, isBlank } of lines) {
    if (cells.length === names.length) rows.push(cells);
    else if (!isBlank) others.push(cells.join(', '));
    // Prose with commas in its first line is no CSV.
    if (rows.length === 0 && others.length > 0) return false;
  }
  into.table({ names, rows });
  for (const name of names) if (MAY_BE_VALUE.test(name)) into.textValue(name, name);
  for (const row of rows) {
    for (let column = 0; column < row.length; column += 1) readText(row[column] ?? '', into, names[column], 1);
  }
  for (const line of others) into.textValue(line, undefined);
  return true;
}

const COLUMN_NAME = /^[^\s"{}[\]<>|][^"{}<>|]{0,79}$/;
export const isColumnName = (name: string): boolean => COLUMN_NAME.test(name) && !/[.!?] |[.!?]$/.test(name);

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
