import type { BatchName } from '../../contract/families/usage.ts';
import type { Template } from '../../domain/values/template.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { GatewayApi } from '../../ports/platform/ownApi.ts';
import type { CommandParts, SearchInfo } from '../command.ts';
import { BatchQueue } from './batchQueue.ts';
import type { RowOptions } from './gatewayOptions.ts';
import { neededFields } from './neededFields.ts';
import { cellOf, type RowAnswerer, type RowResult, type RowUse } from './rowAnswers.ts';
import type { Json, Outcome } from './task.ts';

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
  /** Whether items have the row that they are made of, whose named values are masked. */
  sendsRows?: boolean;
  /** The field of the answer, and the prefix of all others. */
  output: string;
  /** Other fields of answers. */
  fields: readonly string[];
  read(response: Json): RowResult;
}

/** Answers rows by items of batches. */
export function gatewayAnswers(use: GatewayUse): RowUse {
  const { command, output, fields, templates, options } = use;
  return {
    command,
    output,
    fields: options.dryrun ? DRY_RUN_FIELDS.map((name) => `${output}_${name}`) : [output, ...fields],
    templates,
    maxRows: options.max_rows ?? use.maxRows,
    maxCost: options.max_cost,
    failsFast: options.on_error === 'fail',
    open: (info, parts) => openQueue(use, info, parts),
  };
}

const DRY_RUN_FIELDS = ['prompt', 'tokens_estimated', 'cost_estimated'];

async function openQueue(use: GatewayUse, info: SearchInfo, { gateway, clock }: CommandParts): Promise<RowAnswerer> {
  const { operation, common, isRepeatable, options } = use;
  const api = await gateway(info);
  await use.open?.(api, clock);
  const queue = new BatchQueue(api, clock, {
    operation,
    common,
    isRepeatable,
    parallel: options.parallel,
    timeoutS: options.timeout,
    dedup: options.dedup ?? true,
    isDryRun: options.dryrun,
    maxCost: options.max_cost,
    failsFast: options.on_error === 'fail',
  });
  return async (questions, signal) => {
    const outcomes = await queue.ask(
      questions.map(({ texts, row }) => {
        const fields = use.sendsRows && row ? neededFields(row, texts) : undefined;
        return { ...use.item(texts), ...(fields ? { row: fields } : {}) };
      }),
      signal,
    );
    return outcomes.map((outcome, index) => resultOf(use, questions[index]?.texts ?? [], outcome));
  };
}

function resultOf(use: GatewayUse, texts: readonly string[], outcome: Outcome): RowResult {
  if (!('response' in outcome)) return outcome;
  const { response } = outcome;
  const warnings = Object(response.ml).warnings ?? response.warnings;
  // As the gateway would send it, where it masks something.
  const prompt = response.masked ? String(response.prompt) : (texts.at(-1) ?? '');
  const result = use.options.dryrun ? { cells: dryRunCells(use.output, prompt, response) } : use.read(response);
  return Array.isArray(warnings) ? { ...result, warnings: warnings.map(String) } : result;
}

const dryRunCells = (output: string, prompt: string, { tokens_estimated, cost_estimated }: Json) => ({
  [`${output}_prompt`]: prompt,
  [`${output}_tokens_estimated`]: cellOf(tokens_estimated),
  [`${output}_cost_estimated`]: cellOf(cost_estimated),
});
