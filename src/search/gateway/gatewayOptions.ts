import { boolean, choice, decimal, NOT_EMPTY, seconds, text, wholeNumber } from '../argumentTypes.ts';
import { SearchError, type Values } from '../command.ts';

export const DEFAULT_PARALLEL = 8;
export const DEFAULT_TIMEOUT_S = 60;
const MAX_ROWS = 10_000_000;

const FIELD = /^[A-Za-z][\w.]{0,99}$/;

/** The field of the answer; its name begins the names of the other fields that a command adds. */
export const outputField = (name: string) =>
  text(`field of the answer; default ${name}`, {
    pattern: FIELD,
    message: 'must be the name of a field: a letter, then letters, digits, _ and .',
  });

/** Options of all commands that use the gateway. */
export const rowOptions = (maxRows: number) => ({
  parallel: wholeNumber(1, 16, `calls at a time; default ${DEFAULT_PARALLEL}`),
  max_rows: wholeNumber(1, MAX_ROWS, `rows to send, later ones pass unchanged; default ${maxRows}`),
  on_error: choice(['keep', 'fail'] as const, 'keep failed rows with their error (default), or fail the search'),
  timeout: seconds(1, 3600, `seconds for a row, with repetitions; default ${DEFAULT_TIMEOUT_S}`),
});

export const modelReference = text(
  'alias, connection/model or service/connection/model; default: the alias default',
  NOT_EMPTY,
);

export const dedup = boolean('send equal rows once; default true');

/** Options of commands whose calls cost tokens. */
export const modelOptions = (maxRows: number) => ({
  ...rowOptions(maxRows),
  max_cost: decimal(0, 1_000_000, 'US dollars after which no row is sent'),
  dryrun: boolean('call no model: show the filled prompt and the estimated tokens and cost'),
  dedup,
});

export type RowOptions = Values<ReturnType<typeof rowOptions>> & Partial<Values<ReturnType<typeof modelOptions>>>;

/** @throws SearchError if a field of an option would overwrite a field that the command adds */
export function assertDistinct(option: string, fields: readonly string[], added: readonly string[]): void {
  const twice = fields.find((field) => added.includes(field));
  if (twice !== undefined) throw new SearchError(`${option} has ${twice}, which the command writes itself: rename it`);
}
