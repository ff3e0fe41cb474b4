import { BlockList, isIP, isIPv4 } from 'node:net';
import { compressed6, dotted, groups6 } from '../../domain/net/addresses.ts';

/** Blocked regardless of the settings. */
const FORBIDDEN = blockList([
  ['169.254.0.0', 16],
  ['fe80::', 10],
  // Metadata services that do not live at a link-local address: AWS (the instance's, and that of pods on EKS), Google, Scaleway,
  ['fd00:ec2::254', 128],
  ['fd00:ec2::23', 128],
  ['fd20:ce::254', 128],
  ['fd00:42::42', 128],
  // Alibaba, Azure (it hands certificates and settings to the machine's agent), Oracle.
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
]);

/** Loopback, private and shared ranges: closed by `allow_private = 0`. */
const PRIVATE = blockList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
  ['fec0::', 10],
]);

const LOOPBACK = blockList([
  ['127.0.0.0', 8],
  ['::1', 128],
]);

/** IPv6 ranges that carry an IPv4 address, and the index of its first 16-bit group. */
const CARRIERS: readonly { range: BlockList; group: number }[] = [
  { range: blockList([['::ffff:0:0', 96]]), group: 6 },
  { range: blockList([['::', 96]]), group: 6 },
  { range: blockList([['64:ff9b::', 96]]), group: 6 },
  { range: blockList([['64:ff9b:1::', 48]]), group: 6 },
  { range: blockList([['::ffff:0:0:0', 96]]), group: 6 },
  { range: blockList([['2002::', 16]]), group: 1 },
];

function blockList(ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, isIPv4(address) ? 'ipv4' : 'ipv6');
  return list;
}

export type AddressVerdict = 'allowed' | 'forbidden' | 'private';

/** Judges a literal IP address; host names are judged when they are resolved. */
export function judgeAddress(address: string, allowPrivate: boolean): AddressVerdict {
  const plain = address.split('%', 1)[0] ?? '';
  if (isIP(plain) === 0) return 'forbidden';
  const forms = [plain, ...carriedIPv4(plain)];
  if (forms.some((form) => contains(FORBIDDEN, form))) return 'forbidden';
  if (!allowPrivate && forms.some((form) => contains(PRIVATE, form))) return 'private';
  return 'allowed';
}

export const isLoopbackAddress = (address: string): boolean => contains(LOOPBACK, address);

function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** `::ffff:169.254.169.254`, NAT64 and 6to4 all connect to the embedded IPv4 address. */
function carriedIPv4(address: string): string[] {
  if (isIPv4(address)) return [];
  const groups = groups6(compressed6(address) ?? '::');
  return CARRIERS.filter((carrier) => contains(carrier.range, address)).map(({ group }) => {
    return dotted(groups[group], groups[group + 1]);
  });
}
