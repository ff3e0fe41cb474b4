import { compressed6, isDotted } from './addresses.ts';

/** Maximum DNS name including the root dot. */
const MAX_NAME = 254;
const MAX_LABEL = 63;
/** The longest address: eight groups, the last two in dotted form, in brackets. */
const MAX_ADDRESS = 47;

const LETTERS = /^[A-Za-z0-9_-]+$/;
/** URL parsers treat a name with such a last label as an IPv4 address. */
const NUMBER = /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/;

/**
 * Whether a text is a DNS name, an IPv4 address or an IPv6 address (with or without brackets). Checks in linear time.
 * Malformed addresses such as `1:2`, `:::`, `127.1` and `300.1.1.1` are not hosts.
 */
export function isHost(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return text.includes(':') ? isIPv6(text) : isDotted(text) || isName(text);
}

/** Uses the URL parser, which rejects zones (`fe80::1%eth0`). */
function isIPv6(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const plain = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return compressed6(plain) !== undefined;
}

function isName(text: string): boolean {
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (name.length >= MAX_NAME) return false;
  const labels = name.split('.');
  return labels.every(isLabel) && !NUMBER.test(labels.at(-1) ?? '');
}

function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL && LETTERS.test(label) && !label.startsWith('-') && !label.endsWith('-');
}
