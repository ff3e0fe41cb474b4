import { SearchError } from '../../command.ts';
import type { Failure } from '../task.ts';

/** Cells that are added to a chunk: a model may have thousands of classes, and an endpoint other fields for each row. */
const MAX_CELLS = 10_000_000;

/** The predictions for the rows of a chunk. */
export class ChunkPredictions {
  /** Texts of the rows by field; empty in a row without it. */
  readonly columns = new Map<string, string[]>();
  /** By row. */
  readonly failures = new Map<number, Failure>();
  readonly #count: number;

  /** @param count rows of the chunk */
  constructor(count: number) {
    this.#count = count;
  }

  /** The column of a field, which is made where it is missing. @throws SearchError */
  column(field: string): string[] {
    let column = this.columns.get(field);
    if (column) return column;
    this.assertFits(this.columns.size + 1);
    column = new Array<string>(this.#count).fill('');
    this.columns.set(field, column);
    return column;
  }

  /** @throws SearchError if so many added fields of the chunk would take too much memory */
  assertFits(fields: number): void {
    if (fields * this.#count <= MAX_CELLS) return;
    throw new SearchError(
      `The model adds ${fields} fields to each of ${this.#count} rows, which is too much: leave out probabilities=true, or apply it to fewer rows`,
    );
  }

  fail(rows: Iterable<number>, { error_code, message }: Failure): void {
    for (const row of rows) this.failures.set(row, { error_code, message });
  }
}
