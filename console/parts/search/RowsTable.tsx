import { Stack } from '../../app/styles.ts';
import { DataTable } from '../table/DataTable.tsx';
import { formatCount, shortened } from '../text/format.ts';
import { withVisibleCharacters } from '../text/visible.ts';

/** More would make the page slow. */
const MOST_ROWS = 100;
const LONGEST_CELL = 1000;

interface RowsTableProps {
  label: string;
  fields: readonly string[];
  rows: readonly (readonly unknown[])[];
}

/** Rows of a search. Events have text of anybody: hidden characters are visible, and long cells are cut. */
export function RowsTable({ label, fields, rows }: RowsTableProps) {
  if (rows.length === 0) return <p>No rows.</p>;
  return (
    <Stack>
      <DataTable
        label={label}
        heads={fields.map((field) => ({ label: withVisibleCharacters(field) }))}
        rows={rows.slice(0, MOST_ROWS).map((row, index) => ({ key: String(index), cells: row.map(shownText) }))}
      />
      {rows.length > MOST_ROWS && (
        <small>{`The first ${MOST_ROWS} of ${formatCount(rows.length)} rows are shown.`}</small>
      )}
    </Stack>
  );
}

const shownText = (cell: unknown): string => withVisibleCharacters(shortened(cellText(cell), LONGEST_CELL));

/** @param cell a text, a number, nothing, or a list of these */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (Array.isArray(cell)) return cell.map(cellText).join(', ');
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
