/** Milliseconds since the meter was made. */
export interface Times {
  upstreamMs: number;
  /** All but the upstream. */
  overheadMs: number;
}

/** Measures the time in which at least one call to an upstream is under way. */
export class Meter {
  readonly #started = performance.now();
  readonly #outer: Meter | undefined;
  #active = 0;
  #activeSince = 0;
  #upstreamMs = 0;

  /** @param outer counts the same calls */
  constructor(outer?: Meter) {
    this.#outer = outer;
  }

  async upstream<T>(call: () => Promise<T>): Promise<T> {
    if (this.#active === 0) this.#activeSince = performance.now();
    this.#active += 1;
    try {
      return await (this.#outer ? this.#outer.upstream(call) : call());
    } finally {
      this.#active -= 1;
      if (this.#active === 0) this.#upstreamMs += performance.now() - this.#activeSince;
    }
  }

  get times(): Times {
    const now = performance.now();
    const upstreamMs = this.#upstreamMs + (this.#active === 0 ? 0 : now - this.#activeSince);
    return { upstreamMs, overheadMs: now - this.#started - upstreamMs };
  }
}
