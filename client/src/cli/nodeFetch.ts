import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';

export interface Trust {
  /** PEM certificates instead of the default CAs. */
  ca?: string;
  isVerified: boolean;
}

/** A minimal `fetch` with custom CAs, which Node's `fetch` does not support. */
export function nodeFetch({ ca, isVerified }: Trust): typeof fetch {
  const send = (url: URL, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const trust = { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: isVerified };
      const request = url.protocol === 'https:' ? requestHttps : requestHttp;
      const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
      const headers = {
        ...(init.headers as Record<string, string>),
        ...(body ? { 'Content-Length': String(body.length) } : {}),
      };
      const options = {
        method: init.method ?? 'GET',
        headers,
        ...trust,
        ...(init.signal ? { signal: init.signal } : {}),
      };
      const outgoing = request(url, options, (answer) => {
        try {
          resolve(responseOf(answer));
        } catch (cause) {
          // For example an invalid status.
          answer.destroy();
          reject(new TypeError('fetch failed', { cause }));
        }
      });
      // `fetch` puts the reason into `cause`.
      outgoing.on('error', (cause) => reject(new TypeError('fetch failed', { cause })));
      outgoing.end(body);
    });
  return ((input: URL, init: RequestInit = {}) => send(input, init)) as typeof fetch;
}

function responseOf(answer: IncomingMessage): Response {
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  );
  const { statusCode: status = 0 } = answer;
  const hasBody = status !== 204 && status !== 304;
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream) : null;
  return new Response(body, { status, headers });
}
