/** A map of limited size that evicts the least recently written entry, and shows no entry longer than it is kept. */
export class RecentMap<V> {
  readonly #entries = new Map<string, { value: V; ends: number }>();
  readonly #size: number;
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(size: number, now: () => number = () => performance.now()) {
    this.#size = size;
    this.#now = now;
  }

  /** @param leastMs an entry that ends within this time is not shown */
  get(key: string, leastMs = 0): V | undefined {
    const entry = this.#entries.get(key);
    return entry && entry.ends > this.#now() + leastMs ? entry.value : undefined;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  set(key: string, value: V, keptMs = Number.POSITIVE_INFINITY): void {
    const now = this.#now();
    this.#entries.delete(key);
    this.#entries.set(key, { value, ends: now + keptMs });
    for (const [oldest, { ends }] of this.#entries) {
      if (ends > now && this.#entries.size <= this.#size) return;
      this.#entries.delete(oldest);
    }
  }
}
