import { compressed6, dotted, groups6, isDotted } from '../../domain/net/addresses.ts';

/** An address or a network. */
export interface Address {
  /** The spelling of RFC 5952, without the network. */
  name: string;
  /** 4 or 16; an IPv6 address that holds an IPv4 one has 4. */
  bytes: readonly number[];
  /** Length of the network; all bits for an address. */
  bits: number;
  isNetwork: boolean;
}

const MAPPED = /^::ffff:[0-9a-f]+:[0-9a-f]+$/;

/** Reads four decimal parts, or an IPv6 address with or without zone; each may be a network such as `192.0.2.0/24`. */
export function parseAddress(text: string): Address | undefined {
  const slash = text.indexOf('/');
  const name = slash < 0 ? text : text.slice(0, slash);
  const isNetwork = slash >= 0;
  if (isNetwork && !/^\d{1,3}$/.test(text.slice(slash + 1))) return undefined;
  const length = Number(text.slice(slash + 1));
  if (!name.includes(':')) return isDotted(name) ? address4(name, isNetwork ? length : 32, isNetwork) : undefined;
  const compressed = compressed6(name.split('%', 1)[0] ?? '');
  if (compressed === undefined) return undefined;
  const groups = groups6(compressed);
  const bits = isNetwork ? length : 128;
  if (MAPPED.test(compressed)) return address4(dotted(...groups.slice(6)), bits - 96, isNetwork);
  const bytes = groups.flatMap((group) => [group >> 8, group & 255]);
  return bits > 128 ? undefined : { name: compressed, bytes, bits, isNetwork };
}

function address4(name: string, bits: number, isNetwork: boolean): Address | undefined {
  return bits < 0 || bits > 32 ? undefined : { name, bytes: name.split('.').map(Number), bits, isNetwork };
}

/** One spelling of each address: that of RFC 5952. */
export const addressText = ({ name, bits, isNetwork }: Address): string => (isNetwork ? `${name}/${bits}` : name);

/** Whether an address belongs to networks inside an organisation: RFC 1918, fc00::/7 and link-local ones. */
export function isInternal({ bytes }: Address): boolean {
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 16) return (first & 0xfe) === 0xfc || (first === 0xfe && (second & 0xc0) === 0x80);
  return first === 10 || (first === 172 && second >> 4 === 1) || (first === 192 && second === 168);
}

/** Whether an address names no machine: unspecified, loopback, broadcast, multicast, or the mask of a network. */
export function isNoMachine({ bytes }: Address): boolean {
  const [first = 0] = bytes;
  if (bytes.length === 16) return first === 0xff || bytes.slice(0, 15).every((byte) => byte === 0);
  if (first === 127 || (first >= 224 && first < 240)) return true;
  return bytes.every((byte) => byte === 0) || isNetmask(bytes);
}

/** Ones, and then zeros. */
function isNetmask(bytes: readonly number[]): boolean {
  const inverse = bytes.reduce((number, byte) => number * 256 + (255 - byte), 0);
  return bytes[0] === 255 && Number.isInteger(Math.log2(inverse + 1));
}

/** Whether the compressed form of an address is one that machines have: `a::b` is code. */
export function isLikely6({ bytes }: Address): boolean {
  const [first = 0, second = 0] = bytes;
  if (bytes.length === 4) return true;
  if (first >> 5 === 1 || (first & 0xfe) === 0xfc || (first === 0xfe && (second & 0xc0) === 0x80)) return true;
  return first === 0 && second === 0x64 && bytes[2] === 0xff && bytes[3] === 0x9b;
}
