import { csvLine } from '../../../domain/values/csv.ts';
import type { Cell, Table } from './cells.ts';

/** Rows as CSV with a header, the form that models read best; several values of a cell are lines of it. */
export const csvOf = ({ fields, rows }: Table): string =>
  [fields, ...rows.map((row) => row.map(textOf))].map((line) => `${lineOf(line)}\n`).join('');

/** An empty line ends the rows, so a lone empty cell is quoted. */
const lineOf = (cells: readonly string[]): string => csvLine(cells) || '""';

function textOf(cell: Cell): string {
  if (cell === null) return '';
  return Array.isArray(cell) ? cell.map((each) => textOf(each)).join('\n') : String(cell);
}
