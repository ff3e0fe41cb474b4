import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Not an ES import of node:http: that evaluates all its exports, undici among them, a tenth of the start time. */
export const http = process.getBuiltinModule('node:http');

/** How long open connections may take to finish after `close`. */
const CLOSE_GRACE_MS = 3_000;

export interface RunningServer {
  port: number;
  close(): Promise<void>;
}

/** Opens the port, 0 being any free one, and throws what the system says where it cannot. */
export async function listen(server: Server, host: string, port: number): Promise<RunningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
