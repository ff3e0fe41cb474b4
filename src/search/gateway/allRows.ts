import { type CommandParts, SearchError, type SearchInfo, type Step } from '../command.ts';
import { type Row, rowsOf, writeTable } from '../rows.ts';
import { emptyCells, type RowResult, type RowUse } from './rowAnswers.ts';
import { RunReport } from './runReport.ts';
import { failureError } from './task.ts';

/** The word in a template that stands for all rows. */
const ROWS = 'rows';

/** Collects the rows of all chunks and asks once; the result is one row. @throws SearchError */
export const answerAll =
  (use: RowUse, fields: readonly string[]) =>
  (info: SearchInfo, parts: CommandParts): Step => {
    const held: Row[] = [];
    const values = new Map<string, Set<string>>();
    let count = 0;
    return {
      async next(table, { isLast, signal }) {
        count += table.count;
        for (const row of rowsOf(table).slice(0, use.maxRows - held.length)) {
          held.push(Object.fromEntries(fields.map((field) => [field, row[field] ?? ''])));
          keepValues(values, row);
        }
        if (!isLast || count === 0) return { rows: [] };
        const csv = { [ROWS]: writeTable(fields, held) };
        const texts = use.templates.map((template) => (template.fill(csv) as { text: string }).text);
        const ask = await use.open(info, parts);
        const row = Object.fromEntries([...values].map(([field, cells]) => [field, [...cells]]));
        const [result] = (await ask([{ texts, row }], signal)) as [RowResult];
        if ('error_code' in result) throw failureError(result);
        const report = new RunReport(use);
        report.answered(result.warnings);
        report.skipped(count - held.length);
        return { rows: [{ ...emptyCells(use), ...[result.cells].flat()[0] }], messages: report.messages() };
      },
    };
  };

/** Collects the values of all rows by field, since the text has those of all of them. */
function keepValues(values: Map<string, Set<string>>, row: Row): void {
  for (const [field, cell] of Object.entries(row)) {
    const kept = values.get(field) ?? new Set<string>();
    values.set(field, kept);
    for (const value of [cell].flat()) kept.add(String(value));
  }
}

/** @throws SearchError unless the templates name `{rows}` and no field of a single row */
export function assertAllRows(use: RowUse, option: string, fields: readonly string[] | undefined): readonly string[] {
  const names = new Set(use.templates.flatMap((template) => template.fields));
  if (!names.has(ROWS))
    throw new SearchError(`${option} must contain {rows} with mode=all: the rows stand there as CSV`);
  const other = [...names].find((field) => field !== ROWS);
  if (other !== undefined)
    throw new SearchError(`With mode=all use {rows} in place of {${other}}, and name the field in rows`);
  if (fields === undefined) throw new SearchError('mode=all needs rows="a,b": the fields to send');
  return fields;
}
