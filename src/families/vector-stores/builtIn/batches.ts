/** Items in their order, in batches of at most `most` bytes; one that is larger is a batch by itself. */
export function batchesOf<T>(items: readonly T[], bytesOf: (item: T) => number, most: number): T[][] {
  const batches: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const bytes = bytesOf(item);
    if (size + bytes > most) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(item);
    size += bytes;
  }
  return batches;
}
