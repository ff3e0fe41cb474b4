import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';

export interface Peer {
  url: string;
  close(): Promise<void>;
}

/** Listens on a free loopback port; `close` also ends the connections that are open. */
export async function listen(server: NetServer | Server): Promise<{ port: number; close(): Promise<void> }> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const sockets = new Set<import('node:net').Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export async function startHttp(handler: RequestListener): Promise<Peer & { port: number }> {
  const { port, close } = await listen(createServer(handler));
  return { url: `http://127.0.0.1:${port}`, port, close };
}

/** Accepts a CONNECT and leads its tunnel to the port, whatever the requested target. */
export function openTunnel(socket: Duplex, port: number): void {
  const onward = connect(port, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    onward.pipe(socket).pipe(onward);
  });
  for (const one of [socket, onward]) one.on('error', () => {});
  socket.on('close', () => onward.destroy());
  onward.on('close', () => socket.destroy());
}

export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/**
 * A port on which nothing listens, and `count - 1` such ports behind it. Not one that the system would give to the next who
 * asks for any: of tests that run side by side another would get it.
 */
export async function freePort(count = 1): Promise<number> {
  for (;;) {
    const first = randomInt(12_000, 29_000);
    const found = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)));
    if (found.every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
