import { type Stage, stage } from './builtins.ts';
import type { Batch, Row } from './rows.ts';
import type { SearchPart } from './spl.ts';

/** The commands behind the first, and what came out of them so far. */
export class Pipeline {
  readonly rows: Row[] = [];
  readonly #columns = new Set<string>();
  readonly #stages: Stage[];
  readonly #limit: number;
  truncated = false;

  constructor(parts: readonly SearchPart[], limit = Number.POSITIVE_INFINITY) {
    this.#stages = parts.map(stage);
    this.#limit = limit;
  }

  get columns(): string[] {
    return [...this.#columns];
  }

  /** No more rows are wanted. */
  get full(): boolean {
    return this.truncated || this.#stages.some((one) => one.full?.() === true);
  }

  push(batch: Batch): void {
    this.#keep(this.#through(batch, 0));
  }

  finish(): void {
    for (const [index, one] of this.#stages.entries()) {
      if (one.finish !== undefined) this.#keep(this.#through(one.finish(), index + 1));
    }
  }

  #through(batch: Batch, from: number): Batch {
    return this.#stages.slice(from).reduce((rows, one) => one.push(rows), batch);
  }

  #keep({ columns, rows }: Batch): void {
    // Without a row there are no fields, whatever a header says.
    if (rows.length > 0) for (const name of columns) this.#columns.add(name);
    const room = this.#limit - this.rows.length;
    // Not spread into one call: a batch may be larger than a call has room for.
    for (const row of rows.slice(0, room)) this.rows.push(row);
    if (rows.length > room) this.truncated = true;
  }
}
