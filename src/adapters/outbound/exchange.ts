import { pipeline, type Readable, Transform } from 'node:stream';
import type { AxiosRequestConfig } from 'axios';
import { unlessAborted } from '../../domain/deadline.ts';
import { withoutSecrets } from '../../domain/redact.ts';
import { type Agents, directAgents, proxyAgents, type Trust } from './agents.ts';
import { classify } from './classify.ts';
import { type AddressPolicy, callableUrl, checkByName, checkLiteral, guardedLookup } from './guard.ts';
import { sizeLimit } from './limit.ts';
import {
  basic,
  bypassesProxy,
  type ProxyCredentials,
  type ProxyServer,
  parseProxy,
  proxyRefusal,
  THE_PROXY,
} from './proxy.ts';
import { refuseRedirect } from './redirect.ts';

export interface OutboundPolicy extends AddressPolicy {
  proxyUrl?: string | undefined;
  /** Asked when a call is about to go through the proxy; undefined where it asks for none. Throws OutboundError. */
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
  /** A redirect is never followed. `answer` hands it on as it is: some protocols speak in them. */
  redirects?: 'refuse' | 'answer' | undefined;
}

export interface Exchange {
  status: number;
  statusText: string;
  headers: Record<string, string | string[]>;
  /** Decompressed, bounded; errors are raw and still to be classified. */
  body: Readable;
}

/** One set of sockets and one trust. `close` ends every socket, also those in use. */
export interface Wire {
  exchange(request: ExchangeRequest): Promise<Exchange>;
  close(): void;
}

type Way = Agents & Pick<AxiosRequestConfig, 'proxy'>;

interface Proxied {
  agents: ReturnType<typeof proxyAgents>;
  credentials: ProxyCredentials | undefined;
}

export function createWire(policy: OutboundPolicy, trust: Trust): Wire {
  const direct = directAgents(trust, guardedLookup(policy));
  const proxy = policy.proxyUrl === undefined || policy.proxyUrl === '' ? undefined : parseProxy(policy.proxyUrl);
  let proxied: Promise<Proxied> | undefined;

  async function openProxy(server: ProxyServer): Promise<Proxied> {
    const credentials = await policy.proxyCredentials?.();
    return { agents: proxyAgents(server, credentials, trust), credentials };
  }

  async function route(url: URL, signal: AbortSignal): Promise<Way> {
    if (proxy === undefined || bypassesProxy(url, policy.noProxy ?? [])) {
      checkLiteral(url, policy);
      return { ...direct, proxy: false };
    }
    await checkByName(url, policy, signal);
    proxied ??= openProxy(proxy);
    const { agents, credentials } = await unlessAborted(proxied, signal);
    if (url.protocol === 'https:') return { httpAgent: agents.httpAgent, httpsAgent: agents.tunnel, proxy: false };
    return {
      httpAgent: agents.httpAgent,
      httpsAgent: agents.httpsAgent,
      proxy: {
        protocol: proxy.secure ? 'https' : 'http',
        host: proxy.host,
        port: proxy.port,
        ...(credentials === undefined ? {} : { auth: credentials }),
      },
    };
  }

  return {
    async exchange(request) {
      const url = callableUrl(request.url);
      url.hash = '';
      // Loaded at the first call: a driver that only reads records never pays for it.
      const { default: axios } = await import('axios');
      const way = await route(url, request.signal);
      const response = await axios
        .request<Readable>({
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
          ...way,
        })
        .catch((error: unknown) => {
          // Only the proxy was called; an abort is reported by whoever aborted.
          throw way.proxy && !request.signal.aborted ? classify(error, { peer: THE_PROXY }) : error;
        });
      const headers = response.headers as Record<string, string | string[]>;
      const { credentials } = (way.proxy && (await proxied)) || {};
      // A plain call may be answered by the proxy itself too, and the proxy knows what must not be repeated.
      const secrets = credentials ? [credentials.password, basic(credentials)] : [];
      const refuse = (error: unknown): never => {
        discard(response.data);
        throw secrets.length > 0 ? classify(error, { secrets }) : error;
      };
      if (way.proxy && response.status === 407) refuse(proxyRefusal(407, credentials));
      if (request.redirects !== 'answer') {
        const redirect = { status: response.status, location: headers.location, from: url };
        await refuseRedirect(redirect, policy, request.signal).catch(refuse);
      }
      const body = bounded(response.data, request.maxBytes, String(headers['content-type'] ?? ''));
      return {
        status: response.status,
        statusText: response.statusText,
        headers,
        body: secrets.length > 0 && response.status >= 400 ? hiding(body, secrets) : body,
      };
    },
    close() {
      direct.httpAgent.destroy();
      direct.httpsAgent.destroy();
      proxied?.then(
        ({ agents }) => {
          for (const agent of [agents.httpAgent, agents.httpsAgent, agents.tunnel]) agent.destroy();
        },
        () => {},
      );
    },
  };
}

/** axios takes bytes only as a Buffer. */
function bytesOf(body: ExchangeRequest['body']): string | Buffer | undefined {
  return body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : body;
}

function bounded(source: Readable, maxBytes: number, contentType: string): Readable {
  const limited = sizeLimit(maxBytes, /^\s*text\/event-stream\b/i.test(contentType));
  // Errors travel on through the pipeline; nobody may have subscribed yet when one does.
  limited.on('error', () => {});
  return pipeline(source, limited, () => {}) as Readable;
}

/** The reason of a failure is told to people. */
function hiding(source: Readable, secrets: readonly string[]): Readable {
  const chunks: Buffer[] = [];
  const whole = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    flush: (done) => done(null, withoutSecrets(Buffer.concat(chunks), secrets)),
  });
  whole.on('error', () => {});
  return pipeline(source, whole, () => {}) as Readable;
}

function discard(body: Readable): void {
  body.on('error', () => {});
  body.destroy();
}
