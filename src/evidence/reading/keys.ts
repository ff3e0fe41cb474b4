import { compressed6, dotted, groups6 } from '../../domain/net/addresses.ts';
import { hostKey } from './atoms.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  http: '80',
  https: '443',
  ftp: '21',
  ws: '80',
  wss: '443',
  ssh: '22',
};
const MAPPED = /^::ffff:[0-9a-f]{1,4}:[0-9a-f]{1,4}$/;

/** One spelling of an address, with the length of its network unless it is a single address. */
export function ipKey(text: string, isIPv6: boolean, start: number, end: number, digitsEnd: number): string {
  if (!isIPv6)
    return end > digitsEnd && text.slice(digitsEnd, end) !== '/32'
      ? text.slice(start, end)
      : text.slice(start, digitsEnd);
  const network = text.slice(digitsEnd, end);
  const address = ipv6Key(text.slice(start, digitsEnd).split('%')[0] ?? '');
  return network === '/128' ? address : address + network;
}

/** Compressed form of an IPv6 address; a mapped IPv4 address as this. */
function ipv6Key(address: string): string {
  const compressed = compressed6(address) ?? address;
  return MAPPED.test(compressed) ? dotted(...groups6(compressed).slice(6)) : compressed;
}

export interface UrlParts {
  /** Scheme, user, host and port in one spelling, and the path as it is. */
  key: string;
  /** Index of the path in the URL; its length where there is none. */
  pathStart: number;
  pathEnd: number;
}

/** Equal for URLs that differ in the case of scheme and host, the default port or the final slash. */
export function urlParts(url: string): UrlParts {
  const plain = PLAIN_ORIGIN.exec(url)?.[0].length;
  if (plain !== undefined) return { key: withoutSlash(url), pathStart: plain, pathEnd: endOfPath(url, plain) };
  const authorityStart = url.indexOf('://') + 3;
  const scheme = url.slice(0, authorityStart - 3).toLowerCase();
  let pathStart = authorityStart;
  while (pathStart < url.length && !isPathMark(url.charCodeAt(pathStart))) pathStart += 1;
  const authority = url.slice(authorityStart, pathStart);
  const hostStart = authority.lastIndexOf('@') + 1;
  const portMark = authority.indexOf(':', Math.max(hostStart, authority.lastIndexOf(']')));
  const hostEnd = portMark < 0 ? authority.length : portMark;
  const host = hostKey(withoutDot(authority.slice(hostStart, hostEnd)));
  const port = authority.slice(hostEnd + 1);
  const origin = `${authority.slice(0, hostStart)}${host}${port === '' || port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
  const key = `${scheme}://${origin}${withoutSlash(url.slice(pathStart))}`;
  return { key, pathStart, pathEnd: endOfPath(url, pathStart) };
}

/** Scheme and host as they are in a key: small letters, without user, port or final dot. */
const PLAIN_ORIGIN = /^[a-z]+:\/\/[a-z0-9.-]*[a-z0-9-](?![^/?#])/;

function endOfPath(url: string, pathStart: number): number {
  if (url.charAt(pathStart) !== '/') return pathStart;
  let end = pathStart;
  while (end < url.length && !isQueryMark(url.charCodeAt(end))) end += 1;
  return end;
}

/** A path without its final slash. */
export const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

const withoutDot = (host: string): string => (host.endsWith('.') ? host.slice(0, -1) : host);

/** `?` or `#`. */
const isQueryMark = (code: number): boolean => code === 0x3f || code === 0x23;
const isPathMark = (code: number): boolean => code === 0x2f || isQueryMark(code);

/** A Windows path without case and with single backslashes. */
export const windowsPathKey = (path: string): string => {
  const single = path.replace(/\\+/g, '\\').toLowerCase();
  return single.endsWith('\\') ? single.slice(0, -1) : single;
};

export const lastPart = (path: string, mark: string): string => path.slice(path.lastIndexOf(mark) + 1);

/** Without case where this does not matter; two users are compared by `mayBeSameDomain`. */
export interface UserName {
  name: string;
  domain: string | undefined;
}

export function userOf(text: string, mark: '\\' | '@'): UserName {
  const lower = text.toLowerCase();
  const end = lower.lastIndexOf(mark);
  if (mark === '@') return { name: lower.slice(0, end), domain: lower.slice(end + 1) };
  const domain = lower.slice(0, lower.indexOf('\\'));
  // A dot stands for the machine itself.
  return { name: lower.slice(end + 1), domain: domain === '.' || domain === '' ? undefined : domain };
}

/** Whether no domain contradicts: the NetBIOS name of a domain is the first label of its DNS name. */
export function mayBeSameDomain(first: string | undefined, second: string | undefined): boolean {
  if (first === undefined || second === undefined || first === second) return true;
  if (first.includes('.') === second.includes('.')) return false;
  const [short, long] = first.includes('.') ? [second, first] : [first, second];
  return long.slice(0, long.indexOf('.')) === short;
}
