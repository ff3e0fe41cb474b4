import type { PassageQuery } from '../../../ports/cloud/passages.ts';

/** A search; `vector` is the query's, and absent where the store embeds by itself. */
export interface VectorQuery extends PassageQuery {
  vector?: Float32Array | undefined;
}
