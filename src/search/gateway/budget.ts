/** The cost of a search against its option `max_cost`. */
export class Budget {
  readonly #most: number;
  #spent = 0;
  #count = 0;
  #reserved = 0;
  #estimate = 0;

  /** @param most US dollars */
  constructor(most: number) {
    this.#most = most;
  }

  /** Estimated cost of an item, until items have been charged. */
  set estimate(cost: number) {
    this.#estimate = cost;
  }

  get isSpent(): boolean {
    return this.#spent >= this.#most;
  }

  /** Number of items that may be sent beside those under way: at least one if none is, since costs are estimates. */
  affordable(): number {
    const mean = this.#count > 0 ? this.#spent / this.#count : this.#estimate;
    const left = mean > 0 ? Math.floor((this.#most - this.#spent) / mean) : Number.POSITIVE_INFINITY;
    return Math.max(left - this.#reserved, this.#reserved > 0 ? 0 : 1);
  }

  /** @returns a function that charges the cost of these items */
  reserve(count: number): (cost: number, answered: number) => void {
    this.#reserved += count;
    return (cost, answered) => {
      this.#reserved -= count;
      this.#spent += cost;
      this.#count += answered;
    };
  }
}
