import type { PredictedRow, PredictionValue } from '../../../domain/predictions/prediction.ts';
import { numberOf } from '../../../domain/predictions/values.ts';
import { EACH, tokensOf } from '../schemaPaths.ts';
import type { StringMap } from '../stored.ts';
import { csvRecords } from './csvRecords.ts';
import { unusable, wrongLength } from './predicted.ts';

/**
 * The predictions in CSV: a line for each row, also with a line of names before; or all of them in one line, as SageMaker's
 * XGBoost answers. Places of the map name columns: `[*][1]` and `1` by number, else by the line of names, else in their order.
 * @throws OutboundError `upstream_error`
 */
export function csvAnswer(text: string, map: StringMap, count: number): PredictedRow[] {
  const lines = linesIn(text, count);
  const [first = []] = lines;
  const names = lines.length === count + 1 && isHeader(first, map) ? first : undefined;
  const isOneLine = lines.length === 1 && count > 1 && first.length === count;
  const rows = isOneLine ? first.map((cell) => [cell]) : lines.slice(names ? 1 : 0);
  if (rows.length !== count) throw wrongLength(rows.length, count);
  const width = isOneLine ? 1 : first.length;
  if (rows.some(({ length }) => length !== width)) throw unusable('has CSV lines with different numbers of cells');
  const columns = columnsOf(map, names ?? [], width);
  const unnamed = (cells: readonly string[]): PredictedRow => {
    if (names) return Object.fromEntries(names.map((name, at) => [name, cellValue(cells[at])]));
    return { prediction: cells.length === 1 ? cellValue(cells[0]) : JSON.stringify(cells.map(cellValue)) };
  };
  return rows.map((cells) =>
    columns.length === 0
      ? unnamed(cells)
      : Object.fromEntries(columns.map(({ field, at }) => [field, cellValue(cells[at])])),
  );
}

/**
 * The lines as cells. Blank lines are nothing among lines of several cells; among lines of one cell they are empty cells, but not
 * at the end beyond the number of rows.
 * @throws OutboundError `upstream_error` for more lines than rows can have, before all are read
 */
function linesIn(text: string, count: number): string[][] {
  const lines: string[][] = [];
  let blanks = 0;
  let isWide = false;
  for (const { cells, isBlank } of csvRecords(text)) {
    if (isBlank) {
      blanks += 1;
      continue;
    }
    isWide ||= cells.length > 1;
    const before = isWide ? 0 : blanks;
    if (lines.length + before > count) throw unusable(`has more predictions than ${count} rows`);
    for (let blank = 0; blank < before; blank += 1) lines.push(['']);
    lines.push(cells);
    blanks = 0;
  }
  while (!isWide && blanks > 0 && lines.length < count) {
    lines.push(['']);
    blanks -= 1;
  }
  return lines;
}

/** Whether the first line names the columns: all its cells differ and none reads as a number, or the map names some of them. */
function isHeader(cells: readonly string[], map: StringMap): boolean {
  if (Object.keys(map).some((path) => isNamedIn(cells, path))) return true;
  const isName = (cell: string) => cell !== '' && !NONE.test(cell) && numberOf(cell) === undefined;
  return cells.every(isName) && new Set(cells).size === cells.length;
}

/** What a place ends with: a name, or the items of a list. */
const lastOf = (path: string): string => tokensOf(path)?.at(-1) ?? EACH;

const isNamedIn = (names: readonly string[], path: string): boolean =>
  !NUMBER.test(lastOf(path)) && names.includes(lastOf(path));

/** @throws OutboundError `upstream_error` for a column that is not there */
function columnsOf(map: StringMap, names: readonly string[], width: number) {
  const entries = Object.entries(map);
  const hasNames = entries.some(([path]) => isNamedIn(names, path));
  return entries.map(([path, field], index) => {
    const [, number] = NUMBER.exec(lastOf(path)) ?? [];
    const at = number !== undefined ? Number(number) : hasNames ? names.indexOf(lastOf(path)) : index;
    if (at < 0 || at >= width) throw unusable(`has nothing at ${path.slice(0, 200)}`);
    return { field, at };
  });
}

/** A place that ends with a number. */
const NUMBER = /^\[?(\d+)\]?$/;
const NONE = /^[+-]?(nan|inf(inity)?)$/i;

/** A number that is written as numbers are; `007` and integers beyond 2^53 stay text. */
function cellValue(cell: string | undefined): PredictionValue {
  if (cell === undefined || cell === '' || NONE.test(cell)) return null;
  const number = /^[+-]?0\d/.test(cell) ? undefined : numberOf(cell);
  if (number === undefined) return cell;
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(cell) ? cell : number;
}
