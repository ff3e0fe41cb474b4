import { pipeline, type Readable } from 'node:stream';
import type { AxiosRequestConfig } from 'axios';
import { OutboundError } from '../../contract/outbound.ts';
import { type Agents, directAgents, proxyAgents, type Trust } from './agents.ts';
import { type AddressPolicy, callableUrl, checkByName, checkLiteral, guardedLookup } from './guard.ts';
import { sizeLimit } from './limit.ts';
import { bypassesProxy, parseProxy } from './proxy.ts';

export interface OutboundPolicy extends AddressPolicy {
  proxyUrl?: string | undefined;
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

export function createWire(policy: OutboundPolicy, trust: Trust): Wire {
  const direct = directAgents(trust, guardedLookup(policy));
  const proxy = policy.proxyUrl === undefined || policy.proxyUrl === '' ? undefined : parseProxy(policy.proxyUrl);
  const proxied = proxy === undefined ? undefined : proxyAgents(proxy, trust);

  async function route(url: URL, signal: AbortSignal): Promise<Agents & Pick<AxiosRequestConfig, 'proxy'>> {
    if (proxy === undefined || proxied === undefined || bypassesProxy(url, policy.noProxy ?? [])) {
      checkLiteral(url, policy);
      return { ...direct, proxy: false };
    }
    await checkByName(url, policy, signal);
    if (url.protocol === 'https:') return { httpAgent: proxied.httpAgent, httpsAgent: proxied.tunnel, proxy: false };
    const [username = '', ...rest] = (proxy.auth ?? '').split(':');
    return {
      httpAgent: proxied.httpAgent,
      httpsAgent: proxied.httpsAgent,
      proxy: {
        protocol: proxy.secure ? 'https' : 'http',
        host: proxy.host,
        port: proxy.port,
        ...(proxy.auth === undefined ? {} : { auth: { username, password: rest.join(':') } }),
      },
    };
  }

  return {
    async exchange(request) {
      const url = callableUrl(request.url);
      url.hash = '';
      // Loaded at the first call: a driver that only reads records never pays for it.
      const { default: axios } = await import('axios');
      const response = await axios.request<Readable>({
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
        ...(await route(url, request.signal)),
      });
      const headers = response.headers as Record<string, string | string[]>;
      if (request.redirects !== 'answer')
        await refuseRedirect(response.status, headers.location, url, response.data, (target) =>
          checkByName(target, policy, request.signal),
        );
      return {
        status: response.status,
        statusText: response.statusText,
        headers,
        body: bounded(response.data, request.maxBytes, String(headers['content-type'] ?? '')),
      };
    },
    close() {
      for (const agents of [direct, proxied]) {
        agents?.httpAgent.destroy();
        agents?.httpsAgent.destroy();
      }
      proxied?.tunnel.destroy();
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

async function refuseRedirect(
  status: number,
  location: string | string[] | undefined,
  from: URL,
  body: Readable,
  check: (target: URL) => Promise<void>,
): Promise<void> {
  if (status < 300 || status > 399) return;
  body.on('error', () => {});
  body.destroy();
  const target = typeof location === 'string' ? URL.parse(location, from) : null;
  const blocked = target === null ? undefined : await check(target).catch((error: unknown) => error);
  if (blocked instanceof OutboundError) {
    throw new OutboundError(blocked.code, blocked.message, { httpStatus: status });
  }
  const where = target === null || target.host === '' ? 'elsewhere' : `to ${target.host}`;
  throw new OutboundError(
    'upstream_error',
    `${from.host} answered ${status} and points ${where}; redirects are not followed.`,
    {
      httpStatus: status,
    },
  );
}
