import { createHash } from 'node:crypto';
import { ALERT_ACTION, type AlertSource } from '../../../contract/families/alerts.ts';
import { type FittedTable, fitTable, tableOf } from '../../../families/search-tools/public.ts';
import type { AnswerOrigin } from '../documents/stored.ts';
import type { Alert, AlertRow } from './schemas.ts';

/** A value of a row; undefined if it lacks the field. */
export const valueOfField = (row: AlertRow, field: string): AlertRow[string] | undefined =>
  Object.hasOwn(row, field) ? row[field] : undefined;

const firstText = (value: AlertRow[string] | undefined): string =>
  (typeof value === 'string' ? value : value?.[0]) ?? '';

/** A hash of values that are the same for the same result, whatever the order of its fields. */
export function hashOf(values: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 40);
}

export const hashOfRow = (row: AlertRow): string => hashOf(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Characters of the id of a row, as of `result_id`. */
const MAX_RID = 256;

/** Id of a row among the results: the platform's, the row's own, or its number. @param position in the request */
export function ridOf({ result_id, first_row = 0 }: Alert, row: AlertRow, position: number): string {
  return result_id || firstText(valueOfField(row, 'rid')).slice(0, MAX_RID) || String(first_row + position);
}

/** The result that an answer belongs to: what an earlier action noted on the row, or the row itself. */
export function originOf({ sid }: Alert, row: AlertRow, rid: string): AnswerOrigin {
  const noted = (field: keyof AnswerOrigin): string => firstText(valueOfField(row, field)).slice(0, 1024);
  return {
    orig_action_name: noted('orig_action_name') || ALERT_ACTION,
    orig_sid: noted('orig_sid') || sid,
    orig_rid: noted('orig_rid') || rid,
  };
}

export const sourceOf = ({ search_name, sid, result_id, app }: Alert): AlertSource => ({
  ...{ kind: 'alert', search_name, sid, app },
  ...(result_id ? { result_id } : {}),
});

/**
 * Rows cut as those of search tools: cells first, then rows.
 * @param maxBytes of the text that shows them
 */
export function fitRows(
  rows: readonly AlertRow[],
  maxBytes: number,
  textOf: (table: FittedTable) => string,
): FittedTable {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return fitTable(tableOf(fields, rows), (table) => Buffer.byteLength(textOf(table)) <= maxBytes);
}

/** The rows as a list of objects without empty cells, one on a line. */
export function jsonOf({ fields, rows }: Pick<FittedTable, 'fields' | 'rows'>): string {
  const lines = rows.map((row) => {
    const filled = fields.flatMap((field, index) => {
      const cell = row[index] ?? null;
      return cell === null || cell === '' ? [] : [[field, cell] as const];
    });
    return JSON.stringify(Object.fromEntries(filled));
  });
  return `[${lines.join(',\n')}]`;
}
