/** A map of limited size that evicts the least recently written entry. */
export class RecentMap<V> {
  readonly #values = new Map<string, V>();
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#size && oldest !== undefined) this.#values.delete(oldest);
  }
}
