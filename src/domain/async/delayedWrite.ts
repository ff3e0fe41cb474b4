/** Delay before a write, which is to begin within two seconds of a reply; a killed process loses this much. */
const DELAY_MS = 1800;

/** Writes what a process has collected, soon after its replies and one write at a time. */
export class DelayedWrite {
  readonly #write: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** @param write must not reject */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  schedule(): void {
    this.#timer ??= setTimeout(() => void this.flush(), DELAY_MS);
  }

  /** Writes now. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(this.#write);
    return this.#writing;
  }
}
