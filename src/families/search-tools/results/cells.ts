/** A value of a row for a model: text that reads as a number is one, and several values are a list. */
export type Cell = string | number | null | (string | number | null)[];

/** Rows as a tool gives them. */
export interface Table {
  fields: string[];
  rows: Cell[][];
}

/** Fields that the platform keeps for itself begin with an underscore; these two are read. */
const SHOWN: readonly string[] = ['_time', '_raw'];

const isShown = (field: string): boolean => !field.startsWith('_') || SHOWN.includes(field);

/** Rows without hidden fields and without columns that have no value. */
export function tableOf(fields: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): Table {
  const shown = fields.filter(isShown);
  const cells = rows.map((row) =>
    shown.map((field) => cellOf(field, Object.hasOwn(row, field) ? row[field] : undefined)),
  );
  const kept = shown.flatMap((_, index) => (cells.some((row) => !isEmpty(row[index])) ? [index] : []));
  return {
    fields: kept.map((index) => shown[index] as string),
    rows: cells.map((row) => kept.map((index) => row[index] ?? null)),
  };
}

const isEmpty = (cell: Cell | undefined): boolean =>
  cell === undefined || cell === null || cell === '' || (Array.isArray(cell) && cell.length === 0);

function cellOf(field: string, value: unknown): Cell {
  if (Array.isArray(value)) return value.map((each) => scalarOf(field, each));
  return scalarOf(field, value);
}

function scalarOf(field: string, value: unknown): string | number | null {
  if (value === undefined || value === null) return null;
  if (field === '_time') return timeOf(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).toWellFormed();
  return isNumber(text) ? Number(text) : text;
}

/** Whether a text is exactly what the number prints as: 007, 1e3 and ids beyond 2^53 stay text. */
const isNumber = (text: string): boolean =>
  text !== '' &&
  text.length <= 24 &&
  String(Number(text)) === text &&
  Number.isFinite(Number(text)) &&
  !Object.is(Number(text), -0);

const EPOCH = /^-?\d{1,11}(?:\.\d{1,9})?$/;
const ZONE = /(?:Z|[+-]\d\d:?\d\d)$/;

/** ISO 8601 with a zone; the platform gives it so, or as epoch seconds. */
function timeOf(value: unknown): string {
  const text = String(value);
  const isEpoch = EPOCH.test(text);
  if (!isEpoch && ZONE.test(text)) return text.toWellFormed();
  const time = isEpoch ? new Date(Number(text) * 1000) : new Date(`${text}Z`);
  return Number.isNaN(time.getTime()) ? text.toWellFormed() : time.toISOString();
}
