import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import type { Agents } from './agents.ts';
import { basic, type ProxyCredentials, type ProxyServer } from './proxy.ts';

export interface HttpRequest {
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
}

/** How a request gets to its server. */
export interface Route extends Agents {
  /** Through a proxy: `forward` gets the whole request; without it the agents make a tunnel. */
  proxied?: { login: ProxyCredentials | undefined; forward?: ProxyServer } | undefined;
}

export interface Answer {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  /** Decompressed. */
  body: Readable;
}

/** A request that got no answer. */
export class NoAnswer extends Error {
  /** Whether it was sent over a connection that an earlier request had used. */
  readonly wasReused: boolean;

  constructor(cause: unknown, { reusedSocket }: Pick<ClientRequest, 'reusedSocket'>) {
    super('no answer', { cause });
    this.wasReused = reusedSocket;
  }
}

/** Sends one request; redirects are answers. @throws NoAnswer */
export type Send = (request: HttpRequest, url: URL, route: Route) => Promise<Answer>;

export const send: Send = (request, url, route) => {
  const { signal, body } = request;
  // The caller may have given up while the way to the server was looked for.
  if (signal.aborted) return Promise.reject(new NoAnswer(signal.reason, { reusedSocket: false }));
  const options = optionsOf(request, url, route);
  const transport = options.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = transport.request(options, (incoming) => resolve(answerOf(incoming, request.method)));
    outgoing.on('error', (error) => reject(new NoAnswer(error, outgoing)));
    signal.addEventListener('abort', () => outgoing.destroy(signal.reason as Error), { once: true });
    outgoing.end(body);
  });
};

/** `abandoned` is for agents that connect in several steps. */
function optionsOf(
  { method, headers, body, signal }: HttpRequest,
  url: URL,
  { proxied, httpAgent, httpsAgent }: Route,
): RequestOptions & { abandoned: AbortSignal } {
  const usual: Record<string, string> = {
    Accept: 'application/json, text/plain, */*',
    'Accept-Encoding': 'gzip, br',
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const added = Object.entries(usual).filter(([name]) => !given.has(name.toLowerCase()));
  const sentHeaders = { ...Object.fromEntries(added), ...headers };
  const common = { method, abandoned: signal };
  const proxy = proxied?.forward;
  if (!proxy) {
    const { protocol, hostname, port, pathname, search } = url;
    const agent = protocol === 'https:' ? httpsAgent : httpAgent;
    return {
      ...common,
      protocol,
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      path: pathname + search,
      headers: sentHeaders,
      agent,
    };
  }
  const login = proxied?.login && { 'Proxy-Authorization': `Basic ${basic(proxied.login)}` };
  return {
    ...common,
    ...{ protocol: proxy.secure ? 'https:' : 'http:', hostname: proxy.host, port: proxy.port, path: url.href },
    ...{ headers: { ...sentHeaders, Host: url.host, ...login }, agent: proxy.secure ? httpsAgent : httpAgent },
  };
}

function answerOf(incoming: IncomingMessage, method: string): Answer {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = incoming;
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const { 'content-encoding': encoding, ...others } = headers;
  const decompress = hasBody && encoding !== undefined ? decompressorOf(encoding) : undefined;
  const shown = decompress ? others : headers;
  return {
    status,
    statusText,
    headers: Object.fromEntries(
      Object.entries(shown).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined),
    ),
    // The consumer of the body gets the errors.
    body: decompress ? (pipeline(incoming, decompress, () => {}) as Readable) : incoming,
  };
}

/** Loaded for servers that compress. Answers that end early are read as far as they go. */
function decompressorOf(encoding: string) {
  const zlib = process.getBuiltinModule('node:zlib');
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
  const name = encoding.trim().toLowerCase();
  // Also reads what some servers call deflate.
  if (/^(?:x-)?(?:gzip|compress)$|^deflate$/.test(name)) {
    return zlib.createUnzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
  }
  if (name === 'br') {
    return zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH });
  }
  return undefined;
}
