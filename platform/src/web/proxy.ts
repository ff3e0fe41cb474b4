import type { Agent, ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { SecureContextOptions } from 'node:tls';
import type { HostedApp } from '../apps/hostedApp.ts';
import { http } from '../http/listener.ts';
import { PlatformError } from '../http/reply.ts';
import { headerPairs, readBody } from '../http/requestParser.ts';
import { isExposed, mayWrite } from './expose.ts';
import { GUARDS, messageReply, WebError, type WebReply, type WebRequest } from './reply.ts';
import type { WebSessions } from './sessions.ts';

export interface ProxyOptions {
  apps(): readonly HostedApp[];
  sessions: WebSessions;
  /** Address of the management port. */
  management(): string;
  /** The only CA to trust there, whatever the name is; plain HTTP without it. */
  tls: SecureContextOptions | undefined;
  /** Timeout for silence of the management port. */
  timeoutMs: number;
}

/** Forms up to this size are buffered to be rewritten; other bodies are streamed. */
const MAX_FORM = 104_857_600;
const FORM = 'application/x-www-form-urlencoded';
/** Hop-by-hop headers. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']);
/** Splunk Web looks at the type of each answer, and fails on one without. */
const NO_TYPE = 'The answer of splunkd has no Content-Type.';
/** Shorter than the keep-alive of the management port. */
const IDLE_MS = 20_000;

/** `splunkd/__raw`: forwards what a page may call, as strictly as Splunk Web. */
export class RawProxy {
  readonly #options: ProxyOptions;
  readonly #agent: Agent;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const settings = { keepAlive: true, timeout: IDLE_MS };
    const { tls } = options;
    this.#agent =
      tls === undefined
        ? new http.Agent(settings)
        : new (https().Agent)({ ...settings, ...tls, checkServerIdentity: () => undefined });
  }

  close(): void {
    this.#agent.destroy();
  }

  /** `at` is the index of the first segment of the management path. Undefined if the reply has been sent. */
  async handle(req: WebRequest, depth: number): Promise<WebReply | undefined> {
    const { apps, sessions } = this.#options;
    const { method, cookies } = req;
    const target = targetOf(req.segments.slice(depth));
    if (target === undefined || !isExposed(apps(), method, target)) {
      return messageReply(404, `No web.conf exposes this path to ${method} requests of pages.`);
    }
    if (method !== 'GET' && !mayWrite(apps())) {
      return messageReply(405, 'enable_proxy_write of web.conf allows pages to read only.', [['Allow', 'GET']]);
    }
    const formKey = req.message.headers['x-splunk-form-key'];
    if (method !== 'GET' && !sessions.isGenuine(cookies, [formKey].flat()[0])) {
      return messageReply(401, 'CSRF validation failed');
    }
    const path = `/${req.raw.slice(depth).map(quoted).join('/')}${forwardedQuery(req.query)}`;
    // An empty key gets another message than a missing one, for which browsers would open a login dialog.
    const headers: OutgoingHttpHeaders = { Authorization: `Splunk ${sessions.key(cookies) ?? ''}` };
    if (method !== 'POST' && method !== 'PUT') return this.#send(req, path, headers);
    if (isForm(req.message)) return this.#sendForm(req, path, headers);
    headers['Content-Type'] = 'application/json';
    const length = req.message.headers['content-length'];
    const chunked = req.message.headers['transfer-encoding'] !== undefined;
    if (!chunked) headers['Content-Length'] = length ?? 0;
    return this.#send(req, path, headers, req.message);
  }

  async #sendForm(req: WebRequest, path: string, headers: OutgoingHttpHeaders): Promise<WebReply | undefined> {
    let body: Buffer;
    try {
      body = await readBody(req.message, MAX_FORM);
    } catch (error) {
      if (error instanceof PlatformError) return messageReply(error.status, error.message);
      throw error;
    }
    const form = Buffer.from(new URLSearchParams(body.toString()).toString());
    return this.#send(req, path, { ...headers, 'Content-Type': FORM, 'Content-Length': form.length }, form);
  }

  async #send(
    req: WebRequest,
    path: string,
    headers: OutgoingHttpHeaders,
    body?: Buffer | IncomingMessage,
  ): Promise<WebReply | undefined> {
    const url = new URL(this.#options.management());
    const call = url.protocol === 'https:' ? https().request : http.request;
    const { timeoutMs } = this.#options;
    const upstream = call({
      agent: this.#agent,
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      method: req.method,
      path,
      headers,
    });
    const leave = () => upstream.destroy();
    req.response.once('close', leave);
    try {
      const reply = await answerTo(upstream, body, timeoutMs);
      if (reply.headers['content-type'] === undefined) throw new WebError(500, NO_TYPE);
      await forwardReply(reply, req.response, timeoutMs);
      return undefined;
    } catch (error) {
      upstream.destroy();
      if (error instanceof WebError) throw error;
      if (req.response.headersSent || req.response.destroyed) {
        req.response.destroy();
        return undefined;
      }
      const late = error instanceof LateError;
      const why = late ? 'The read operation timed out' : (error as Error).message;
      const text = `Splunkd daemon is not responding: ('Error connecting to ${path.split('?')[0]}: ${why}',)`;
      return messageReply(late ? 504 : 503, text);
    } finally {
      req.response.off('close', leave);
    }
  }
}

/** Splunk Web quotes the path that it got, which is quoted already: splunkd sees `%20` where the page meant a space. */
function quoted(segment: string): string {
  return encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

class LateError extends Error {}

/** Sends the body and waits for the reply's head; the timeout restarts with each sign of life. */
function answerTo(
  upstream: ClientRequest,
  body: Buffer | IncomingMessage | undefined,
  timeoutMs: number,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let timer = setTimeout(() => reject(new LateError()), timeoutMs);
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => reject(new LateError()), timeoutMs);
  };
  // Also after the reply: a peer that refuses a body early may reset the connection.
  upstream.on('error', reject);
  upstream.once('response', resolve);
  if (body === undefined || Buffer.isBuffer(body)) upstream.end(body);
  else {
    body.on('data', alive);
    body.once('error', reject);
    body.pipe(upstream);
  }
  return promise.finally(() => {
    clearTimeout(timer);
    if (body !== undefined && !Buffer.isBuffer(body)) body.off('data', alive);
  });
}

/** Forwards head and body unchanged, errors too; the body is streamed with backpressure. */
async function forwardReply(reply: IncomingMessage, response: ServerResponse, timeoutMs: number): Promise<void> {
  for (const [name, value] of headerPairs(reply.rawHeaders)) {
    if (!HOP_BY_HOP.has(name.toLowerCase())) response.appendHeader(name, value);
  }
  for (const [name, value] of GUARDS) if (!response.hasHeader(name)) response.setHeader(name, value);
  response.writeHead(reply.statusCode ?? 502, reply.statusMessage);
  let timer: NodeJS.Timeout | undefined;
  const wait = () => {
    clearTimeout(timer);
    // No timeout while the browser is the slow side.
    timer = setTimeout(() => (response.writableNeedDrain ? wait() : reply.destroy(new LateError())), timeoutMs);
  };
  wait();
  reply.on('data', wait);
  // From here on only the browser is slow; an error after the end would cut off what it has not read yet.
  reply.once('end', () => clearTimeout(timer));
  await pipeline(reply, response).finally(() => clearTimeout(timer));
}

/** The path below `/services` in decoded segments, in any namespace. */
function targetOf(segments: readonly string[]): string[] | undefined {
  const skip = segments[0] === 'services' ? 1 : segments[0] === 'servicesNS' ? 3 : 0;
  const target = segments.slice(skip);
  // Collections may end with a slash.
  const inner = target.at(-1) === '' ? target.slice(0, -1) : target;
  if (skip === 0 || inner.length === 0) return undefined;
  const used = [...segments.slice(0, skip), ...inner];
  return used.every((segment) => segment !== '' && !hasParentSegment(segment)) ? inner : undefined;
}

function hasParentSegment(segment: string): boolean {
  return segment.split(/[/\\]/).some((part) => part === '.' || part === '..');
}

/** Removes Splunk Web's own arguments: the cache buster and the id of embedded reports. */
function forwardedQuery(query: string): string {
  const pairs = query.split('&').filter((pair) => pair !== '' && !/^(?:_|oid)(?:=|$)/.test(decodedName(pair)));
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function decodedName(pair: string): string {
  try {
    return decodeURIComponent(pair);
  } catch {
    return pair;
  }
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() === FORM;
}

/** Loaded only if the management port uses TLS, which has loaded it already. */
function https(): typeof import('node:https') {
  return process.getBuiltinModule('node:https');
}
