/** A map of what was used last: beyond its size those that were written longest ago go. */
export class RecentMap<V> {
  readonly #values = new Map<string, V>();
  readonly #size: number;
  readonly #weightOf: ((value: V) => number) | undefined;

  /** @param weightOf what a value counts as, which may change; 1 unless given */
  constructor(size: number, weightOf?: (value: V) => number) {
    this.#size = size;
    this.#weightOf = weightOf;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  set(key: string, value: V): void {
    // What was written last stands last.
    this.#values.delete(key);
    this.#values.set(key, value);
    let size = this.#weight();
    for (const [oldest, gone] of this.#values) {
      if (size <= this.#size) break;
      this.#values.delete(oldest);
      size -= this.#weightOf?.(gone) ?? 1;
    }
  }

  #weight(): number {
    const weightOf = this.#weightOf;
    return weightOf ? [...this.#values.values()].reduce((sum, one) => sum + weightOf(one), 0) : this.#values.size;
  }
}
