import { request } from 'node:http';
import { type Peer, startHttp } from '../listen.ts';

/** Adds a session to each request, for clients that cannot, and names the host behind it. */
export function startSigningProxy(target: string, authorization: string): Promise<Peer> {
  const { hostname, port, host } = new URL(target);
  return startHttp((incoming, response) => {
    const { method = 'GET', url = '/', headers } = incoming;
    const onward = request(
      { hostname, port, method, path: url, headers: { ...headers, host, authorization } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.writeHead(502).end());
    incoming.pipe(onward);
  });
}
