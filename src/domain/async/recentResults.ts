import { RecentMap } from './recentMap.ts';

/** Results that are computed once for all who ask within a short time. */
export class RecentResults {
  readonly #results: RecentMap<Promise<unknown>>;
  readonly #keptMs: number;

  /** @param size results that are kept, at most */
  constructor(size: number, keptMs: number) {
    this.#results = new RecentMap(size);
    this.#keptMs = keptMs;
  }

  /** @param isKept whether a result is kept; a failure is not */
  share<T>(key: string, compute: () => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    const recent = this.#results.get(key);
    if (recent) return recent as Promise<T>;
    const result = compute();
    const keep = (keptMs: number) => {
      if (this.#results.get(key) === result) this.#results.set(key, result, keptMs);
    };
    this.#results.set(key, result);
    result.then(
      (value) => keep(isKept(value) ? this.#keptMs : 0),
      () => keep(0),
    );
    return result;
  }
}
