import { csvRecords } from '../../domain/values/csvRecords.ts';
import type { PredictionValue } from './prediction.ts';
import { hasLeadingZero, numberOf } from './values.ts';

interface CsvShape {
  /** No more are read. */
  most: number;
  /** Lines of one cell that are missing at the end are blank ones, up to this number. */
  filled: number;
}

/**
 * The lines of an answer as cells. Blank lines are nothing where lines have several cells; where they have one cell they are empty
 * cells, but not at the end beyond the number that is asked for.
 * @returns undefined if commas have cut lists or objects of JSON
 */
export function csvLines(text: string, { most, filled }: CsvShape): string[][] | undefined {
  const lines: string[][] = [];
  let blanks = 0;
  let isWide = false;
  for (const { cells, isBlank, isCut } of csvRecords(text)) {
    if (isCut) return undefined;
    if (isBlank) {
      blanks += 1;
      continue;
    }
    isWide ||= cells.length > 1;
    const before = isWide ? 0 : blanks;
    for (let blank = 0; blank < before && lines.length < most; blank += 1) lines.push(['']);
    lines.push(cells);
    if (lines.length >= most) return lines;
    blanks = 0;
  }
  while (!isWide && blanks > 0 && lines.length < filled) {
    lines.push(['']);
    blanks -= 1;
  }
  return lines;
}

/** Whether the first column is an index, whose name data frames leave empty. */
export const hasIndex = (names: readonly string[]): boolean => names.length > 1 && names[0] === '';

/** Texts that Python and others write for no value, and for numbers that are infinite. */
export const isNoValue = (cell: string): boolean => /^([+-]?(nan|inf(inity)?))?$/i.test(cell);

/** A number that is written as numbers are; `007` and integers beyond 2^53 stay text. */
export function csvValue(cell: string): PredictionValue {
  if (isNoValue(cell)) return null;
  const number = hasLeadingZero(cell) ? undefined : numberOf(cell);
  if (number === undefined) return cell;
  return /^[+-]?\d+$/.test(cell) && !Number.isSafeInteger(number) ? cell : number;
}
