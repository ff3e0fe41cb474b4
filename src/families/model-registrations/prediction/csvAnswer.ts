import type { PredictionValue } from '../../../domain/predictions/prediction.ts';
import { numberOf } from '../../../domain/predictions/values.ts';
import { tokensOf } from '../schemaPaths.ts';
import type { StringMap } from '../stored.ts';
import { type PredictedRow, wrongLength } from './predicted.ts';

/**
 * The predictions in CSV: a line for each row, also with a line of names before; or all of them in one line, as SageMaker's
 * XGBoost answers. Places of the map name columns: `[*][1]` and `1` by number, else by the line of names, else in their order.
 * @throws OutboundError `upstream_error`
 */
export function csvAnswer(text: string, map: StringMap, count: number): PredictedRow[] {
  const lines = recordsIn(text);
  const [first = []] = lines;
  const isOneLine = lines.length === 1 && count > 1 && first.length === count;
  const rows = isOneLine ? first.map((cell) => [cell]) : lines.length === count + 1 ? lines.slice(1) : lines;
  if (rows.length !== count) throw wrongLength(rows.length, count);
  const names = rows.length < lines.length ? first : undefined;
  const fields = Object.entries(map).map(([path, field], index) => ({ field, at: columnOf(path, names) ?? index }));
  const unnamed = (cells: readonly string[]): PredictedRow => {
    if (names) return Object.fromEntries(names.map((name, at) => [name, cellValue(cells[at])]));
    return { prediction: cells.length === 1 ? cellValue(cells[0]) : JSON.stringify(cells.map(cellValue)) };
  };
  return rows.map((cells) =>
    fields.length === 0
      ? unnamed(cells)
      : Object.fromEntries(fields.map(({ field, at }) => [field, cellValue(cells[at])])),
  );
}

function columnOf(path: string, names: readonly string[] | undefined): number | undefined {
  const last = tokensOf(path)?.at(-1) ?? '';
  const [, number] = /^\[?(\d{1,4})\]?$/.exec(last) ?? [];
  if (number !== undefined) return Number(number);
  const named = names?.indexOf(last) ?? -1;
  return named >= 0 ? named : undefined;
}

/** A number that is written as numbers are; `007` and integers beyond 2^53 stay text. */
function cellValue(cell: string | undefined): PredictionValue {
  if (cell === undefined || cell === '' || /^-?(nan|inf(inity)?)$/i.test(cell)) return null;
  const number = /^[+-]?0\d/.test(cell) ? undefined : numberOf(cell);
  if (number === undefined) return cell;
  return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(cell) ? cell : number;
}

/** Lines as cells, quoted cells without their quotes; empty lines are left out. Each character is looked at once. */
function recordsIn(text: string): string[][] {
  const records: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at < text.length) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    cells.push(cell.text);
    at = cell.end + 1;
    if (text[cell.end] === ',') {
      if (at === text.length) cells.push('');
      else continue;
    }
    if (cells.length > 1 || cells[0] !== '') records.push(cells);
    cells = [];
  }
  return records;
}

interface Cell {
  text: string;
  /** Index of the comma or the end of the line behind it. */
  end: number;
}

function plainCell(text: string, from: number): Cell {
  const end = endOf(text, from);
  return { text: text.slice(from, end).trim(), end };
}

function quotedCell(text: string, from: number): Cell {
  let found = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return { text: found + text.slice(at), end: text.length };
    found += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { text: found, end: endOf(text, quote + 1) };
    found += '"';
    at = quote + 2;
  }
}

function endOf(text: string, from: number): number {
  SEPARATOR.lastIndex = from;
  return SEPARATOR.exec(text)?.index ?? text.length;
}

const SEPARATOR = /[,\n]/g;
