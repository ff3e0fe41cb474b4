/** Damping of the method's authors: how much the first places count. */
const USUAL_DAMPING = 60;

/**
 * Reciprocal rank fusion: an item's score is the sum of `1 / (damping + rank)` over the lists that have it, where the first rank is 1.
 * Best first.
 */
export function fuse<T>(
  lists: readonly (readonly T[])[],
  keyOf: (item: T) => string | number,
  damping: number = USUAL_DAMPING,
): { item: T; score: number }[] {
  const sums = new Map<string | number, { item: T; score: number }>();
  for (const list of lists) {
    for (const [index, item] of list.entries()) {
      const key = keyOf(item);
      const before = sums.get(key);
      const score = (before?.score ?? 0) + 1 / (damping + index + 1);
      sums.set(key, { item: before?.item ?? item, score });
    }
  }
  return [...sums.values()].sort((a, b) => b.score - a.score);
}
