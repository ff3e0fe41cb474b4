/** Why an address cannot be used. The message names the rule, never the address: it may hold a password. */
export class UrlProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UrlProblem';
  }
}

/** What decides whether two addresses are the same receiver of a secret. */
export interface HostBinding {
  host: string;
  port: number;
  secure: boolean;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const UNPLAIN = /[\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff\\]/;

/**
 * Parses an http(s) address that means the same to every reader of it, else throws `UrlProblem`.
 * The text is looked at before parsing: the URL parser drops tabs and line ends and turns `\` into `/`,
 * so that a check of the parsed form would pass what a person or another parser reads differently.
 */
export function assertPlainUrl(text: string): URL {
  if (UNPLAIN.test(text)) {
    throw new UrlProblem('The URL must not contain white space, control characters or a backslash.');
  }
  const url = URL.parse(text);
  if (url === null) throw new UrlProblem('This is not a complete URL.');
  if (!(url.protocol in DEFAULT_PORTS)) throw new UrlProblem('The URL must start with http:// or https://.');
  // "http:host" and "http:/host" parse too, but are not what a person reads.
  if (!/^https?:\/\/[^/?#]/i.test(text)) throw new UrlProblem('The URL does not name a host.');
  // Also an empty user part ("http://@host") is refused: parsers disagree about it.
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

/** A pattern for this would look at each slash of a row again from the one before: a long row would take minutes. */
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

/**
 * May a secret stored for `stored` be sent to `next`? Host and port have to be the same; http may become https
 * (then port 80 may become 443), never the other way round.
 */
export function staysBound(stored: HostBinding, next: HostBinding): boolean {
  if (stored.host !== next.host) return false;
  if (stored.secure && !next.secure) return false;
  if (stored.port === next.port) return true;
  return !stored.secure && next.secure && stored.port === 80 && next.port === 443;
}

/** Scheme, host, port and path: what may be shown of an address in a reply or a message. */
export function displayUrl(address: string): string {
  const url = URL.parse(address);
  if (url === null) return '';
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** A name that stands for this machine and nothing else, whatever a resolver says about it. */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** A name or literal that always means this machine. The parsed form decides: `127.evil.example` is a name like any other. */
export function isLoopbackHost(url: URL): boolean {
  const host = plainHost(url);
  return isLoopbackName(host) || host === '::1' || /^127(\.\d+){3}$/.test(host);
}
