import { csvRecords } from '../text/csv.ts';

/** The result of a search tool as a model reads it, taken apart. */
export interface ResultRows {
  fields: readonly string[];
  rows: readonly (readonly string[])[];
  /** Remarks on rows that were cut, and messages. */
  notes: string;
}

const NO_ROWS = 'No rows.\n';

/** CSV, an empty line and remarks. @returns undefined for a text of another kind, such as one that a person gave instead */
export function rowsIn(text: string): ResultRows | undefined {
  if (text.startsWith(NO_ROWS)) return { fields: [], rows: [], notes: text.slice(NO_ROWS.length).trim() };
  const lines: string[][] = [];
  let start = 0;
  for (const { cells, end } of csvRecords(text)) {
    if (text.slice(start, end).trim() === '') {
      const [fields, ...rows] = lines;
      return fields && { fields, rows, notes: text.slice(end).trim() };
    }
    if (lines[0] && cells.length !== lines[0].length) return undefined;
    lines.push(cells);
    start = end;
  }
  return undefined;
}
