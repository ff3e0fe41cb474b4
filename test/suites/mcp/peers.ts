/** Servers that a suite starts, up to its end. */
export class Peers {
  readonly #open: { close(): Promise<void> }[] = [];

  constructor() {
    after(() => Promise.all(this.#open.map((one) => one.close())));
  }

  started = async <T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const peer = await starting;
    this.#open.push(peer);
    return peer;
  };
}
