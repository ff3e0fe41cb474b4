import type { AgentOptions } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { withoutSecrets } from '../../domain/net/redact.ts';
import { directAgents, proxyAgents, type Trust, trustKey } from './agents.ts';
import { classify } from './classify.ts';
import { type AddressPolicy, callableUrl, checkByName, checkLiteral, guardedLookup } from './guard.ts';
import { sizeLimit } from './limit.ts';
import { POOLED, pooledAgents } from './pool.ts';
import { basic, bypassesProxy, type ProxyCredentials, parseProxy, proxyRefusal, THE_PROXY } from './proxy.ts';
import { refuseRedirect, sameOriginTarget } from './redirect.ts';
import { type Answer, NoAnswer, type Route, type Send, send } from './send.ts';

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

/** An answer whose body is limited in size; errors are not classified yet. */
export type Exchange = Answer;

/** Calls with one trust over pooled connections. `close` aborts calls in progress. */
export interface Wire {
  exchange(request: ExchangeRequest): Promise<Exchange>;
  close(): void;
}

/** @param via how requests are sent */
export function createWire(policy: OutboundPolicy, trust: Trust, via: Send = send): Wire {
  const proxy = policy.proxyUrl === undefined || policy.proxyUrl === '' ? undefined : parseProxy(policy.proxyUrl);
  const closing = new AbortController();
  let credentials: Promise<ProxyCredentials | undefined> | undefined;

  async function route(url: URL, signal: AbortSignal, isFresh: boolean): Promise<Route> {
    if (proxy === undefined || bypassesProxy(url, policy.noProxy ?? [])) {
      checkLiteral(url, policy);
      const create = (options: AgentOptions) => directAgents(trust, guardedLookup(policy), options);
      // A pinned certificate is checked by this caller, so no other call may share the connection.
      if (isFresh || trust.pinned) return create({});
      return pooledAgents([url.origin, policy.allowPrivate, trustKey(trust)], () => create(POOLED));
    }
    await checkByName(url, policy, signal);
    credentials ??= (async () => policy.proxyCredentials?.())();
    const login = await unlessAborted(credentials, signal);
    const create = (options: AgentOptions) => proxyAgents(proxy, login, trust, options);
    const key = [url.origin, policy.allowPrivate, trustKey(trust), proxy, login];
    const agents = isFresh ? create({}) : pooledAgents(key, () => create(POOLED));
    if (url.protocol === 'https:')
      return { httpAgent: agents.httpAgent, httpsAgent: agents.tunnel, proxied: { login } };
    const { httpAgent, httpsAgent } = agents;
    return { httpAgent, httpsAgent, proxied: { login, forward: proxy } };
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
      const answer = await via(request, url, way)
        .catch(async (error: unknown) => {
          if (!mayRepeat(request, error)) throw error;
          way = await route(url, request.signal, true);
          return await via(request, url, way);
        })
        .catch((error: unknown) => {
          // Only the proxy was called; aborts are reported by the caller.
          throw way.proxied?.forward && !request.signal.aborted ? classify(error, { peer: THE_PROXY }) : error;
        });
      const { status, headers } = answer;
      // A tunnel keeps its credentials to itself.
      const credentials = way.proxied?.forward && way.proxied.login;
      // The reply to an http call may come from the proxy and repeat its credentials.
      const secrets = credentials ? [credentials.password, basic(credentials)] : [];
      const refuse = (error: unknown): never => {
        discard(answer.body);
        throw secrets.length > 0 ? classify(error, { secrets }) : error;
      };
      if (way.proxied?.forward && status === 407) refuse(proxyRefusal(407, credentials));
      if (request.redirects !== 'answer') {
        const redirect = { status, location: headers.location, from: url };
        const next = request.redirects === 'same_origin' ? sameOriginTarget(redirect) : undefined;
        if (next) {
          discard(answer.body);
          return await wire.exchange({ ...asked, url: next.href, redirects: 'refuse' });
        }
        await refuseRedirect(redirect, policy, request.signal).catch(refuse);
      }
      const body = limitBody(answer.body, request.maxBytes, String(headers['content-type'] ?? ''));
      return { ...answer, body: secrets.length > 0 && status >= 400 ? redactBody(body, secrets) : body };
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
  if (!(error instanceof NoAnswer) || !error.wasReused) return false;
  const { code = '' } = error.cause as NodeJS.ErrnoException;
  return CLOSED_CODES.has(code) && SAFE_METHODS.has(method) && !signal.aborted;
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
