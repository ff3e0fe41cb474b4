import { type CommandParts, SearchError, type SearchInfo, type Transform } from '../command.ts';
import { type Row, writeTable } from '../rows.ts';
import { askOnce, type GatewayUse, limitsOf } from './gatewayRun.ts';

/** The word in a template that stands for all rows. */
const ROWS = 'rows';

/** Collects the rows of all chunks and asks the gateway once; the result is one row. @throws SearchError */
export function transformAll(
  use: GatewayUse,
  fields: readonly string[],
): (info: SearchInfo, parts: CommandParts) => Transform {
  const { maxRows } = limitsOf(use);
  return (info, parts) => {
    const held: Row[] = [];
    let count = 0;
    return async (rows, { isLast, signal }) => {
      count += rows.length;
      for (const row of rows.slice(0, maxRows - held.length)) {
        held.push(Object.fromEntries(fields.map((field) => [field, row[field] ?? ''])));
      }
      if (!isLast || count === 0) return { rows: [] };
      const table = { [ROWS]: writeTable(fields, held) };
      const texts = use.templates.map((template) => (template.fill(table) as { text: string }).text);
      const { row, report } = await askOnce(use, texts, { info, parts, signal });
      report.skipped(count - held.length);
      return { rows: [row], messages: report.messages(use.command, limitsOf(use)) };
    };
  };
}

/** @throws SearchError unless the templates name `{rows}` and no field of a single row */
export function assertAllRows(use: GatewayUse, option: string, fields: readonly string[] | undefined): string[] {
  const named = new Set(use.templates.flatMap((template) => template.fields));
  if (!named.has(ROWS))
    throw new SearchError(`${option} must contain {rows} with mode=all: the rows stand there as CSV`);
  const other = [...named].find((field) => field !== ROWS);
  if (other !== undefined)
    throw new SearchError(`With mode=all use {rows} in place of {${other}}, and name the field in rows`);
  if (fields === undefined) throw new SearchError('mode=all needs rows="a,b": the fields to send');
  return [...fields];
}
