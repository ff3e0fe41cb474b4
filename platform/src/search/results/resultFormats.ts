import { jsonReply } from '../../eai/replies.ts';
import { xmlText } from '../../eai/xml.ts';
import type { PlatformMessage, PlatformReply } from '../../http/reply.ts';
import { writeCsv } from './csv.ts';
import type { ResultPage } from './resultPage.ts';
import { type Cell, cellText, type Row } from './rows.ts';

type Format = (page: ResultPage) => PlatformReply;

const FORMATS: Record<string, Format> = {
  json: (page) =>
    jsonReply(200, {
      preview: page.preview,
      init_offset: page.offset,
      post_process_count: page.processed,
      messages: page.messages,
      fields: page.columns.map((name) => ({ name })),
      results: page.rows.map((row) => picked(row, page.columns)),
      highlighted: {},
    }),
  json_rows: (page) =>
    jsonReply(200, {
      ...head(page),
      rows: page.rows.map((row) => page.columns.map((name) => shown(name, row[name]) ?? null)),
    }),
  json_cols: (page) =>
    jsonReply(200, {
      ...head(page),
      columns: page.columns.map((name) => page.rows.map((row) => shown(name, row[name]) ?? null)),
    }),
  csv: (page) => text('text/csv', page.columns.length === 0 ? '' : writeCsv(page.columns, page.rows)),
  raw: (page) => text('text/plain', page.rows.map((row) => `${rawText(row, page.columns)}\n`).join('')),
  xml: (page) => text('text/xml', resultsXml(page)),
};
FORMATS.atom = FORMATS.xml as Format;

export const RESULT_FORMATS = Object.keys(FORMATS);

/**
 * Writes a page in one of `RESULT_FORMATS`.
 * @param isOneshot whether it answers the dispatch itself, which in JSON names no fields where there are no rows
 */
export function writeResults(format: string, page: ResultPage, isOneshot = false): PlatformReply {
  if (isOneshot && format === 'json' && page.rows.length === 0) {
    const { preview, offset, processed, messages } = page;
    return jsonReply(200, { preview, init_offset: offset, messages, results: [], post_process_count: processed });
  }
  return (FORMATS[format] as Format)(page);
}

function head(page: ResultPage): Record<string, unknown> {
  const { preview, offset, processed, messages, columns } = page;
  return { preview, init_offset: offset, post_process_count: processed, messages, fields: columns };
}

export function picked(row: Row, columns: readonly string[]): Record<string, Cell> {
  const entries = columns.flatMap((name): [string, Cell][] => {
    const cell = shown(name, row[name]);
    return cell === undefined ? [] : [[name, cell]];
  });
  return Object.fromEntries(entries);
}

/** Times are ISO 8601 in JSON and XML; commands see them as epoch seconds. CSV keeps those, as its form is not recorded. */
function shown(name: string, cell: Cell | undefined): Cell | undefined {
  if (name !== '_time' || typeof cell !== 'string' || !/^\d{1,11}(?:\.\d{1,9})?$/.test(cell)) return cell;
  return new Date(Math.floor(Number(cell) * 1000)).toISOString().replace('Z', '+00:00');
}

function rawText(row: Row, columns: readonly string[]): string {
  return row._raw === undefined ? columns.map((name) => cellText(row[name])).join(',') : cellText(row._raw);
}

function text(type: string, body: string): PlatformReply {
  return { status: 200, headers: [['Content-Type', `${type}; charset=UTF-8`]], body };
}

function resultsXml(page: ResultPage): string {
  const order = page.columns.map((name) => `<field>${xmlText(name)}</field>`).join('\n');
  const rows = page.rows.map((row, index) => resultXml(row, page.columns, page.offset + index)).join('');
  return `<?xml version='1.0' encoding='UTF-8'?>
<results preview='${page.preview ? 1 : 0}'>
<meta>
<fieldOrder>
${order}
</fieldOrder>
</meta>
${messagesXml(page.messages)}${rows}</results>
`;
}

function messagesXml(messages: readonly PlatformMessage[]): string {
  if (messages.length === 0) return '';
  const items = messages.map(({ type, text: words }) => `  <msg type="${type}">${xmlText(words)}</msg>\n`);
  return `<messages>\n${items.join('')}</messages>\n`;
}

function resultXml(row: Row, columns: readonly string[], offset: number): string {
  const fields = columns.flatMap((name) => {
    const cell = shown(name, row[name]);
    if (cell === undefined) return [];
    if (name === '_raw')
      return [`    <field k='_raw'><v xml:space='preserve' trunc='0'>${xmlText(cellText(cell))}</v></field>\n`];
    const values = [cell].flat().map((value) => `<value><text>${xmlText(value)}</text></value>`);
    return [`    <field k='${xmlText(name)}'>${values.join('')}</field>\n`];
  });
  return `  <result offset='${offset}'>\n${fields.join('')}  </result>\n`;
}
