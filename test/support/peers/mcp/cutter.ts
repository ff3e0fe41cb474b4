import { connect, createServer, type Socket } from 'node:net';
import { listen, type Peer } from '../listen.ts';

export interface Cutter extends Peer {
  /** Calls with the marked argument that were passed on, at least to the end of the mark. */
  calls: number;
  /** Bytes passed on in both directions. */
  bytes: number;
  /**
   * Closes all connections once, after so many bytes; a repeated call would go through.
   * @param mark text that only this call has, so that an earlier one that arrives late does not count
   */
  cutAfter(bytes: number, mark: string): void;
}

/** A proxy before a server that breaks the connection at any byte, and counts the calls of tools. */
export async function startCutter(target: Peer): Promise<Cutter> {
  const { hostname, port, pathname, origin } = new URL(target.url);
  let mark = 'tools/call';
  let limit = Number.POSITIVE_INFINITY;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => open.delete(socket));
    }
    let seen = '';
    const pass = (from: Socket, to: Socket, look: (chunk: Buffer) => void) =>
      from.on('data', (chunk: Buffer) => {
        const left = Math.max(0, limit - cutter.bytes);
        const part = chunk.subarray(0, left);
        cutter.bytes += part.length;
        look(part);
        if (part.length < chunk.length || cutter.bytes >= limit) {
          limit = Number.POSITIVE_INFINITY;
          to.write(part);
          for (const socket of open) {
            // What arrives later would count for the next call.
            socket.removeAllListeners('data');
            socket.destroySoon();
          }
        } else to.write(part);
      });
    pass(client, upstream, (part) => {
      seen += part.toString('latin1');
      const parts = seen.split(mark);
      cutter.calls += parts.length - 1;
      seen = (parts.at(-1) ?? '').slice(-mark.length);
    });
    pass(upstream, client, () => {});
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
  });
  const { port: own, close } = await listen(server);
  const cutter: Cutter = {
    url: `${origin.replace(`:${port}`, `:${own}`)}${pathname}`,
    calls: 0,
    bytes: 0,
    cutAfter(bytes, marked) {
      mark = marked;
      limit = bytes;
      cutter.bytes = 0;
      cutter.calls = 0;
    },
    async close() {
      for (const socket of open) socket.destroy();
      await close();
      await target.close();
    },
  };
  return cutter;
}
