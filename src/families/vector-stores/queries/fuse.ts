/** How much the first places count; the value that the method's authors measured. */
const RANK_CONSTANT = 60;

/** Reciprocal rank fusion: each list counts by the places in it alone. Best first, with the sum as score. */
export function fuse<T>(lists: readonly (readonly T[])[], keyOf: (item: T) => string): { item: T; score: number }[] {
  const sums = new Map<string, { item: T; score: number }>();
  for (const list of lists) {
    for (const [index, item] of list.entries()) {
      const key = keyOf(item);
      const before = sums.get(key);
      const score = (before?.score ?? 0) + 1 / (RANK_CONSTANT + index + 1);
      sums.set(key, { item: before?.item ?? item, score });
    }
  }
  return [...sums.values()].sort((a, b) => b.score - a.score);
}
