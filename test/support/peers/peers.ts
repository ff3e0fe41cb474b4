import { createServer, type RequestListener } from 'node:http';
import type { Server } from 'node:net';
import { listen } from './listen.ts';

interface Closable {
  close(): Promise<void>;
}

/** Servers that tests start, closed when `hook` runs. */
export class Peers {
  readonly #open: Closable[] = [];

  constructor(hook: (close: () => Promise<unknown>) => void = after) {
    hook(() => Promise.all(this.#open.splice(0).map((peer) => peer.close())));
  }

  started = async <T extends Closable>(starting: Promise<T>): Promise<T> => {
    const peer = await starting;
    this.#open.push(peer);
    return peer;
  };

  /** The port of a server that listens from now on. */
  listening = async (server: Server): Promise<number> => (await this.started(listen(server))).port;

  /** The address of an HTTP server. */
  serve = async (answer: RequestListener): Promise<string> =>
    `http://127.0.0.1:${await this.listening(createServer(answer))}`;
}

/** Writes these pieces until the reader leaves. */
export function endless(piece: (index: number) => string | Buffer): RequestListener {
  return (_, response) => {
    let index = 0;
    response.writeHead(200, { 'content-type': 'application/json' });
    const writeMore = () => {
      while (response.write(piece(index++))) if (response.destroyed) return;
      response.once('drain', writeMore);
    };
    writeMore();
  };
}

/** Writes the piece now and then, and never an end. */
export const dripping =
  (piece: string | Buffer): RequestListener =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(piece), 20);
    response.once('close', () => clearInterval(timer));
  };
