/** A map whose entries have a limited total size; those that were not read for the longest time go first. */
export class SizedMap<V> {
  readonly #entries = new Map<string, { value: V; size: number }>();
  readonly #limit: number;
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, size: number): void {
    this.#remove(key);
    this.#entries.set(key, { value, size });
    this.#total += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit) return;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#total -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
