import { createServer, type Server } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A place that one caller holds; the kernel frees it when the process ends. */
export interface Place {
  release(): void;
}

const POLL_MS = 50;

/**
 * Places shared by all processes of one machine and network namespace. A place is a listening abstract Unix socket, so it
 * needs no file, and a killed process leaves none behind.
 * @param name same for all processes that share the places
 */
export class Places {
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /**
   * Takes one of `count` places.
   * @param waitMs how long to wait for one
   * @returns undefined if all places stay taken
   */
  async take(count: number, waitMs: number): Promise<Place | undefined> {
    const ends = performance.now() + waitMs;
    for (;;) {
      for (let index = 0; index < count; index += 1) {
        const server = await listen(`\0${this.#name}/${index}`);
        if (server) return { release: () => server.close() };
      }
      if (performance.now() >= ends) return undefined;
      await setTimeout(POLL_MS);
    }
  }
}

/** Undefined if the address is in use. */
async function listen(path: string): Promise<Server | undefined> {
  const server = createServer((peer) => peer.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<Server | undefined>();
  server.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
  );
  server.listen({ path, exclusive: true }, () => resolve(server));
  server.unref();
  return await promise;
}
