import http, { type AgentOptions } from 'node:http';
import https from 'node:https';
import { pipeline, type Readable, Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { AxiosError, AxiosRequestConfig, AxiosResponse } from 'axios';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { withoutSecrets } from '../../domain/net/redact.ts';
import { type Agents, directAgents, proxyAgents, type Trust, trustKey } from './agents.ts';
import { classify } from './classify.ts';
import { type AddressPolicy, callableUrl, checkByName, checkLiteral, guardedLookup } from './guard.ts';
import { sizeLimit } from './limit.ts';
import { POOLED, pooledAgents } from './pool.ts';
import { basic, bypassesProxy, type ProxyCredentials, parseProxy, proxyRefusal, THE_PROXY } from './proxy.ts';
import { refuseRedirect, sameOriginTarget } from './redirect.ts';

export interface OutboundPolicy extends AddressPolicy {
  proxyUrl?: string | undefined;
  /** Called before a call through the proxy; undefined if it needs no login. Throws OutboundError. */
  proxyCredentials?: (() => Promise<ProxyCredentials | undefined>) | undefined;
  noProxy?: readonly string[] | undefined;
}

export interface ExchangeRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Uint8Array | undefined;
  signal: AbortSignal;
  maxBytes: number;
  /** `answer` returns a redirect to the caller. `same_origin` follows one 307 or 308 to the same scheme, host and port. */
  redirects?: 'refuse' | 'answer' | 'same_origin' | undefined;
}

export interface Exchange {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  /** Decompressed and limited in size; errors are not classified yet. */
  body: Readable;
}

/** Calls with one trust over pooled connections. `close` aborts calls in progress. */
export interface Wire {
  exchange(request: ExchangeRequest): Promise<Exchange>;
  close(): void;
}

interface Route extends Agents {
  proxy: NonNullable<AxiosRequestConfig['proxy']>;
  credentials?: ProxyCredentials | undefined;
}

export function createWire(policy: OutboundPolicy, trust: Trust): Wire {
  const proxy = policy.proxyUrl === undefined || policy.proxyUrl === '' ? undefined : parseProxy(policy.proxyUrl);
  const closing = new AbortController();
  let credentials: Promise<ProxyCredentials | undefined> | undefined;

  async function route(url: URL, signal: AbortSignal, isFresh: boolean): Promise<Route> {
    if (proxy === undefined || bypassesProxy(url, policy.noProxy ?? [])) {
      checkLiteral(url, policy);
      const create = (options: AgentOptions) => directAgents(trust, guardedLookup(policy), options);
      // A pinned certificate is checked by this caller, so no other call may share the connection.
      if (isFresh || trust.pinned) return { ...create({}), proxy: false };
      return {
        ...pooledAgents([url.origin, policy.allowPrivate, trustKey(trust)], () => create(POOLED)),
        proxy: false,
      };
    }
    await checkByName(url, policy, signal);
    credentials ??= (async () => policy.proxyCredentials?.())();
    const login = await unlessAborted(credentials, signal);
    const create = (options: AgentOptions) => proxyAgents(proxy, login, trust, options);
    const key = [url.origin, policy.allowPrivate, trustKey(trust), proxy, login];
    const agents = isFresh ? create({}) : pooledAgents(key, () => create(POOLED));
    if (url.protocol === 'https:') return { httpAgent: agents.httpAgent, httpsAgent: agents.tunnel, proxy: false };
    return {
      httpAgent: agents.httpAgent,
      httpsAgent: agents.httpsAgent,
      credentials: login,
      proxy: {
        protocol: proxy.secure ? 'https' : 'http',
        host: proxy.host,
        port: proxy.port,
        ...(login === undefined ? {} : { auth: login }),
      },
    };
  }

  async function send(request: ExchangeRequest, url: URL, way: Route): Promise<AxiosResponse<Readable>> {
    // Loaded at the first call to keep the start fast.
    const { default: axios } = await import('axios');
    return await axios.request<Readable>({
      adapter: 'http',
      method: request.method,
      url: url.href,
      headers: request.headers,
      data: bytesOf(request.body),
      transformRequest: [(data: unknown) => data],
      responseType: 'stream',
      signal: request.signal,
      validateStatus: () => true,
      maxRedirects: 0,
      maxBodyLength: Number.POSITIVE_INFINITY,
      transport: abortableTransport(request.signal),
      httpAgent: way.httpAgent,
      httpsAgent: way.httpsAgent,
      proxy: way.proxy,
    });
  }

  const wire: Wire = {
    async exchange(asked) {
      const request = { ...asked, signal: AbortSignal.any([asked.signal, closing.signal]) };
      const url = callableUrl(request.url);
      url.hash = '';
      // A full turn of the event loop removes connections that the server has closed from the pool.
      await setImmediate();
      await setImmediate();
      let way = await route(url, request.signal, false);
      const response = await send(request, url, way)
        .catch(async (error: unknown) => {
          if (!mayRepeat(request, error)) throw error;
          way = await route(url, request.signal, true);
          return await send(request, url, way);
        })
        .catch((error: unknown) => {
          // Only the proxy was called; aborts are reported by the caller.
          throw way.proxy && !request.signal.aborted ? classify(error, { peer: THE_PROXY }) : error;
        });
      const headers = response.headers as Record<string, string | string[]>;
      const { credentials } = way;
      // The reply to an http call may come from the proxy and repeat its credentials.
      const secrets = credentials ? [credentials.password, basic(credentials)] : [];
      const refuse = (error: unknown): never => {
        discard(response.data);
        throw secrets.length > 0 ? classify(error, { secrets }) : error;
      };
      if (way.proxy && response.status === 407) refuse(proxyRefusal(407, credentials));
      if (request.redirects !== 'answer') {
        const redirect = { status: response.status, location: headers.location, from: url };
        const next = request.redirects === 'same_origin' ? sameOriginTarget(redirect) : undefined;
        if (next) {
          discard(response.data);
          return await wire.exchange({ ...asked, url: next.href, redirects: 'refuse' });
        }
        await refuseRedirect(redirect, policy, request.signal).catch(refuse);
      }
      const body = limitBody(response.data, request.maxBytes, String(headers['content-type'] ?? ''));
      return {
        status: response.status,
        statusText: response.statusText,
        headers,
        body: secrets.length > 0 && response.status >= 400 ? redactBody(body, secrets) : body,
      };
    },
    close: () => closing.abort(),
  };
  return wire;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const CLOSED_CODES = new Set(['ECONNRESET', 'EPIPE']);

/**
 * A request is repeated only if the server closed a pooled connection before the reply and the method is safe. A POST may
 * have been processed.
 */
function mayRepeat({ method, signal }: ExchangeRequest, error: unknown): boolean {
  const { code, response, request } = error as AxiosError;
  const wasClosed = request?.reusedSocket === true && response === undefined && CLOSED_CODES.has(code ?? '');
  return wasClosed && SAFE_METHODS.has(method) && !signal.aborted;
}

/** Passes the request's signal to agents that connect in several steps. */
function abortableTransport(abandoned: AbortSignal): unknown {
  return {
    request: (options: https.RequestOptions, answered: (response: http.IncomingMessage) => void) =>
      (options.protocol === 'https:' ? https : http).request({ ...options, abandoned } as typeof options, answered),
  };
}

/** axios accepts bytes only as a Buffer. */
function bytesOf(body: ExchangeRequest['body']): string | Buffer | undefined {
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
}

function limitBody(source: Readable, maxBytes: number, contentType: string): Readable {
  const limited = sizeLimit(maxBytes, /^\s*text\/event-stream\b/i.test(contentType));
  // The pipeline forwards errors; without a listener one would crash the process.
  limited.on('error', () => {});
  return pipeline(source, limited, () => {}) as Readable;
}

/** The body of an error reply may be shown to users. */
function redactBody(source: Readable, secrets: readonly string[]): Readable {
  const chunks: Buffer[] = [];
  const redacting = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    flush: (done) => done(null, withoutSecrets(Buffer.concat(chunks), secrets)),
  });
  redacting.on('error', () => {});
  return pipeline(source, redacting, () => {}) as Readable;
}

function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
