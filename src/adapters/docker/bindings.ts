import { isIPv4, isIPv6 } from 'node:net';

/** A published port. An engine may give the port of each address family another number. */
export interface Binding {
  inside: number;
  outside: number | undefined;
  /** Address of the engine's machine; '' = all. */
  ip: string;
}

/**
 * The binding that answers at a host: that of its address, else that of all addresses of its family.
 * @param host name or address; a name may have addresses of both families
 */
export function bindingAt(bindings: readonly Binding[], host: string): Binding | undefined {
  const called = canonical(host);
  const ranked = bindings.map((binding) => ({ binding, rank: rank(canonical(binding.ip), called) }));
  return ranked.sort((a, b) => a.rank - b.rank)[0]?.binding;
}

const EXACT = 0;
const SAME_FAMILY = 1;
const OTHER_FAMILY = 2;
const ELSEWHERE = 3;

function rank(ip: string, called: string): number {
  if (ip === called || (called === 'localhost' && isLoopback(ip))) return EXACT;
  if (ip === '') return SAME_FAMILY;
  if (ip === '0.0.0.0') return isIPv6(called) ? OTHER_FAMILY : SAME_FAMILY;
  // Most names have an IPv4 address.
  if (ip === '::') return isIPv6(called) ? SAME_FAMILY : OTHER_FAMILY;
  return ELSEWHERE;
}

const isLoopback = (ip: string): boolean => ip === '::1' || (isIPv4(ip) && ip.startsWith('127.'));

/** The short form of an IPv6 address; other hosts in lower case. */
function canonical(host: string): string {
  const plain = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return isIPv6(plain) ? (URL.parse(`http://[${plain}]/`)?.hostname.slice(1, -1) ?? plain) : plain;
}
