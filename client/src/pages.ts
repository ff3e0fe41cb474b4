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

/** How far the first step back goes when the list has become shorter in front; each further one goes twice as far. */
const FIRST_STEP = 8;
/** Reads that bring nothing new before the iteration gives up, beside what reading everything once more would take. */
const MOST_FRUITLESS = 50;

/**
 * All entries of a list that is read by offsets, while others change it. Each page begins with the last entry of the one before it.
 * If another entry is there, some have gone from the part that was read: the reading goes back until it meets an entry that it
 * knows, so that none is missed. Entries that move into the part ahead are known and not shown again. So each entry that is there
 * all the time is shown exactly once, provided that the value it is sorted by does not change.
 */
export async function* entries<T>({
  page,
  pageSize,
  keyOf,
  signal,
  endless,
}: Listing<T>): AsyncGenerator<T, void, undefined> {
  const seen = new Set<string>();
  let [offset, furthest, step, left] = [0, 0, FIRST_STEP, MOST_FRUITLESS];
  for (;;) {
    const { result = [], pagination } = await page(offset, seen.size === 0 ? pageSize : pageSize + 1);
    const isJoined = offset === 0 || result.slice(0, 1).some((first) => seen.has(keyOf(first)));
    const before = seen.size;
    for (const item of isJoined ? result : []) {
      const key = keyOf(item);
      if (seen.has(key)) continue;
      seen.add(key);
      signal?.throwIfAborted();
      yield item;
    }
    if (isJoined && !pagination?.has_more) return;
    const end = isJoined ? (pagination?.next_offset ?? 0) : offset;
    if (isJoined && (end <= offset || end > (pagination?.total ?? 0)))
      throw endless(`The list says that it goes on, but not where: ${JSON.stringify(pagination)}`);
    left -= 1;
    if (seen.size > before && end > furthest) {
      furthest = end;
      left = MOST_FRUITLESS + 2 * Math.ceil(furthest / pageSize);
    }
    if (left < 0) throw endless('The list does not end, or changes faster than it can be read: try a larger pageSize');
    [offset, step] = isJoined ? [end - 1, FIRST_STEP] : [Math.max(0, offset - step), step * 2];
  }
}
