import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply, TestPlatform } from '../support/e2e/platform.ts';

export interface Passing {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

interface Shown {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** What becomes of a call: another answer in place of the platform's, or undefined for that as it is. */
export type Meddling = (passing: Passing, forward: () => Promise<Reply>) => Promise<Partial<Shown> | undefined>;

/** A proxy in front of a platform, which can change what passes. */
export class Front {
  readonly seen: Passing[] = [];
  meddle: Meddling = async () => undefined;
  readonly #server: Server;

  private constructor(platform: TestPlatform) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { method = '', url: path = '', headers } = request;
      const passing = { method, path, headers, body: Buffer.concat(chunks).toString() };
      this.seen.push(passing);
      let forwarded: Promise<Reply> | undefined;
      const forward = () => {
        const { host, connection, 'content-length': length, ...others } = passing.headers;
        forwarded ??= platform.raw(method, path, passing.body || undefined, others as Record<string, string>);
        return forwarded;
      };
      const changed = await this.meddle(passing, forward);
      const own: Partial<Shown> = changed?.status === undefined ? await forward() : {};
      const { status = 200, headers: shown = {}, text = '' } = { ...own, ...changed };
      const { 'content-length': length, 'transfer-encoding': coding, connection, ...others } = shown;
      response.writeHead(status, others).end(text);
    });
  }

  static async before(platform: TestPlatform): Promise<Front> {
    const front = new Front(platform);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
