import { BlockList, isIP, isIPv4 } from 'node:net';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { effectivePort, isLoopbackHost, plainHost } from '../../domain/net/url.ts';

export interface ProxyServer {
  secure: boolean;
  host: string;
  port: number;
}

export interface ProxyCredentials {
  username: string;
  password: string;
}

/** Messages do not contain the proxy's address, which is for administrators. */
export const THE_PROXY = 'the proxy';
const WHERE =
  'the password storage, realm ml_extension_proxy, name default, as {"username": "<name>", "password": "<password>"}';

/** Parses `[outbound] proxy_url`. The address policy does not apply to it, and it must not contain a password. */
export function parseProxy(proxyUrl: string): ProxyServer {
  const text = proxyUrl.trim();
  const invalid = (what: string) =>
    new OutboundError('configuration_invalid', `ml_extension.conf [outbound] proxy_url ${what}`);
  const url = URL.parse(text);
  // Also checked in the text, since a `/` in a password ends the host for the parser.
  if (text.includes('@') || (url !== null && `${url.username}${url.password}` !== '')) {
    throw invalid(`must not contain a user name or password: they belong in ${WHERE}`);
  }
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw invalid('is not an http(s) address');
  }
  return { secure: url.protocol === 'https:', host: plainHost(url), port: effectivePort(url) };
}

/** @throws OutboundError naming the entry of the password storage, never quoting it */
export function proxyCredentials(entry: Readonly<Record<string, string>>): ProxyCredentials {
  const { username, password } = entry;
  if (username && password !== undefined && !username.includes(':')) return { username, password };
  const message = `The credentials of the proxy cannot be used: they have to be in ${WHERE}`;
  throw new OutboundError('configuration_invalid', message);
}

/** The value of a Basic login. Redacted like the password. */
export const basic = ({ username, password }: ProxyCredentials): string =>
  Buffer.from(`${username}:${password}`).toString('base64');

/** A 407 comes from the proxy and must not be reported as the server's reply. */
export function proxyRefusal(status: number | undefined, credentials: ProxyCredentials | undefined): OutboundError {
  if (status !== 407)
    return new OutboundError('upstream_error', `The proxy answered ${status ?? 'nothing'} to CONNECT`);
  const why = credentials === undefined ? 'wants a user name and password' : 'wants other credentials';
  return new OutboundError('upstream_error', `The proxy ${why} (407): they are taken from ${WHERE}`);
}

/**
 * `[outbound] no_proxy`: `*`, host names (with their subdomains; a leading `.` or `*.` is allowed), addresses and
 * networks in CIDR form; each but the last may carry a port. Loopback never goes through a proxy.
 */
export function bypassesProxy(url: URL, noProxy: readonly string[]): boolean {
  // By the parsed address: `127.evil.example` is an ordinary host name.
  if (isLoopbackHost(url)) return true;
  const host = plainHost(url);
  return noProxy.some((entry) => matches(entry.trim().toLowerCase(), host, effectivePort(url)));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(entry, host);
  if (isIP(entry) !== 0) return entry === host;
  const [, rule = entry, rulePort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (rulePort !== undefined && Number(rulePort) !== port) return false;
  const name = rule.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1');
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

function inNetwork(entry: string, host: string): boolean {
  const [network = '', prefix = ''] = entry.split('/');
  if (isIP(host) === 0 || isIP(network) !== isIP(host) || !/^\d+$/.test(prefix)) return false;
  const list = new BlockList();
  try {
    list.addSubnet(network, Number(prefix), isIPv4(network) ? 'ipv4' : 'ipv6');
  } catch {
    return false;
  }
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}
