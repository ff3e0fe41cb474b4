import { csvRecords } from '../../../parts/text/csv.ts';
import { shortened } from '../../../parts/text/format.ts';

/** Rows as the app takes them. */
export type Rows = Readonly<Record<string, unknown>>[];
export type ParsedRows = { rows: Rows } | { problem: string };

/** The limit of the app. */
const MOST_ROWS = 10_000;

/** Rows from JSON (a list of objects, or one object) or from CSV with a line of names. */
export function parseRows(text: string): ParsedRows {
  const parsed = /^\s*[[{]/.test(text) ? fromJson(text) : fromCsv(text);
  if ('problem' in parsed) return parsed;
  const { length } = parsed.rows;
  if (length === 0) return { problem: 'There are no rows: give a line of names and lines of values, or JSON' };
  return length > MOST_ROWS ? { problem: `There are ${length} rows; ${MOST_ROWS} are the most` } : parsed;
}

function fromJson(text: string): ParsedRows {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'This starts like JSON but is not valid JSON' };
  }
  const rows = Array.isArray(value) ? value : [value];
  const wrong = rows.findIndex((row) => typeof row !== 'object' || row === null || Array.isArray(row));
  return wrong < 0 ? { rows } : { problem: `Entry ${wrong + 1} of the list is not an object` };
}

/**
 * Empty cells are left out, so that the app names the features that are missing. A nameless first column is the index of a data
 * frame; lines of empty cells at the end, as spreadsheets write them, are no rows.
 */
function fromCsv(text: string): ParsedRows {
  const [head = [], ...records] = filledRecords(text.replace(/^\uFEFF/, ''));
  const from = head.length > 1 && head[0]?.trim() === '' ? 1 : 0;
  const names = head.slice(from);
  const filled = records.slice(0, records.findLastIndex((cells) => cells.some((cell) => cell.trim() !== '')) + 1);
  const lines = filled.map((cells) => cells.slice(from));
  const trimmed = names.map((name) => name.trim());
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined) return { problem: `The name ${twice || '(empty)'} is twice in the first line` };
  const long = lines.findIndex((cells) => cells.length > names.length);
  if (long >= 0) return { problem: `Row ${long + 1} has more values than there are names` };
  return {
    rows: lines.map((cells) =>
      Object.fromEntries(trimmed.flatMap((name, index) => (cells[index] ? [[name, cells[index]]] : []))),
    ),
  };
}

const filledRecords = (text: string): string[][] =>
  [...csvRecords(text)].map(({ cells }) => cells).filter((cells) => cells.length > 1 || cells[0]?.trim() !== '');

/** Longer values would make a table of rows slow. */
const LONGEST_CELL = 200;

/** A value as a cell of a table shows it. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return shortened(typeof value === 'object' ? JSON.stringify(value) : String(value), LONGEST_CELL);
}
