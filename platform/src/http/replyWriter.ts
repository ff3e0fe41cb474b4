import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { http } from './listener.ts';
import type { PlatformReply } from './reply.ts';

/** Headers that splunkd adds to every reply that says nothing else about caches. */
const UNCACHEABLE: [string, string][] = [
  ['Expires', 'Thu, 26 Oct 1978 00:00:00 GMT'],
  ['Cache-Control', 'no-store, no-cache, must-revalidate, max-age=0'],
];

/** Headers that it adds to every reply. */
const USUAL: [string, string][] = [
  ['Vary', 'Cookie, Authorization'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['Server', 'Splunkd'],
];

/** Headers about framing are dropped: the server sets them. */
const OURS = new Set(['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'trailer', 'date']);

/** Throws on a header or reason that HTTP cannot carry, before anything is sent. */
export function writeReply(
  response: ServerResponse,
  reply: PlatformReply,
  extra: readonly [string, string][] = [],
): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  const isCaching = reply.headers?.some(([name]) => name.toLowerCase() === 'cache-control') === true;
  for (const [name, value] of [...(isCaching ? [] : UNCACHEABLE), ...USUAL]) response.setHeader(name, value);
  const written = new Set<string>();
  let close = !response.shouldKeepAlive;
  for (const [name, value] of [...(reply.headers ?? []), ...extra]) {
    const lower = name.toLowerCase();
    if (lower === 'connection') close ||= value.toLowerCase() === 'close';
    else if (!OURS.has(lower) && written.has(lower)) response.appendHeader(name, value);
    else if (!OURS.has(lower)) response.setHeader(name, value);
    written.add(lower);
  }
  // Without this header the public Python client treats every body as empty.
  response.setHeader('Connection', close ? 'close' : 'Keep-Alive');
  if (reply.stream !== undefined) {
    response.writeHead(reply.status, reply.reason ?? http.STATUS_CODES[reply.status] ?? 'Unknown');
    // When the client or the stream fails, the connection closes, which marks the reply as incomplete.
    pipeline(Readable.from(reply.stream), response).catch(() => response.destroy());
    return;
  }
  const body = Buffer.from(reply.body ?? '');
  const bodiless = reply.status === 204 || reply.status === 304;
  if (!bodiless) response.setHeader('Content-Length', body.length);
  const reason = reply.reason ?? http.STATUS_CODES[reply.status] ?? 'Unknown';
  response.writeHead(reply.status, reason);
  response.end(bodiless ? undefined : body);
}
