import { BlockList, isIP, isIPv4 } from 'node:net';
import { OutboundError } from '../../contract/outbound.ts';
import { effectivePort, isLoopbackHost, plainHost } from '../../domain/url.ts';

export interface ProxyServer {
  secure: boolean;
  host: string;
  port: number;
  /** `user:password`, decoded. */
  auth?: string | undefined;
}

/** `[outbound] proxy_url`: the one address of ours that may carry credentials. It is not bound by the address policy. */
export function parseProxy(proxyUrl: string): ProxyServer {
  const url = URL.parse(proxyUrl.trim());
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new OutboundError('configuration_invalid', 'ml_extension.conf [outbound] proxy_url is no http(s) address.');
  }
  const auth = url.username === '' ? undefined : `${decode(url.username)}:${decode(url.password)}`;
  return { secure: url.protocol === 'https:', host: plainHost(url), port: effectivePort(url), auth };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * `[outbound] no_proxy`: `*`, host names (with their subdomains; a leading `.` or `*.` is allowed), addresses and
 * networks in CIDR form; each but the last may carry a port. Loopback never goes through a proxy.
 */
export function bypassesProxy(url: URL, noProxy: readonly string[]): boolean {
  // By its parsed form: `127.evil.example` is a name that its owner points wherever they like.
  if (isLoopbackHost(url)) return true;
  const host = plainHost(url);
  return noProxy.some((entry) => matches(entry.trim().toLowerCase(), host, effectivePort(url)));
}

function matches(entry: string, host: string, port: number): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  if (entry.includes('/')) return inNetwork(entry, host);
  if (isIP(entry) !== 0) return entry === host;
  const [, rule = entry, wanted] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wanted !== undefined && Number(wanted) !== port) return false;
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
