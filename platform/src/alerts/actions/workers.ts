/** The threads of the notifier: a fixed number of actions run at a time, others wait in order. */
export class Workers {
  readonly #free: number[];
  readonly #waiting: ((number: number) => void)[] = [];

  constructor(count: number) {
    this.#free = Array.from({ length: count }, (_, index) => index);
  }

  /** Runs it as soon as a worker is free. @param work gets the number of the worker, from 0 */
  async run<T>(work: (number: number) => Promise<T>): Promise<T> {
    const free = this.#free.shift();
    const number = free ?? (await new Promise<number>((resolve) => this.#waiting.push(resolve)));
    try {
      return await work(number);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.unshift(number);
      else next(number);
    }
  }
}
