import { csvLine } from '../domain/values/csv.ts';
import { type CsvTable, MULTIVALUE, unreadable } from './csvTable.ts';

/** A value of a field, or the values of a multivalue field. */
export type Cell = string | number | readonly string[];

export type Row = Readonly<Record<string, Cell>>;

/** The platform's CSV: one header, CRLF, and an additional `__mv_` column for each multivalue field. */
export function writeRows(fields: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lists = fields.filter((field) => rows.some((row) => Array.isArray(row[field])));
  const lines = [
    [...fields, ...lists.map((field) => MULTIVALUE + field)],
    ...rows.map((row) => [...fields.map((field) => joined(row[field])), ...lists.map((field) => encoded(row[field]))]),
  ];
  return lines.map((cells) => `${csvLine(cells)}\r\n`).join('');
}

/** Plain CSV with a header; the values of a multivalue field are lines of one cell. */
export function writeTable(fields: readonly string[], rows: readonly Row[]): string {
  const lines = [fields, ...rows.map((row) => fields.map((field) => joined(row[field])))];
  return lines.map(csvLine).join('\n');
}

const isList = (cell: Cell | undefined): cell is readonly string[] => Array.isArray(cell);

const joined = (cell: Cell | undefined): string => (isList(cell) ? cell.join('\n') : String(cell ?? ''));

const encoded = (cell: Cell | undefined): string =>
  isList(cell) ? cell.map((value) => `$${value.replaceAll('$', '$$$$')}$`).join(';') : '';

/**
 * The first rows of a chunk. They have no prototype, since users choose the field names.
 * @param most default all
 * @throws ChunkError
 */
export function rowsOf(table: CsvTable, most = table.count): Row[] {
  const count = Math.min(most, table.count);
  const columnsOf = (names: readonly string[], prefix = '') =>
    names.map((name) => [name, table.column(prefix + name, 0, count) ?? []] as const);
  const [columns, lists] = [columnsOf(table.fields), columnsOf(table.lists, MULTIVALUE)];
  return Array.from({ length: count }, (_, index) => {
    const row = Object.create(null) as Record<string, Cell>;
    for (const [name, cells] of columns) row[name] = cells[index] as string;
    for (const [name, cells] of lists) if (cells[index]) row[name] = decoded(cells[index]);
    return row;
  });
}

/** `$a$;$b$`, with `$` doubled inside values. */
function decoded(text: string): readonly string[] {
  const pattern = /\$((?:\$\$|[^$])*)\$(?:;|$)/y;
  const values: string[] = [];
  do {
    const [, value] = pattern.exec(text) ?? [];
    if (value === undefined) throw unreadable('the values of a multivalue field are not $a$;$b$');
    values.push(value.replaceAll('$$', '$'));
  } while (pattern.lastIndex < text.length);
  return values;
}
