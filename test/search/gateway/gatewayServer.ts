import type { IncomingHttpHeaders } from 'node:http';
import type { BatchRequest } from '../../../src/ports/platform/ownApi.ts';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { FakeGateway } from './fakeGateway.ts';

/** The management port with nothing but the gateway, for commands that run as processes. */
export class GatewayServer {
  readonly gateway = new FakeGateway();
  readonly calls: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders }[] = [];
  /** Real time before each reply. */
  delayMs = 0;
  #peer: Peer | undefined;

  static async start(): Promise<GatewayServer> {
    const server = new GatewayServer();
    server.#peer = await startHttp(async (request, response) => {
      const { method, url, headers } = request;
      server.calls.push({ method, url, headers });
      const body = JSON.parse(await readBody(request)) as BatchRequest;
      if (server.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, server.delayMs));
      const { status, body: answer, retryAfter } = await server.gateway.batch(body);
      if (retryAfter !== undefined) response.setHeader('Retry-After', String(retryAfter));
      sendJson(response, status, answer);
    });
    return server;
  }

  get url(): string {
    return String(this.#peer?.url);
  }

  async close(): Promise<void> {
    await this.#peer?.close();
  }
}
