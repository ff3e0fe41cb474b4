/** Keeps the first item of each key, in order. */
export const uniqueBy = <T>(items: readonly T[], keyOf: (item: T) => string): T[] =>
  [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()].toReversed();
