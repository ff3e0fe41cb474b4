import { BadDriverReply } from './badReply.ts';

/**
 * Set-Cookie headers from the three forms a driver may use: a list of `{name,value,...}`, `{name:{value,...}}` and
 * `{name:"value"}`. Throws BadDriverReply on anything that would change the meaning of the header.
 */
export function cookieHeaders(cookies: unknown, ssl: boolean): [string, string][] {
  return listCookies(cookies).map((cookie) => ['Set-Cookie', formatCookie(cookie, ssl)]);
}

type Cookie = Record<string, unknown>;

function listCookies(cookies: unknown): Cookie[] {
  if (cookies === undefined || cookies === null) return [];
  if (Array.isArray(cookies)) return cookies.map(asObject);
  return Object.entries(asObject(cookies)).map(([name, value]) =>
    typeof value === 'object' ? { ...asObject(value), name } : { name, value },
  );
}

function formatCookie(cookie: Cookie, ssl: boolean): string {
  const name = text(cookie, 'name', /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/);
  const parts = [`${name}=${text(cookie, 'value', /^[^\p{Cc};]*$/u)}`];
  if (present(cookie.domain)) parts.push(`Domain=${text(cookie, 'domain', /^[^\p{Cc};]+$/u)}`);
  if (present(cookie.path)) parts.push(`Path=${text(cookie, 'path', /^[^\p{Cc};]+$/u)}`);
  if (present(cookie.maxage)) parts.push(`Max-Age=${text(cookie, 'maxage', /^-?\d+$/)}`);
  if (cookie.secure ?? ssl) parts.push('Secure');
  if (cookie.httponly ?? true) parts.push('HttpOnly');
  return parts.join('; ');
}

function present(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function text(cookie: Cookie, key: string, allowed: RegExp): string {
  const value = cookie[key];
  const known = typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  if (known === undefined || !allowed.test(known))
    throw new BadDriverReply(`The driver's reply has a cookie whose ${key} cannot be sent.`);
  return known;
}

function asObject(value: unknown): Cookie {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadDriverReply("The driver's reply has cookies of an unknown form.");
  }
  return value as Cookie;
}
