import type { BatchName } from '../../contract/families/usage.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { GatewayApi } from '../../ports/platform/ownApi.ts';
import { type CommandParts, SearchError, type SearchInfo, type Transform } from '../command.ts';
import type { Cell, Row } from '../rows.ts';
import { BatchQueue, MAX_COST } from './batchQueue.ts';
import { DEFAULT_PARALLEL, DEFAULT_TIMEOUT_S, type RowOptions } from './gatewayOptions.ts';
import type { Failure } from './itemAnswer.ts';
import { MAX_ROWS, RunReport } from './runReport.ts';
import type { Json, Outcome } from './task.ts';
import type { Template } from './template.ts';

export type Cells = Readonly<Record<string, Cell>>;
/** The fields of an answer; a list makes a row of each entry. */
export type RowResult = { cells: Cells | readonly Cells[] } | Failure;

/** How a command uses the gateway in one search. */
export interface GatewayUse {
  command: string;
  operation: BatchName;
  /** Whether rows may be sent again if it is unknown whether the gateway has processed them. */
  isRepeatable: boolean;
  options: RowOptions;
  maxRows: number;
  /** The part of the body that all rows have in common. */
  common: Json;
  /** The options with `{field}`. */
  templates: readonly Template[];
  /** Reads what is needed to build items, before the first one. @throws SearchError */
  open?(gateway: GatewayApi, clock: Clock): Promise<void>;
  /** @param texts the filled templates; the last is what a dry run shows */
  item(texts: readonly string[]): Json;
  /** The field of the answer, and the prefix of all others. */
  output: string;
  /** Other fields of answers. */
  fields: readonly string[];
  read(response: Json): RowResult;
}

/** A row that is sent, or the reason why not. */
type Question = { texts: readonly string[] } | Failure;

/** Asks the gateway for each row. Rows keep their order and their other fields; one with several results is repeated. */
export function transformRows(use: GatewayUse): (info: SearchInfo, parts: CommandParts) => Transform {
  return (info, parts) => {
    const report = new RunReport();
    const empty = Object.fromEntries(addedFields(use).map((field) => [field, '']));
    const withError = (row: Row, failure: Failure, isAsked: boolean): Row => {
      report.failed(failure, isAsked);
      return { ...row, ...empty, ...errorCells(use, failure) };
    };
    let queue: BatchQueue | undefined;
    let count = 0;
    return async (rows, { isLast, signal }) => {
      const questions = rows.map((row, index) => questionOf(use, row, count + index));
      count += rows.length;
      const asked = questions.filter((question) => 'texts' in question);
      if (asked.length > 0) queue ??= await openQueue(use, info, parts);
      const outcomes =
        (await queue?.ask(
          asked.map(({ texts }) => use.item(texts)),
          signal,
        )) ?? [];
      let next = 0;
      const output = rows.flatMap((row, index): Row | Row[] => {
        const question = questions[index] as Question;
        if (!('texts' in question)) return withError(row, question, false);
        const outcome = outcomes[next++] as Outcome;
        const result = readOutcome(use, question.texts, outcome);
        if (!('cells' in result)) {
          assertKept(use, result);
          return withError(row, result, true);
        }
        if ('response' in outcome) report.answered(outcome.response);
        return [result.cells].flat().map((cells) => ({ ...row, ...empty, ...cells }));
      });
      if (!isLast) return { rows: output };
      report.assertAnswered();
      return { rows: output, messages: report.messages(use.command, limitsOf(use)) };
    };
  };
}

/** Asks the gateway once with the texts of all rows. @throws SearchError for any failure */
export async function askOnce(
  use: GatewayUse,
  texts: readonly string[],
  { info, parts, signal }: { info: SearchInfo; parts: CommandParts; signal: AbortSignal },
): Promise<{ row: Row; report: RunReport }> {
  const report = new RunReport();
  const queue = await openQueue(use, info, parts);
  const [outcome] = (await queue.ask([use.item(texts)], signal)) as [Outcome];
  const result = readOutcome(use, texts, outcome);
  if (!('cells' in result)) throw new SearchError(`${result.message} (${result.error_code})`);
  if ('response' in outcome) report.answered(outcome.response);
  const empty = Object.fromEntries(addedFields(use).map((field) => [field, '']));
  return { row: { ...empty, ...[result.cells].flat()[0] }, report };
}

export const limitsOf = ({ maxRows, options }: GatewayUse) => ({
  maxRows: options.max_rows ?? maxRows,
  maxCost: options.max_cost,
});

const ADDED_BY_DRY_RUN = ['prompt', 'tokens_estimated', 'cost_estimated'];

/** All fields that the command writes. */
export function addedFields({ output, fields, options }: Pick<GatewayUse, 'output' | 'fields' | 'options'>): string[] {
  const answer = options.dryrun ? ADDED_BY_DRY_RUN.map((name) => `${output}_${name}`) : [output, ...fields];
  return [...answer, ...errorFields(output)];
}

export const errorFields = (output: string): string[] => [`${output}_error`, `${output}_error_message`];

function questionOf(use: GatewayUse, row: Row, index: number): Question {
  const { maxRows } = limitsOf(use);
  if (index >= maxRows) return { error_code: MAX_ROWS, message: `Only the first ${maxRows} rows are sent (max_rows)` };
  const filled = use.templates.map((template) => template.fill(row));
  const missing = filled.find((one) => 'missing' in one);
  if (missing === undefined) return { texts: filled.map((one) => ('text' in one ? one.text : '')) };
  const failure = { error_code: 'missing_field', message: `The field ${missing.missing} is missing or empty` };
  assertKept(use, failure);
  return failure;
}

/** @throws SearchError for a failed row with `on_error=fail` */
function assertKept({ options }: GatewayUse, { error_code, message }: Failure): void {
  if (options.on_error === 'fail' && error_code !== MAX_COST) throw new SearchError(`${message} (${error_code})`);
}

async function openQueue(use: GatewayUse, info: SearchInfo, { gateway, clock }: CommandParts): Promise<BatchQueue> {
  const { operation, common, isRepeatable, options } = use;
  const api = await gateway(info);
  await use.open?.(api, clock);
  return new BatchQueue(api, clock, {
    operation,
    common,
    isRepeatable,
    parallel: options.parallel ?? DEFAULT_PARALLEL,
    timeoutS: options.timeout ?? DEFAULT_TIMEOUT_S,
    dedup: options.dedup ?? true,
    isDryRun: options.dryrun ?? false,
    maxCost: options.max_cost,
    failsFast: options.on_error === 'fail',
  });
}

function readOutcome(use: GatewayUse, texts: readonly string[], outcome: Outcome): RowResult {
  if (!('response' in outcome)) return outcome;
  const { options, output } = use;
  const { tokens_estimated, cost_estimated } = outcome.response;
  if (!options.dryrun) return use.read(outcome.response);
  const cells = {
    [`${output}_prompt`]: texts.at(-1) ?? '',
    [`${output}_tokens_estimated`]: cellOf(tokens_estimated),
    [`${output}_cost_estimated`]: cellOf(cost_estimated),
  };
  return { cells };
}

const errorCells = ({ output }: GatewayUse, { error_code, message }: Failure): Cells => ({
  [`${output}_error`]: error_code,
  [`${output}_error_message`]: message,
});

export const cellOf = (value: unknown): Cell => (typeof value === 'number' || typeof value === 'string' ? value : '');
