/**
 * Damps the difference between the first ranks. The usual 60 lets a passage at the twentieth place of both lists pass the first one
 * of a single list, such as the only passage that has the word of a question.
 */
const DAMPING = 5;

/** Fuses ranked lists by reciprocal ranks: an item's score is the sum of `1 / (5 + rank)` over the lists that have it. */
export function fuseRanks<T>(lists: readonly (readonly T[])[], idOf: (item: T) => number): (T & { score: number })[] {
  const fused = new Map<number, { item: T; score: number }>();
  for (const list of lists)
    for (const [index, item] of list.entries()) {
      const before = fused.get(idOf(item));
      fused.set(idOf(item), { item: before?.item ?? item, score: (before?.score ?? 0) + 1 / (DAMPING + index + 1) });
    }
  return [...fused.values()].sort((a, b) => b.score - a.score).map(({ item, score }) => ({ ...item, score }));
}
