import type { Cell, Table } from './cells.ts';

/** Characters of a cell that is cut. */
const MAX_CELL = 1000;
/** Values of a cell with several that is cut. */
const MAX_VALUES = 50;

export interface FittedTable extends Table {
  /** Cells of the rows that are left. */
  cutCells: number;
  leftOutRows: number;
  leftOutFields: number;
}

/**
 * Cuts a table until it fits: cells first, so that one long event does not hide the others, then rows from the end. Of a row that
 * is too long by itself the last fields are left out.
 * @param isFit whether a table fits; of less it does wherever it does of more
 */
export function fitTable(table: Table, isFit: (table: FittedTable) => boolean): FittedTable {
  const whole: FittedTable = { ...table, cutCells: 0, leftOutRows: 0, leftOutFields: 0 };
  if (isFit(whole)) return whole;
  const rows = table.rows.map((row) => row.map(cutCell));
  const part = (count: number, columns: number): FittedTable => {
    const kept = rows.slice(0, count).map((row) => row.slice(0, columns));
    const cutCells = kept.reduce((sum, row, index) => sum + cutCellsOf(row, table.rows[index] as Cell[]), 0);
    const fields = table.fields.slice(0, columns);
    return {
      fields,
      rows: kept,
      cutCells,
      leftOutRows: rows.length - count,
      leftOutFields: table.fields.length - columns,
    };
  };
  const columns = table.fields.length;
  const count = mostThat((some) => isFit(part(some, columns)), rows.length);
  if (count > 0) return part(count, columns);
  const first = Math.min(1, rows.length);
  return part(
    first,
    mostThat((some) => isFit(part(first, some)), columns),
  );
}

/** The largest number up to `most` that fits; 0 counts as one that does. */
function mostThat(isFit: (count: number) => boolean, most: number): number {
  let [fits, exceeds] = [0, most + 1];
  while (exceeds - fits > 1) {
    const middle = Math.floor((fits + exceeds) / 2);
    if (isFit(middle)) fits = middle;
    else exceeds = middle;
  }
  return fits;
}

const cutCellsOf = (row: readonly Cell[], before: readonly Cell[]): number =>
  row.filter((cell, index) => cell !== before[index]).length;

/** The cell itself if it is short. */
function cutCell(cell: Cell): Cell {
  if (typeof cell === 'string') return cutText(cell, MAX_CELL);
  if (!Array.isArray(cell)) return cell;
  const kept: (string | number | null)[] = [];
  let room = MAX_CELL;
  for (const value of cell) {
    const text = String(value ?? '');
    if (kept.length === MAX_VALUES || (text.length > room && kept.length > 0)) break;
    kept.push(text.length > room ? cutText(text, room) : value);
    room -= text.length;
  }
  const left = cell.length - kept.length;
  if (left > 0) return [...kept, `… (+${left} values)`];
  return kept.every((value, index) => value === cell[index]) ? cell : kept;
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  // Half of a surrogate pair is left out.
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  const kept = text.slice(0, isSplit ? most - 1 : most);
  return `${kept}… (+${text.length - kept.length} characters)`;
}
