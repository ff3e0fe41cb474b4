import { csvLines, csvValue, hasIndex, isNoValue } from '../rows/csvLines.ts';
import type { PredictedRow, PredictionValue } from '../rows/prediction.ts';
import { numberOf, predictionValue } from '../rows/values.ts';
import type { StringMap } from './openapi.ts';
import { unusable, wrongLength } from './predicted.ts';
import { EACH, tokensOf } from './schemaPaths.ts';

/** The values of each row, with the names of their columns if there are any. */
interface Table {
  names: readonly string[] | undefined;
  rows: readonly (readonly PredictionValue[])[];
}

/**
 * The predictions in CSV: a line for each row, also with a line of names before; or all of them in one line, as SageMaker's
 * XGBoost answers. A nameless first column is an index. Places of the map name columns: `[*][1]` and `1` by number, else by the
 * line of names, else in their order.
 * @throws OutboundError `upstream_error`
 */
export function csvAnswer(text: string, map: StringMap, count: number): PredictedRow[] {
  const lines = csvLines(text, { most: count + 2, filled: count });
  if (!lines) throw unusable('has JSON in its CSV, without quotes around it');
  if (lines.length > count + 1) throw unusable(`has more predictions than ${count} rows`);
  const [first = []] = lines;
  const isIndexed = hasIndex(first);
  const named = isIndexed ? first.slice(1) : first;
  const names = lines.length === count + 1 && isHeader(named, map) ? named : undefined;
  const isOneLine = lines.length === 1 && count > 1 && first.length === count;
  const rows = isOneLine ? first.map((cell) => [cell]) : lines.slice(names ? 1 : 0);
  if (rows.length !== count) throw wrongLength(rows.length, count);
  if (rows.some(({ length }) => length !== (isOneLine ? 1 : first.length))) throw ragged();
  const from = names && isIndexed ? 1 : 0;
  return predictedRows({ names, rows: rows.map((cells) => cells.slice(from).map(csvValue)) }, map);
}

/**
 * The predictions in JSON that is called CSV: a value, or a list of values, for each row.
 * @throws OutboundError `upstream_error`
 */
export function listAnswer(list: readonly unknown[], map: StringMap): PredictedRow[] {
  const rows = list.map((entry) => (Array.isArray(entry) ? entry : [entry]).map(predictionValue));
  if (rows.some(({ length }) => length !== rows[0]?.length)) throw ragged();
  return predictedRows({ names: undefined, rows }, map);
}

function predictedRows({ names, rows }: Table, map: StringMap): PredictedRow[] {
  const columns = columnsOf(map, names ?? [], rows[0]?.length ?? 0);
  const unnamed = (values: readonly PredictionValue[]): PredictedRow => {
    if (names) return Object.fromEntries(names.map((name, column) => [name, values[column] ?? null]));
    return { prediction: values.length === 1 ? (values[0] ?? null) : JSON.stringify(values) };
  };
  return rows.map((values) =>
    columns.length === 0
      ? unnamed(values)
      : Object.fromEntries(columns.map(({ field, column }) => [field, values[column] ?? null])),
  );
}

const ragged = () => unusable('has CSV lines with different numbers of cells');

/** Whether the first line names the columns: all its cells differ and none reads as a number, or the map names some of them. */
function isHeader(cells: readonly string[], map: StringMap): boolean {
  if (Object.keys(map).some((path) => isNamedIn(cells, path))) return true;
  const isName = (cell: string) => !isNoValue(cell) && numberOf(cell) === undefined;
  return cells.every(isName) && new Set(cells).size === cells.length;
}

/** Last token of a place: a name, or the items of a list. */
const lastOf = (path: string): string => tokensOf(path)?.at(-1) ?? EACH;

const isNamedIn = (names: readonly string[], path: string): boolean =>
  !NUMBER.test(lastOf(path)) && names.includes(lastOf(path));

/** @throws OutboundError `upstream_error` for a column that is not there */
function columnsOf(map: StringMap, names: readonly string[], width: number) {
  const entries = Object.entries(map);
  const hasNames = entries.some(([path]) => isNamedIn(names, path));
  return entries.map(([path, field], index) => {
    const [, number] = NUMBER.exec(lastOf(path)) ?? [];
    const column = number !== undefined ? Number(number) : hasNames ? names.indexOf(lastOf(path)) : index;
    if (column < 0 || column >= width) throw unusable(`has nothing at ${path.slice(0, 200)}`);
    return { field, column };
  });
}

/** A place that ends with a number. */
const NUMBER = /^\[?(\d+)\]?$/;
