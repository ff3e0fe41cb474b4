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
    const jobs = [...this.#deferred.values()];
    this.#deferred.clear();
    for (const work of jobs) this.run(work());
  }

  /** Waits for all tasks, but no longer than `ms`. */
  async drain(ms: number): Promise<void> {
    this.startDeferred();
    await waitAtMost(ms, Promise.all(this.#tasks));
  }
}

/** Waits for the end of work, but no longer than `ms`. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = Promise.withResolvers<void>();
  const timeout = setTimeout(timer.resolve, ms);
  await Promise.race([work, timer.promise]).finally(() => clearTimeout(timeout));
}
