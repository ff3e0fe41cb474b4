import { ALERT_PARAM_DEFAULTS, isPerRow, MAX_ALERT_ROWS } from '../../contract/families/alerts.ts';
import type { AlertRequest } from '../../ports/platform/ownApi.ts';
import type { Payload } from './payload.ts';
import type { AlertRow, AlertRows } from './rows.ts';

/** The largest body of a request. */
const MAX_BYTES = 1_000_000;
/** Space for rows that is left whatever the parameters are: the gateway refuses longer ones by itself. */
const LEAST_BYTES = 100_000;

/** Rows that are handed over in one request. */
export interface Part {
  rows: readonly AlertRow[];
  /** Index of the first one among all rows of the alert. */
  first: number;
  /** For each row: how many equal ones came before it. */
  ordinals: readonly number[];
}

/** How many of its rows an alert hands over; the gateway judges the parameter itself. */
export function mostRows(payload: Pick<Payload, 'params'>): number {
  if (isPerRow(payload.params.per)) return MAX_ALERT_ROWS;
  const most = Number(payload.params.max_rows?.trim() || ALERT_PARAM_DEFAULTS.max_rows);
  return most >= 1 && most <= MAX_ALERT_ROWS ? Math.floor(most) : Number(ALERT_PARAM_DEFAULTS.max_rows);
}

/** The body of the request for a part. */
export function requestOf(payload: Payload, { rows, first, ordinals }: Part, rowCount: number): AlertRequest {
  const { searchName, sid, resultId, app, owner, params } = payload;
  return {
    search_name: searchName,
    sid,
    ...(resultId === undefined ? {} : { result_id: resultId }),
    app,
    ...(owner === '' ? {} : { owner }),
    params,
    rows,
    first_row: first,
    row_count: rowCount,
    ordinals,
  };
}

/**
 * The rows in requests of at most 1 MB; with one run for the alert the first rows that fit into one.
 * @returns with the number of rows whose values had to be cut: a row that alone is larger
 */
export function partsOf(payload: Payload, { rows, count }: AlertRows): { parts: Part[]; cut: number } {
  const frame = bytesOf({ alert: requestOf(payload, { rows: [], first: 0, ordinals: [] }, count) });
  const space = Math.max(MAX_BYTES - frame, LEAST_BYTES);
  const parts: { rows: AlertRow[]; first: number; ordinals: number[] }[] = [];
  const earlier = new Map<string, number>();
  let [free, cut] = [0, 0];
  for (const [index, row] of rows.entries()) {
    const fitting = fitted(row, space);
    const json = JSON.stringify(fitting);
    // With its ordinal and the commas.
    const size = Buffer.byteLength(json) + 16;
    if (parts.length === 0 || size > free) {
      if (parts.length > 0 && !isPerRow(payload.params.per)) break;
      parts.push({ rows: [], first: index, ordinals: [] });
      free = space;
    }
    if (fitting !== row) cut += 1;
    free -= size;
    const ordinal = earlier.get(json) ?? 0;
    earlier.set(json, ordinal + 1);
    parts.at(-1)?.rows.push(fitting);
    parts.at(-1)?.ordinals.push(ordinal);
  }
  return { parts, cut };
}

/** The row with its longest values cut, so that it fits; one with too many fields stays too large, and the gateway refuses it. */
function fitted(row: AlertRow, space: number): AlertRow {
  let shorter = row;
  for (let most = space / 2; bytesOf(shorter) + 16 > space && most >= 1; most /= 2) {
    const limit = Math.floor(most);
    shorter = Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, cutCell(cell, limit)]));
  }
  return shorter;
}

function cutCell(cell: AlertRow[string], most: number): AlertRow[string] {
  if (typeof cell === 'string') return cut(cell, most);
  let left = most;
  const kept: string[] = [];
  for (const value of cell) {
    if (left <= 0) break;
    kept.push(cut(value, left));
    left -= value.length + 3;
  }
  return kept;
}

const cut = (text: string, most: number): string => (text.length <= most ? text : text.slice(0, most).toWellFormed());

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
