type Work = () => Promise<void>;

/** Tasks that continue while the next request is served. */
export class Background {
  readonly #tasks = new Set<Promise<void>>();
  readonly #deferred = new Map<string, Work>();

  /** @param task never rejects */
  run(task: Promise<void>): void {
    this.#tasks.add(task);
    task.finally(() => this.#tasks.delete(task));
  }

  /** Runs work after the reply, and work of one name once. @param work never rejects */
  defer = (name: string, work: Work): void => void this.#deferred.set(name, work);

  /** After each reply. */
  startDeferred(): void {
    const all = [...this.#deferred.values()];
    this.#deferred.clear();
    for (const work of all) this.run(work());
  }

  /** Waits for all tasks, but no longer than `ms`. */
  async drain(ms: number): Promise<void> {
    this.startDeferred();
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, ms);
    await Promise.race([Promise.all(this.#tasks), timer.promise]);
    clearTimeout(timeout);
  }
}
