/** An invalid URL. The message never contains the URL, which may have a password. */
export class UrlProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UrlProblem';
  }
}

/** Identity of the receiver of a secret. */
export interface HostBinding {
  host: string;
  port: number;
  secure: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose.
const UNPLAIN = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\\]/;

/**
 * Parses an http(s) URL that every parser reads the same way. Checks the text first, since the URL parser drops tabs and line
 * ends and turns `\` into `/`.
 * @throws UrlProblem
 */
export function assertPlainUrl(text: string): URL {
  if (UNPLAIN.test(text)) {
    throw new UrlProblem('The URL must not contain white space, control characters or a backslash.');
  }
  const url = URL.parse(text);
  if (url === null) throw new UrlProblem('The URL is incomplete.');
  if (!(url.protocol in DEFAULT_PORTS)) throw new UrlProblem('The URL must start with http:// or https://.');
  // "http:host" and "http:/host" parse too, but are misleading.
  if (!/^https?:\/\/[^/?#]/i.test(text)) throw new UrlProblem('The URL has no host.');
  // Refuses an empty user part ("http://@host") too, since parsers disagree about it.
  const authority = text.replace(/^[a-z]+:\/\//i, '').split(/[/?#]/, 1)[0] ?? '';
  if (authority.includes('@')) throw new UrlProblem('The URL must not contain a user name or password.');
  return url;
}

export function plainUrlProblem(text: string): string | undefined {
  try {
    assertPlainUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof UrlProblem) return error.message;
    throw error;
  }
}

export function effectivePort(url: URL): number {
  return url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
}

/** A regular expression would take quadratic time for a long row of slashes. */
export function withoutTrailingSlashes(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end -= 1;
  return text.slice(0, end);
}

/** Lower-cased host without IPv6 brackets and without the root dot. */
export function plainHost(url: URL): string {
  return url.hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

export function hostBinding(address: string): HostBinding {
  const url = assertPlainUrl(address);
  return { host: plainHost(url), port: effectivePort(url), secure: url.protocol === 'https:' };
}

/** Whether a secret stored for one host may be sent to another: same host and port. http may become https, and 80 then 443. */
export function staysBound(stored: HostBinding, next: HostBinding): boolean {
  if (stored.host !== next.host) return false;
  if (stored.secure && !next.secure) return false;
  if (stored.port === next.port) return true;
  return !stored.secure && next.secure && stored.port === 80 && next.port === 443;
}

/** Scheme, host, port and path, without credentials and query. */
export function displayUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  return `${url.protocol}//${url.host}${url.pathname}`;
}

export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Whether the host is loopback by its parsed form: `127.evil.example` is not. */
export function isLoopbackHost(url: URL): boolean {
  const host = plainHost(url);
  return isLoopbackName(host) || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
