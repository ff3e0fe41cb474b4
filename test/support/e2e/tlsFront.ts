import { request as send } from 'node:http';
import { createServer } from 'node:https';
import type { MadeCertificate } from '../peers/certificates.ts';
import { listen, type Peer } from '../peers/listen.ts';

export interface TlsFront extends Peer {
  /** `Authorization` of every request that got through the handshake. */
  seen: (string | undefined)[];
}

/** HTTPS in front of a plain server. */
export async function startTlsFront(target: string, certificate: MadeCertificate): Promise<TlsFront> {
  const { hostname, port, pathname } = new URL(target);
  const seen: TlsFront['seen'] = [];
  const server = createServer({ cert: certificate.cert, key: certificate.key }, (request, response) => {
    seen.push(request.headers.authorization);
    const headers = { ...request.headers, host: `${hostname}:${port}` };
    const onward = send({ hostname, port, method: request.method, path: request.url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('tlsClientError', () => {});
  const { port: frontPort, close } = await listen(server);
  return { url: `https://127.0.0.1:${frontPort}${pathname}`, seen, close };
}
