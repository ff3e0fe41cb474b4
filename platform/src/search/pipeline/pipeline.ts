import { type Batch, EMPTY, type Row, type Stage } from '../results/rows.ts';
import { stage } from './builtins.ts';
import type { SearchPart } from './spl.ts';

/** The rows of a search so far. */
export class Results {
  readonly rows: Row[] = [];
  readonly #columns = new Set<string>();
  readonly #limit: number;
  truncated = false;

  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get columns(): string[] {
    return [...this.#columns];
  }

  keep({ columns, rows }: Batch): void {
    // Without rows there are no fields, even if the header names some.
    if (rows.length > 0) for (const name of columns) this.#columns.add(name);
    const room = this.#limit - this.rows.length;
    // Not spread into one call: a batch may exceed the maximum number of arguments.
    for (const row of rows.slice(0, room)) this.rows.push(row);
    if (rows.length > room) this.truncated = true;
  }
}

/** A built-in command after others. It ends them as soon as it needs no more rows. */
export async function* throughStage(current: Stage, input: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  if (current.full?.() !== true) {
    for await (const batch of input) {
      const output = current.push(batch);
      const isFull = current.full?.() === true;
      yield { ...output, isLast: current.finish === undefined && (isFull || batch.isLast === true) };
      if (isFull) break;
    }
  }
  if (current.finish !== undefined) yield { ...current.finish(), isLast: true };
}

/** Runs built-in commands over rows in memory. */
export function applyStages(parts: readonly SearchPart[], batch: Batch): Results {
  const results = new Results();
  const output = parts
    .map((part) => stage(part))
    .reduce((rows, current) => {
      const pushed = current.push(rows);
      const { columns, rows: lastRows } = current.finish?.() ?? EMPTY;
      return { columns: [...new Set([...pushed.columns, ...columns])], rows: [...pushed.rows, ...lastRows] };
    }, batch);
  results.keep(output);
  return results;
}
