import type { Template } from '../../domain/values/template.ts';
import type { CommandParts, SearchInfo, Step } from '../command.ts';
import { type Cell, type Row, rowsOf } from '../rows.ts';
import { MAX_COST } from './batchQueue.ts';
import { MAX_ROWS, RunReport } from './runReport.ts';
import { type Failure, failureError } from './task.ts';

export type Cells = Readonly<Record<string, Cell>>;
/** The fields that a row gets; a list makes a row of each entry. */
export type RowResult =
  | { cells: Cells | readonly Cells[]; warnings?: readonly string[] }
  | (Failure & { cells?: Cells });

/** The filled templates of a row, or of all rows together. */
export interface RowQuestion {
  texts: readonly string[];
  row?: Row;
}

/** Answers questions, in their order. */
export type RowAnswerer = (questions: readonly RowQuestion[], signal: AbortSignal) => Promise<RowResult[]>;

/** How a command answers the rows of a search. */
export interface RowUse {
  command: string;
  /** The prefix of the fields for errors. */
  output: string;
  /** All other fields that rows get. */
  fields: readonly string[];
  /** The options with `{field}`. */
  templates: readonly Template[];
  maxRows: number;
  /** US dollars. */
  maxCost?: number | undefined;
  /** Whether the first failed row ends the search. */
  failsFast: boolean;
  /** Called before the first question. @throws SearchError */
  open(info: SearchInfo, parts: CommandParts): Promise<RowAnswerer>;
}

/** Asks for each row. Rows keep their order and their other fields; one with several results is repeated. */
export const answerRows =
  (use: RowUse) =>
  (info: SearchInfo, parts: CommandParts): Step => {
    const report = new RunReport(use);
    const empty = emptyCells(use);
    let ask: RowAnswerer | undefined;
    let count = 0;
    return {
      async next(table, { isLast, signal }) {
        const rows = rowsOf(table);
        const questions = rows.map((row, index) => questionOf(use, row, count + index));
        count += rows.length;
        const asked = questions.filter((question) => 'texts' in question);
        if (asked.length > 0) ask ??= await use.open(info, parts);
        const results = ((await ask?.(asked, signal)) ?? []).values();
        const output = rows.flatMap((row, index) => {
          const question = questions[index] as Question;
          const isAsked = 'texts' in question;
          const result: RowResult = isAsked ? (results.next().value as RowResult) : question;
          if (!('error_code' in result)) {
            report.answered(result.warnings);
            return [result.cells].flat().map((cells): Row => ({ ...row, ...empty, ...cells }));
          }
          assertKept(use, result);
          report.failed(result, isAsked);
          return [{ ...row, ...empty, ...result.cells, ...errorCells(use, result) }];
        });
        if (!isLast) return { rows: output };
        report.assertAnswered();
        return { rows: output, messages: report.messages() };
      },
    };
  };

/** A row that is asked about, or the reason why not. */
type Question = RowQuestion | Failure;

function questionOf(use: RowUse, row: Row, index: number): Question {
  const { maxRows, templates } = use;
  if (index >= maxRows) return { error_code: MAX_ROWS, message: `Only the first ${maxRows} rows are sent (max_rows)` };
  const texts: string[] = [];
  for (const template of templates) {
    const filled = template.fill(row);
    if ('missing' in filled) {
      const failure = { error_code: 'missing_field', message: `The field ${filled.missing} is missing or empty` };
      assertKept(use, failure);
      return failure;
    }
    texts.push(filled.text);
  }
  return { texts, row };
}

/** @throws SearchError for a failed row with `on_error=fail` */
function assertKept({ failsFast }: RowUse, failure: Failure): void {
  const { error_code } = failure;
  if (failsFast && error_code !== MAX_COST && error_code !== MAX_ROWS) throw failureError(failure);
}

/** All fields that the command writes. */
export const addedFields = ({ fields, output }: RowUse): string[] => [...fields, ...errorFields(output)];

export const emptyCells = (use: RowUse): Cells => Object.fromEntries(addedFields(use).map((field) => [field, '']));

export const errorFields = (output: string): string[] => [`${output}_error`, `${output}_error_message`];

const errorCells = ({ output }: RowUse, { error_code, message }: Failure): Cells => ({
  [`${output}_error`]: error_code,
  [`${output}_error_message`]: message,
});

export const cellOf = (value: unknown): Cell => (typeof value === 'number' || typeof value === 'string' ? value : '');
