import { RecentMap } from './recentMap.ts';

interface Recent {
  result: Promise<unknown>;
  /** By `performance.now()`; infinite while it is computed. */
  ends: number;
}

/** Results that are computed once for all who ask within a short time. */
export class RecentResults {
  readonly #results: RecentMap<Recent>;
  readonly #keptMs: number;

  /** @param size results that are kept, at most */
  constructor(size: number, keptMs: number) {
    this.#results = new RecentMap(size);
    this.#keptMs = keptMs;
  }

  /** @param isKept whether a result is kept; a failure is not */
  share<T>(key: string, compute: () => Promise<T>, isKept: (result: T) => boolean = () => true): Promise<T> {
    const known = this.#results.get(key);
    if (known && performance.now() < known.ends) return known.result as Promise<T>;
    const result = compute();
    const recent: Recent = { result, ends: Number.POSITIVE_INFINITY };
    this.#results.set(key, recent);
    result.then(
      (found) => {
        recent.ends = isKept(found) ? performance.now() + this.#keptMs : 0;
      },
      () => {
        recent.ends = 0;
      },
    );
    return result;
  }
}
