import type { Failure } from '../itemAnswer.ts';

/** What became of the rows of a chunk. */
export interface ChunkPredictions {
  /** Texts of the rows by field; empty in a row without it. */
  columns: Map<string, string[]>;
  /** By row. */
  failures: Map<number, Failure>;
}

/** The column of a field, which is made where it is missing. @param count rows of the chunk */
export function columnIn(columns: ChunkPredictions['columns'], field: string, count: number): string[] {
  const found = columns.get(field) ?? new Array<string>(count).fill('');
  columns.set(field, found);
  return found;
}
