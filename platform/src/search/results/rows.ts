/** A cell: text, or several texts of a multivalue field. */
export type Cell = string | string[];

/** One result. Without prototype, as field names come from commands: `__proto__` is a name like any other. */
export type Row = Record<string, Cell>;

/** Rows as they come from a command; the columns are in its order and may differ from batch to batch. */
export interface Batch {
  columns: string[];
  rows: Row[];
  /** Nothing comes after it. A source that does not know that yet just ends. */
  isLast?: boolean;
}

export const EMPTY: Batch = { columns: [], rows: [] };

/** A command behind the first: takes batches as they come. */
export interface Stage {
  push(batch: Batch): Batch;
  /** What is left when no more rows come. */
  finish?(): Batch;
  /** Nothing more is wanted. */
  full?(): boolean;
}

export function newRow(): Row {
  return Object.create(null) as Row;
}

export function cellText(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return typeof cell === 'string' ? cell : cell.join('\n');
}

/** A name as `fields`, `table` and the argument `f` take it: `*` stands for anything. */
export function fieldPattern(pattern: string): (name: string) => boolean {
  if (!pattern.includes('*')) return (name) => name === pattern;
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop() ?? '';
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    const end = name.length - last.length;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}
