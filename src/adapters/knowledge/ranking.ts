/** The places of the greatest scores, best first and equal ones in order: some at first, and all at last. */
export function* bestFirst(scores: Float32Array, some: number): Generator<number> {
  const first = greatest(scores, some);
  yield* first;
  if (first.length === scores.length) return;
  const given = new Set(first);
  const others = Array.from(scores.keys()).filter((place) => !given.has(place));
  yield* others.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
}

/** The places of the `count` greatest scores, best first. */
export function greatest(scores: Float32Array, count: number): number[] {
  // A heap whose root is the worst of the best: the later of two equal ones is the worse.
  const heap: number[] = [];
  const isWorse = (a: number, b: number) => {
    const difference = (scores[a] as number) - (scores[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  const sink = (start: number) => {
    for (let at = start; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isWorse(heap[child] as number, heap[worst] as number)) worst = child;
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] as number, heap[at] as number];
      at = worst;
    }
  };
  for (let place = 0; place < scores.length; place += 1) {
    if (heap.length < count) {
      heap.push(place);
      if (heap.length === count) for (let at = heap.length >> 1; at >= 0; at -= 1) sink(at);
    } else if (heap[0] !== undefined && isWorse(heap[0], place)) {
      heap[0] = place;
      sink(0);
    }
  }
  return heap.sort((a, b) => (isWorse(b, a) ? -1 : 1));
}
