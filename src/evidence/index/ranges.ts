/** Range of numbers from `from` to below `to`. */
export interface Range<T> {
  from: number;
  to: number;
  value: T;
}

/** Finds the ranges that hold a number, by their sorted ends. */
export class Ranges<T> {
  readonly #ends: Float64Array;
  readonly #values: (readonly T[])[];

  constructor(ranges: readonly Range<T>[]) {
    const ordered = [...ranges].sort((a, b) => a.from - b.from);
    this.#ends = Float64Array.from(new Set(ranges.flatMap(({ from, to }) => [from, to]))).sort();
    let next = 0;
    let open: Range<T>[] = [];
    this.#values = Array.from(this.#ends, (start) => {
      open = open.filter(({ to }) => to > start);
      for (; next < ordered.length && (ordered[next] as Range<T>).from <= start; next += 1)
        open.push(ordered[next] as Range<T>);
      return open.filter(({ to }) => to > start).map(({ value }) => value);
    });
  }

  get isEmpty(): boolean {
    return this.#ends.length === 0;
  }

  holding(number: number): readonly T[] {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ends[middle] as number) <= number) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? NONE : (this.#values[low - 1] as readonly T[]);
  }
}

const NONE: readonly never[] = [];
