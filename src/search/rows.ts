/** One row of results: a value for each field, in the order of the fields. */
export type Row = Readonly<Record<string, string | number>>;

/** CSV as the platform reads it: one header, every row with the same columns, CRLF. */
export function csv(fields: readonly string[], rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const lines = [fields, ...rows.map((row) => fields.map((field) => row[field] ?? ''))];
  return lines.map((cells) => `${cells.map((cell) => quoted(String(cell))).join(',')}\r\n`).join('');
}

function quoted(text: string): string {
  // A lone carriage return would end the row for some readers.
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
