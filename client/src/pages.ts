import type { Pagination } from './schemas.ts';

export interface Page<T> {
  result?: T[];
  pagination?: Pagination;
}

interface Listing<T> {
  page(offset: number, count: number): Promise<Page<T>>;
  pageSize: number;
  keyOf(item: T): string;
  signal: AbortSignal | undefined;
  /** The error for a list that cannot be read to its end. */
  endless(message: string): Error;
}

/** First step back when earlier entries have disappeared; doubled with each further step. */
const FIRST_STEP = 8;
/** Reads without new entries before giving up, in addition to a complete second pass. */
const MOST_FRUITLESS = 50;

/**
 * Reads a list by offset while it changes. Each page overlaps the previous one by an entry. If that entry has moved, earlier
 * entries were deleted: go back until a known entry appears. Known entries are skipped. An entry that exists throughout is yielded
 * exactly once unless its sort value changes.
 */
export async function* entries<T>({
  page,
  pageSize,
  keyOf,
  signal,
  endless,
}: Listing<T>): AsyncGenerator<T, void, undefined> {
  const keys = new Set<string>();
  let [offset, furthest, step, left] = [0, 0, FIRST_STEP, MOST_FRUITLESS];
  for (;;) {
    const { result = [], pagination } = await page(offset, keys.size === 0 ? pageSize : pageSize + 1);
    const isJoined = offset === 0 || result.slice(0, 1).some((first) => keys.has(keyOf(first)));
    const before = keys.size;
    for (const item of isJoined ? result : []) {
      const key = keyOf(item);
      if (keys.has(key)) continue;
      keys.add(key);
      signal?.throwIfAborted();
      yield item;
    }
    if (isJoined && !pagination?.has_more) return;
    const end = isJoined ? (pagination?.next_offset ?? 0) : offset;
    if (isJoined && (end <= offset || end > (pagination?.total ?? 0)))
      throw endless(`The pagination of the list is inconsistent: ${JSON.stringify(pagination)}`);
    left -= 1;
    if (keys.size > before && end > furthest) {
      furthest = end;
      left = MOST_FRUITLESS + 2 * Math.ceil(furthest / pageSize);
    }
    if (left < 0) throw endless('The list does not end, or changes faster than it can be read. Try a larger pageSize.');
    [offset, step] = isJoined ? [end - 1, FIRST_STEP] : [Math.max(0, offset - step), step * 2];
  }
}
