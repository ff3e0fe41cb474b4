/** An address or a network. */
export interface Address {
  /** 4 or 16; an IPv6 address that holds an IPv4 one has 4. */
  bytes: readonly number[];
  /** Length of the network; all bits for an address. */
  bits: number;
  isNetwork: boolean;
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const GROUP = /^[0-9a-fA-F]{1,4}$/;
const MAPPED = '0,0,0,0,0,0,0,0,0,0,255,255';

/** Reads four decimal parts, or an IPv6 address with or without zone; each may be a network such as `192.0.2.0/24`. */
export function parseAddress(text: string): Address | undefined {
  const [name = '', length, ...others] = text.split('/');
  if (others.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined;
  const bytes = name.includes(':') ? bytesOf6(name.split('%')[0] ?? '') : bytesOf4(name);
  if (bytes === undefined) return undefined;
  const isNetwork = length !== undefined;
  const isMapped = bytes.length === 16 && bytes.slice(0, 12).join() === MAPPED;
  const bits = isNetwork ? Number(length) : bytes.length * 8;
  if (bits > bytes.length * 8) return undefined;
  if (!isMapped) return { bytes, bits, isNetwork };
  return bits < 96 ? undefined : { bytes: bytes.slice(12), bits: bits - 96, isNetwork };
}

const bytesOf4 = (text: string): number[] | undefined => (IPV4.test(text) ? text.split('.').map(Number) : undefined);

function bytesOf6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const parts = halves.map((half, index) => (half === '' ? [] : groupsOf(half, index === halves.length - 1)));
  const [head, tail] = parts;
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 && text !== '' ? head : undefined;
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

/** Bytes of groups between colons, the last of which may be an IPv4 address. */
function groupsOf(half: string, isLast: boolean): number[] | undefined {
  const groups = half.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const dotted = isLast && index === groups.length - 1 && group.includes('.') ? bytesOf4(group) : undefined;
    if (dotted) bytes.push(...dotted);
    else if (GROUP.test(group)) bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255);
    else return undefined;
  }
  return bytes;
}

/** One spelling of each address: that of RFC 5952. */
export function addressText({ bytes, bits, isNetwork }: Address): string {
  const name = bytes.length === 4 ? bytes.join('.') : text6(bytes);
  return isNetwork ? `${name}/${bits}` : name;
}

function text6(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0));
  let [from, length] = [0, 0];
  for (let start = 0; start < 8; start += 1) {
    let end = start;
    while (end < 8 && groups[end] === 0) end += 1;
    if (end - start > length) [from, length] = [start, end - start];
  }
  const join = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return length < 2 ? join(groups) : `${join(groups.slice(0, from))}::${join(groups.slice(from + length))}`;
}

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
