import { type Address, parseAddress } from '../text/addresses.ts';

/** The exceptions of a policy: exact names, suffixes of hosts and networks. */
export class NeverList {
  private readonly names: ReadonlySet<string>;
  private readonly suffixes: readonly string[];
  private readonly networks: readonly Address[];

  constructor(entries: readonly string[]) {
    const texts = entries.map((entry) => entry.trim().toLowerCase()).filter((entry) => entry !== '');
    this.suffixes = texts.filter((entry) => entry.startsWith('*.')).map((entry) => entry.slice(1));
    this.networks = texts.flatMap((entry) => parseAddress(entry) ?? []);
    this.names = new Set(texts);
  }

  /** @param plain the value without escapes */
  holds(kind: string, plain: string): boolean {
    const name = plain.toLowerCase().replace(/\.$/, '');
    if (this.names.has(name)) return true;
    if (kind === 'host') return this.suffixes.some((suffix) => name.endsWith(suffix));
    if (this.networks.length === 0) return false;
    const address = parseAddress(name);
    return address !== undefined && this.networks.some((network) => contains(network, address));
  }
}

function contains(network: Address, address: Address): boolean {
  if (network.bytes.length !== address.bytes.length || network.bits > address.bits) return false;
  for (let bit = 0; bit < network.bits; bit += 8) {
    const mask = 0xff & (0xff << Math.max(0, 8 - (network.bits - bit)));
    const [first = 0, second = 0] = [network.bytes[bit / 8], address.bytes[bit / 8]];
    if (((first ^ second) & mask) !== 0) return false;
  }
  return true;
}
