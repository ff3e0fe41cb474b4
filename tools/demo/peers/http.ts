import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** @returns the body as JSON, `{}` for an empty one @throws SyntaxError if it is none, RangeError if it is too long */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MAX_BODY_BYTES) throw new RangeError(`The body has more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk as Buffer);
  }
  return bytes === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Listens on loopback, at the port or, if another program has it, at any free one. @returns the port */
export async function listenNear(port: number, handler: RequestListener): Promise<number> {
  for (const wanted of [port, 0]) {
    const server = createServer(handler).listen(wanted, '127.0.0.1');
    try {
      await once(server, 'listening');
      // The platform decides when the process ends.
      server.unref();
      return (server.address() as AddressInfo).port;
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
      if (!isTaken || wanted === 0) throw error;
    }
  }
  throw new Error('unreachable: any free port cannot be in use');
}
