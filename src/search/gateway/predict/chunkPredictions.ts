import { SearchError } from '../../command.ts';
import type { Failure } from '../task.ts';

/** Cells that are added to a chunk: a model may have thousands of classes, and an endpoint other fields for each row. */
const MAX_CELLS = 10_000_000;

/** What became of the rows of a chunk. */
export interface ChunkPredictions {
  /** Texts of the rows by field; empty in a row without it. */
  columns: Map<string, string[]>;
  /** By row. */
  failures: Map<number, Failure>;
}

/**
 * The column of a field, which is made where it is missing.
 * @param count rows of the chunk
 * @throws SearchError
 */
export function columnIn(columns: ChunkPredictions['columns'], field: string, count: number): string[] {
  const found = columns.get(field);
  if (found) return found;
  assertFits(columns.size + 1, count);
  const made = new Array<string>(count).fill('');
  columns.set(field, made);
  return made;
}

/** @throws SearchError if so many added fields of a chunk would take too much memory */
export function assertFits(fields: number, rows: number): void {
  if (fields * rows <= MAX_CELLS) return;
  throw new SearchError(
    `The model adds ${fields} fields to each of ${rows} rows, which is too much: leave out probabilities=true, or apply it to fewer rows`,
  );
}
