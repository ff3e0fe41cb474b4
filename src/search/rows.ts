import { ChunkError } from './chunks.ts';

/** A value of a field, or the values of a multivalue field. */
export type Cell = string | number | readonly string[];

export type Row = Readonly<Record<string, Cell>>;

/** The rows of a chunk and the fields of its header. */
export interface RowSet {
  fields: readonly string[];
  rows: readonly Row[];
}

const MULTIVALUE = '__mv_';

/** The platform's CSV: one header, CRLF, and an additional `__mv_` column for each multivalue field. */
export function writeRows(fields: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lists = fields.filter((field) => rows.some((row) => Array.isArray(row[field])));
  const lines = [
    [...fields, ...lists.map((field) => MULTIVALUE + field)],
    ...rows.map((row) => [...fields.map((field) => joined(row[field])), ...lists.map((field) => encoded(row[field]))]),
  ];
  return lines.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

/** Plain CSV with a header; the values of a multivalue field are lines of one cell. */
export function writeTable(fields: readonly string[], rows: readonly Row[]): string {
  const lines = [fields, ...rows.map((row) => fields.map((field) => joined(row[field])))];
  return lines.map((cells) => cells.map(quoted).join(',')).join('\n');
}

const isList = (cell: Cell | undefined): cell is readonly string[] => Array.isArray(cell);

const joined = (cell: Cell | undefined): string => (isList(cell) ? cell.join('\n') : String(cell ?? ''));

const encoded = (cell: Cell | undefined): string =>
  isList(cell) ? cell.map((value) => `$${value.replaceAll('$', '$$$$')}$`).join(';') : '';

function quoted(text: string): string {
  // Some readers treat a lone carriage return as a line end.
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Reads the body of a chunk. Rows have no prototype, since users choose the field names.
 * @throws ChunkError
 */
export async function readRows(body: AsyncIterable<Buffer>): Promise<RowSet> {
  // Commands that read no rows start without loading the parser.
  const [{ parse }, { pipeline, Readable }] = await Promise.all([import('csv-parse'), import('node:stream')]);
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // A failure destroys the parser, and the loop below throws it.
  pipeline(Readable.from(body), parser, () => {});
  let header: string[] | undefined;
  let fields: string[] = [];
  const rows: Row[] = [];
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      if (header === undefined) {
        header = record;
        fields = [...new Set(record.filter((name) => !name.startsWith(MULTIVALUE)))];
      } else rows.push(rowOf(header, record));
    }
  } catch (error) {
    if (error instanceof ChunkError) throw error;
    throw new ChunkError(`The rows of a chunk cannot be read: ${(error as Error).message}`);
  }
  return { fields, rows };
}

function rowOf(header: readonly string[], record: readonly string[]): Row {
  const row = Object.create(null) as Record<string, Cell>;
  for (const [index, name] of header.entries()) if (!name.startsWith(MULTIVALUE)) row[name] = record[index] ?? '';
  for (const [index, name] of header.entries()) {
    const list = record[index];
    if (name.startsWith(MULTIVALUE) && list) row[name.slice(MULTIVALUE.length)] = decoded(list);
  }
  return row;
}

/** `$a$;$b$`, with `$` doubled inside values. */
function decoded(text: string): readonly string[] {
  const one = /\$((?:\$\$|[^$])*)\$(?:;|$)/y;
  const values: string[] = [];
  do {
    const [, value] = one.exec(text) ?? [];
    if (value === undefined) throw new Error(`the values of a multivalue field are not $a$;$b$`);
    values.push(value.replaceAll('$$', '$'));
  } while (one.lastIndex < text.length);
  return values;
}
