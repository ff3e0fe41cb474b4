import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SecureContextOptions } from 'node:tls';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { PlatformLog } from '../home/log.ts';
import { http, listen } from '../http/listener.ts';
import { hasTwoHosts, parseCookies } from '../http/requestParser.ts';
import type { Identity } from '../identity/identity.ts';
import { errorPage } from './pages/pages.ts';
import type { Theme } from './pages/themes.ts';
import { RawProxy } from './proxy.ts';
import { GUARDS, WebError, type WebReply, type WebRequest } from './reply.ts';
import { WebSessions } from './sessions.ts';
import { Site } from './site.ts';

/** Options of the web side. */
export interface WebOptions {
  /** 0 = any free one. */
  port: number;
  /** Take any free port if this one is in use. */
  otherwiseAny?: boolean;
  /** For users who have not chosen one; default `light`. */
  theme?: Theme;
  /** Timeout for silence of the management port; default 30000, as in Splunk Web. */
  timeoutMs?: number;
}

export interface WebSideOptions extends WebOptions {
  host: string;
  apps(): readonly HostedApp[];
  mainApp: string | undefined;
  identity: Identity;
  management(): string;
  tls: SecureContextOptions | undefined;
  log: PlatformLog;
}

export interface WebSide {
  /** `http://127.0.0.1:8000` */
  url: string;
  port: number;
  close(): Promise<void>;
}

const TIMEOUT_MS = 30_000;

/** Starts the web side. Throws the system's error if the port cannot be opened. */
export async function startWebSide(options: WebSideOptions): Promise<WebSide> {
  const { identity, apps, log, management, tls, timeoutMs = TIMEOUT_MS } = options;
  let port = options.port;
  const sessions = new WebSessions(identity, () => port);
  const proxy = new RawProxy({ apps, sessions, management, tls, timeoutMs });
  const site = new Site({
    apps,
    mainApp: options.mainApp,
    sessions,
    proxy,
    port: () => port,
    theme: options.theme ?? 'light',
    log,
  });
  const server = http.createServer({ keepAliveTimeout: 65_000, requestTimeout: 300_000 }, (message, response) => {
    void exchange(site, options, message, response);
  });
  server.on('clientError', (_error, socket) => {
    if (!socket.writable) return socket.destroy();
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  const host = loopback(options.host);
  const running = await listen(server, host, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE' && options.otherwiseAny === true) return listen(server, host, 0);
    throw error;
  });
  port = running.port;
  const close = async (): Promise<void> => {
    proxy.close();
    await running.close();
  };
  return { url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port, close };
}

/** Passwords pass in clear text, so it listens on loopback only, wherever the management port listens. */
export function loopback(host: string): string {
  return isLoopback(host) ? host : '127.0.0.1';
}

function isLoopback(host: string): boolean {
  return host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Another site's name may be made to resolve to this machine; its pages would then be of our origin. */
function checkHost(message: IncomingMessage, ourHost: string): void {
  if (hasTwoHosts(message)) throw new WebError(400, 'The request has more than one Host header.');
  const host = (message.headers.host ?? '')
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  if (host === 'localhost' || isLoopback(host) || host === ourHost.toLowerCase()) return;
  throw new WebError(403, 'The pages are served only as localhost, a loopback address, or the host in ML_HOST.');
}

async function exchange(
  site: Site,
  { log, host }: WebSideOptions,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  message.on('error', () => response.destroy());
  const cookies = parseCookies(message.headers.cookie);
  let reply: WebReply | undefined;
  try {
    checkHost(message, host);
    reply = await site.answer(requestOf(message, response, cookies));
  } catch (error) {
    if (!(error instanceof WebError)) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.write('ERROR', 'WebSide', `${message.method} ${(message.url ?? '').split('?')[0]}: ${cause}`);
    }
    const [status, text] =
      error instanceof WebError ? [error.status, error.message] : [500, 'Something went wrong; splunkd.log says what.'];
    if (response.headersSent) return void response.destroy();
    reply = errorPage(status, text, site.theme({ cookies }));
    if (error instanceof WebError) reply.headers.push(...error.headers);
  }
  if (reply !== undefined && !response.destroyed) write(response, reply);
}

function write(response: ServerResponse, { status, headers, body }: WebReply): void {
  for (const [name, value] of GUARDS) response.setHeader(name, value);
  for (const [name, value] of headers) {
    if (name === 'Set-Cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (status !== 204) response.setHeader('Content-Length', Buffer.byteLength(body ?? ''));
  response.writeHead(status);
  response.end(body);
}

function requestOf(message: IncomingMessage, response: ServerResponse, cookies: [string, string][]): WebRequest {
  const target = message.url ?? '/';
  const url = target.startsWith('/') ? target : target.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  const raw = path.split('/').slice(1);
  return {
    method: message.method ?? 'GET',
    url,
    raw,
    segments: raw.map(decoded),
    query: end < 0 ? '' : url.slice(end + 1),
    cookies,
    message,
    response,
  };
}

function decoded(segment: string): string {
  try {
    const text = decodeURIComponent(segment);
    if (!text.includes('\0')) return text;
  } catch {
    // Answered below.
  }
  throw new WebError(400, 'The URL has invalid percent-encoding.');
}
