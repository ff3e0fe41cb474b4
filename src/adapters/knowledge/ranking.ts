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
function greatest(scores: Float32Array, count: number): number[] {
  // A heap whose root is the worst of the best: the later of two equal ones is the worse.
  const heap: number[] = [];
  const isWorse = (a: number, b: number) => {
    const difference = (scores[a] as number) - (scores[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  const sink = (start: number) => {
    for (let node = start; ; ) {
      let worst = node;
      for (const child of [2 * node + 1, 2 * node + 2])
        if (child < heap.length && isWorse(heap[child] as number, heap[worst] as number)) worst = child;
      if (worst === node) return;
      [heap[node], heap[worst]] = [heap[worst] as number, heap[node] as number];
      node = worst;
    }
  };
  for (let place = 0; place < scores.length; place += 1) {
    if (heap.length < count) {
      heap.push(place);
      if (heap.length === count) for (let node = heap.length >> 1; node >= 0; node -= 1) sink(node);
    } else if (heap[0] !== undefined && isWorse(heap[0], place)) {
      heap[0] = place;
      sink(0);
    }
  }
  return heap.sort((a, b) => (isWorse(b, a) ? -1 : 1));
}
