import type { ClientOptions } from './options.ts';

/** The configuration in a Splunk Web page. */
interface PageConfig {
  MRSPARKLE_PORT_NUMBER?: unknown;
  SPLUNKD_PATH?: unknown;
}

const pageConfig = (): PageConfig => (globalThis as { $C?: PageConfig }).$C ?? {};

/** @throws TypeError */
export function baseOf({ auth, baseUrl, pathPrefix }: ClientOptions): { origin: string; prefix: string } {
  const isPage = auth === 'browser' && baseUrl === undefined;
  const text = isPage ? globalThis.location?.origin : baseUrl;
  if (text === undefined || !URL.canParse(text)) throw new TypeError('baseUrl must be a URL such as https://host:8089');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must begin with https:// or http://');
  if (url.username || url.password) throw new TypeError('baseUrl must not hold credentials: they belong into auth');
  const ofPage = isPage ? pageConfig().SPLUNKD_PATH : undefined;
  const prefix = pathPrefix ?? (typeof ofPage === 'string' ? ofPage : url.pathname);
  return { origin: url.origin, prefix: prefix.replaceAll(/^\/+|\/+$/g, '') };
}

/** @returns undefined in a browser, which authenticates by cookies @throws TypeError */
export function authorizationOf({ auth }: ClientOptions): string | undefined {
  if (auth === 'browser') return undefined;
  if ('sessionKey' in auth) return `Splunk ${sendable(auth.sessionKey, 'session key')}`;
  if ('token' in auth) return `Bearer ${sendable(auth.token, 'token')}`;
  const bytes = new TextEncoder().encode(`${auth.username}:${auth.password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** `fetch` would quote the secret in its error message. */
function sendable(secret: string, what: string): string {
  if (/^[\x20-\x7e\x80-\xff]+$/.test(secret)) return secret;
  throw new TypeError(`The ${what} is empty, or holds characters that no header can carry`);
}

/**
 * The token against forged requests that Splunk Web wants back with each of them. It is read anew each time: it changes with the
 * session. Its cookie is called after the port of Splunk Web, since cookies do not keep the ports of a host apart.
 */
export function formKey(): string | undefined {
  if (typeof document === 'undefined') return undefined;
  const keys = new Map<string, string>();
  for (const cookie of document.cookie.split(';')) {
    const [, port, key] = /^splunkweb_csrf_token_(\d+)=(.*)$/.exec(cookie.trim()) ?? [];
    if (port !== undefined && key !== undefined) keys.set(port, key);
  }
  const { port, protocol } = globalThis.location;
  // Behind a proxy, the page's own port is another one.
  const ports = [pageConfig().MRSPARKLE_PORT_NUMBER, port || (protocol === 'https:' ? 443 : 80)];
  const key = ports.map((value) => keys.get(String(value))).find((value) => value !== undefined);
  return key ?? (keys.size === 1 ? [...keys.values()][0] : undefined);
}
