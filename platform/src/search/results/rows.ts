/** A cell: text, or several texts of a multivalue field. */
export type Cell = string | string[];

/** One result. No prototype, since commands name the fields, possibly `__proto__`. */
export type Row = Record<string, Cell>;

/** Rows of a command; the columns are in its order and may differ between batches. */
export interface Batch {
  columns: string[];
  rows: Row[];
  /** True for the last batch; a source that does not know just ends. */
  isLast?: boolean;
}

export const EMPTY: Batch = { columns: [], rows: [] };

/** A command after the first: processes batches as they come. */
export interface Stage {
  push(batch: Batch): Batch;
  /** The remaining rows at the end of the input. */
  finish?(): Batch;
  /** True when it needs no more input. */
  full?(): boolean;
}

export function newRow(): Row {
  return Object.create(null) as Row;
}

export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return typeof cell === 'string' ? cell : cell.join('\n');
}
