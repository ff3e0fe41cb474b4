import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClientOptions, MlExtension } from '../../client/src/index.ts';

export interface PeerCall {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

type Answering = (response: ServerResponse, call: PeerCall, number: number) => unknown;

/** A scripted server that records its calls. */
export class Peer implements AsyncDisposable {
  readonly calls: PeerCall[] = [];
  readonly #server;

  private constructor(answer: Answering) {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://peer');
      const { method = '', headers } = request;
      const call = { method, path, query, headers, body: Buffer.concat(chunks).toString() };
      this.calls.push(call);
      await answer(response, call, this.calls.length);
    });
  }

  static async start(answer: Answering): Promise<Peer> {
    const peer = new Peer(answer);
    peer.#server.listen(0, '127.0.0.1');
    await once(peer.#server, 'listening');
    return peer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  client(options: Partial<ClientOptions> = {}): MlExtension {
    return new MlExtension({ baseUrl: this.url, auth: { token: 'the-token' }, retries: 0, ...options });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export const HEALTH = { status: 'success', version: '0.1.0' };

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** An error body of the app. */
export const refusal = (error_code: string, more: object = {}) => ({
  status: 'fail',
  message: `the message of ${error_code}`,
  error_code,
  remedy: 'what to do',
  request_id: 'the-request',
  messages: [{ type: 'ERROR', text: `the message of ${error_code}` }],
  ...more,
});

/** The rejection of a promise. */
export const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (value) => {
      throw new Error(`nothing was thrown, but ${JSON.stringify(value)} returned`);
    },
    (error: unknown) => error,
  );
