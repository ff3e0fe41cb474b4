import { type Messages, SearchError } from '../command.ts';
import { MAX_COST } from './batchQueue.ts';
import type { Failure } from './task.ts';

const MAX_WARNINGS = 10;
export const MAX_ROWS = 'max_rows';

/** Counts what happened to the rows of a search, for its messages. */
export class RunReport {
  readonly #run: { command: string; maxRows?: number; maxCost?: number | undefined };
  readonly #codes = new Map<string, number>();
  readonly #warnings = new Set<string>();
  #asked = 0;
  #failed = 0;
  #first: Failure | undefined;

  constructor(run: { command: string; maxRows?: number; maxCost?: number | undefined }) {
    this.#run = run;
  }

  answered(warnings: readonly string[] = []): void {
    this.#asked += 1;
    for (const text of warnings) this.#warnings.add(text);
  }

  /** @param isAsked whether the row was sent */
  failed(failure: Failure, isAsked: boolean): void {
    const { error_code: code } = failure;
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    if (!isAsked || code === MAX_COST) return;
    this.#asked += 1;
    this.#failed += 1;
    this.#first ??= failure;
  }

  /** Counts rows beyond the option `max_rows`. */
  skipped(count: number): void {
    if (count > 0) this.#codes.set(MAX_ROWS, count);
  }

  /** @throws SearchError if all rows that were sent have failed: schedulers and alerts see failed searches only */
  assertAnswered(): void {
    if (this.#first === undefined || this.#failed < this.#asked) return;
    const { message, error_code } = this.#first;
    throw new SearchError(`${message} (${error_code}); all ${this.#asked} rows failed`);
  }

  messages(): Messages {
    const { command, maxRows, maxCost } = this.#run;
    const codes = [...this.#codes].filter(([code]) => code !== MAX_ROWS && code !== MAX_COST);
    const count = codes.reduce((sum, [, some]) => sum + some, 0);
    const texts = [...this.#warnings].slice(0, MAX_WARNINGS);
    if (count > 0) texts.unshift(`${rows(count)} failed: ${codes.map((pair) => pair.join(' ')).join(', ')}`);
    const beyond = this.#codes.get(MAX_ROWS);
    if (beyond) texts.push(`${rows(beyond)} not sent: raise max_rows=${maxRows} to send more`);
    const unpaid = this.#codes.get(MAX_COST);
    if (unpaid) texts.push(`${rows(unpaid)} not sent: the search has cost max_cost=${maxCost} US dollars`);
    return texts.map((text) => ['WARN', `${command}: ${text}`] as const);
  }
}

const rows = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`;
