import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { Cell, Row } from '../../src/search/rows.ts';

/** Another reader of chunks, on a parser that shares no code with the commands. Lists are left as they are. */
export async function readRows(
  body: AsyncIterable<Buffer>,
): Promise<{ fields: readonly string[]; rows: readonly Row[] }> {
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  // A failure destroys the parser, and the loop below throws it.
  pipeline(Readable.from(body), parser, () => {});
  let header: string[] | undefined;
  const rows: Row[] = [];
  for await (const record of parser as AsyncIterable<string[]>) {
    if (header === undefined) header = record;
    else rows.push(rowOf(header, record));
  }
  return { fields: [...new Set((header ?? []).filter(isShown))], rows };
}

const isShown = (name: string): boolean => !name.startsWith('__mv_');

function rowOf(header: readonly string[], record: readonly string[]): Row {
  const row = Object.create(null) as Record<string, Cell>;
  for (const [index, name] of header.entries()) if (isShown(name)) row[name] = record[index] ?? '';
  return row;
}
