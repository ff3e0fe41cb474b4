import { http } from '../http/listener.ts';
import type { PlatformReply } from '../http/reply.ts';

/** A reply of a driver that cannot become an HTTP answer; the message is for the client and the log. */
export class BadDriverReply extends Error {}

/**
 * Turns a driver's JSON into an HTTP reply. Rejects whatever HTTP cannot carry (such as an invalid status or a line
 * break in a header) before a byte of the reply is sent.
 */
export function translateDriverReply(frame: Buffer, ssl: boolean): PlatformReply {
  const reply = parseObject(frame);
  const { status, reason } = readStatus(reply.status);
  const headers: [string, string][] = [
    ...readHeaders(reply.headers),
    ...cookieHeaders(reply.cookies, ssl),
    ...contentDisposition(reply.filename),
  ];
  for (const [name, value] of headers) checkHeader(name, value);
  const result: PlatformReply = { status, headers };
  if (reason !== undefined) result.reason = reason;
  if (reply.payload === null) {
    // Only 200 becomes "no content": an error keeps its status.
    if (status === 200) result.status = 204;
  } else if (typeof reply.payload === 'string') {
    result.body = reply.payload;
  } else if (reply.payload !== undefined) {
    result.body = JSON.stringify(reply.payload);
    addMissing(headers, 'Content-Type', 'application/json; charset=UTF-8');
    addMissing(headers, 'X-Content-Type-Options', 'nosniff');
  } else {
    result.body = decodeBase64(reply.payload_base64);
  }
  return result;
}

function parseObject(frame: Buffer): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(frame.toString('utf8'));
  } catch {
    value = undefined;
  }
  if (!isObject(value)) throw new BadDriverReply("The driver's reply is not a JSON object.");
  return value;
}

function readStatus(value: unknown): { status: number; reason: string | undefined } {
  const [status, reason] = Array.isArray(value) ? value : [value ?? 200];
  // 1xx statuses are interim and not a reply.
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new BadDriverReply("The driver's reply has a status that is not an HTTP status.");
  }
  if (reason !== undefined && (typeof reason !== 'string' || !/^[\t\x20-\x7e]*$/.test(reason))) {
    throw new BadDriverReply("The driver's reply has a reason that cannot be sent.");
  }
  return { status, reason };
}

/** `[[n,v],...]`, `{n:v}` or `{n:[v1,v2]}`. */
function readHeaders(value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) {
    return value.map((pair) => {
      if (!Array.isArray(pair) || pair.length !== 2) throw new BadDriverReply(BAD_HEADERS);
      return [headerText(pair[0]), headerText(pair[1])];
    });
  }
  if (!isObject(value)) throw new BadDriverReply(BAD_HEADERS);
  return Object.entries(value).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((text): [string, string] => [name, headerText(text)]),
  );
}

const BAD_HEADERS = "The driver's reply has headers of an unknown form.";

function headerText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new BadDriverReply(BAD_HEADERS);
}

function checkHeader(name: string, value: string): void {
  try {
    http.validateHeaderName(name);
    http.validateHeaderValue(name, value);
  } catch {
    // The value may be a secret, so it is not in the message.
    throw new BadDriverReply(`The driver's reply has a header that cannot be sent: ${JSON.stringify(name)}`);
  }
}

/**
 * Set-Cookie headers from the three forms a driver may use: a list of `{name,value,...}`, `{name:{value,...}}` and
 * `{name:"value"}`. Throws BadDriverReply on anything that would change the meaning of the header.
 */
function cookieHeaders(cookies: unknown, ssl: boolean): [string, string][] {
  return listCookies(cookies).map((cookie) => ['Set-Cookie', formatCookie(cookie, ssl)]);
}

type Cookie = Record<string, unknown>;

function listCookies(cookies: unknown): Cookie[] {
  if (cookies === undefined || cookies === null) return [];
  if (Array.isArray(cookies)) return cookies.map(asCookie);
  return Object.entries(asCookie(cookies)).map(([name, value]) =>
    typeof value === 'object' ? { ...asCookie(value), name } : { name, value },
  );
}

function formatCookie(cookie: Cookie, ssl: boolean): string {
  const name = cookiePart(cookie, 'name', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);
  const parts = [`${name}=${cookiePart(cookie, 'value', /^[^\p{Cc};]*$/u)}`];
  if (isPresent(cookie.domain)) parts.push(`Domain=${cookiePart(cookie, 'domain', /^[^\p{Cc};]+$/u)}`);
  if (isPresent(cookie.path)) parts.push(`Path=${cookiePart(cookie, 'path', /^[^\p{Cc};]+$/u)}`);
  if (isPresent(cookie.maxage)) parts.push(`Max-Age=${cookiePart(cookie, 'maxage', /^-?\d+$/)}`);
  if (cookie.secure ?? ssl) parts.push('Secure');
  if (cookie.httponly ?? true) parts.push('HttpOnly');
  return parts.join('; ');
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function cookiePart(cookie: Cookie, key: string, allowed: RegExp): string {
  const value = cookie[key];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  if (text === undefined || !allowed.test(text))
    throw new BadDriverReply(`The driver's reply has a cookie whose ${key} cannot be sent.`);
  return text;
}

function asCookie(value: unknown): Cookie {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadDriverReply("The driver's reply has cookies of an unknown form.");
  }
  return value as Cookie;
}

function contentDisposition(filename: unknown): [string, string][] {
  if (filename === undefined || filename === null) return [];
  if (typeof filename !== 'string' || /[\r\n\0]/.test(filename)) {
    throw new BadDriverReply("The driver's reply has a filename that cannot be sent.");
  }
  const ascii = filename.replace(/[^\x20-\x7e]/g, '_').replace(/["\\]/g, '\\$&');
  const encoded = encodeURIComponent(filename.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const extended = /[^\x20-\x7e]/.test(filename) ? `; filename*=UTF-8''${encoded}` : '';
  return [['Content-Disposition', `attachment; filename="${ascii}"${extended}`]];
}

function decodeBase64(value: unknown): Buffer {
  if (value === undefined || value === null) return Buffer.alloc(0);
  if (typeof value !== 'string' || /[^A-Za-z0-9+/=\s]/.test(value)) {
    throw new BadDriverReply("The driver's reply has a payload_base64 that is not base64.");
  }
  return Buffer.from(value, 'base64');
}

function addMissing(headers: [string, string][], name: string, value: string): void {
  if (!headers.some(([sent]) => sent.toLowerCase() === name.toLowerCase())) headers.push([name, value]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
