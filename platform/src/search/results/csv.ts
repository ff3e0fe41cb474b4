import { type Batch, type Cell, newRow, type Row } from './rows.ts';

const MULTIVALUE = '__mv_';
const QUOTE = 34;
const COMMA = 44;
const LF = 10;
const CR = 13;

/** The records of a CSV text; line breaks may be LF or CRLF, and empty lines are skipped. */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let position = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (position < text.length) {
    const code = text.charCodeAt(position);
    if (record.length === 0 && (code === LF || (code === CR && text.charCodeAt(position + 1) === LF))) {
      position += code === LF ? 1 : 2;
      continue;
    }
    const end = code === QUOTE ? undefined : plainEnd(text, position);
    const [value, next] = end === undefined ? quoted(text, position) : [text.slice(position, end), end];
    record.push(value);
    position = next + 1;
    if (text.charCodeAt(next) === COMMA) {
      if (position < text.length) continue;
      record.push('');
    } else if (text.charCodeAt(next) === CR && text.charCodeAt(position) === LF) position += 1;
    records.push(record);
    record = [];
  }
  return records;
}

function plainEnd(text: string, from: number): number {
  let position = from;
  for (; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === COMMA || code === LF || code === CR) break;
  }
  return position;
}

/** The value and the position after its closing quote; text between that and the next comma is part of the value. */
function quoted(text: string, from: number): [string, number] {
  let value = '';
  let start = from + 1;
  for (;;) {
    const end = text.indexOf('"', start);
    if (end < 0) throw new Error('a quoted value does not end');
    value += text.slice(start, end);
    if (text.charCodeAt(end + 1) !== QUOTE) {
      const after = plainEnd(text, end + 1);
      return [value + text.slice(end + 1, after), after];
    }
    value += '"';
    start = end + 2;
  }
}

/** Parses `$a$;$b$`, with dollars inside values doubled. */
function multivalues(text: string): string[] {
  const pattern = /\$((?:\$\$|[^$])*)\$(?:;|$)/y;
  const values: string[] = [];
  do {
    const [, value] = pattern.exec(text) ?? [];
    if (value === undefined) throw new Error(`the multivalue ${JSON.stringify(text.slice(0, 100))} cannot be read`);
    values.push(value.replaceAll('$$', '$'));
  } while (pattern.lastIndex < text.length);
  return values;
}

/** Parses the body of a chunk: a header row, rows, and a `__mv_` column for each multivalue column. */
export function readBatch(body: string): Batch {
  const [header = [], ...records] = parseCsv(body);
  const columns = [...new Set(header.filter((name) => !name.startsWith(MULTIVALUE)))];
  const twins = header.flatMap((name, index): [string, number][] =>
    name.startsWith(MULTIVALUE) ? [[name.slice(MULTIVALUE.length), index]] : [],
  );
  const rows = records.map((record) => {
    const row = newRow();
    for (const [index, name] of header.entries()) {
      if (!name.startsWith(MULTIVALUE)) row[name] = record[index] ?? '';
    }
    for (const [name, index] of twins) {
      const text = record[index] ?? '';
      if (text !== '') row[name] = multivalues(text);
    }
    return row;
  });
  return { columns, rows };
}

/** As splunkd writes it: the fields, the row number in the chunk, and a `__mv_` column for each field. */
export function chunkHeader(columns: readonly string[]): string {
  const names = [...columns, '_chunked_idx', ...columns.map((name) => MULTIVALUE + name)];
  return `${names.map((name) => `"${name.replaceAll('"', '""')}"`).join(',')}\n`;
}

/** Formats the body of a chunk for a command that is not the first. */
export function writeChunkRows({ columns, rows }: Batch): string {
  if (columns.length === 0) return '';
  const lines = rows.map((row, index) => {
    const cells = columns.map((name) => row[name]);
    return `${[...cells, String(index), ...cells.map(encodedValues)].map(csvCell).join(',')}\n`;
  });
  return chunkHeader(columns) + lines.join('');
}

/** The rows as splunkd hands them to programs: the fields, then a `__mv_` column for each. */
export function writeResultsCsv({ columns, rows }: Batch): string {
  const twins = columns.map((name) => MULTIVALUE + name);
  const values = (row: Row) => columns.map((name) => row[name]);
  return [[...columns, ...twins], ...rows.map((row) => [...values(row), ...values(row).map(encodedValues)])]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');
}

function encodedValues(cell: Cell | undefined): string {
  return Array.isArray(cell) ? cell.map((value) => `$${value.replaceAll('$', '$$$$')}$`).join(';') : '';
}

export function writeCsv(columns: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly (Cell | undefined)[]) => `${cells.map(csvCell).join(',')}\n`;
  return line(columns) + rows.map((row) => line(columns.map((name) => row[name]))).join('');
}

function csvCell(cell: Cell | undefined): string {
  const text = cell === undefined ? '' : typeof cell === 'string' ? cell : cell.join('\n');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
