import { isIPv4, isIPv6 } from 'node:net';

/** A name of the DNS with its root dot; longer ones cannot be looked up. */
const MAX_NAME = 254;
const MAX_LABEL = 63;
/** The longest address: eight groups, the last two in dotted form, in brackets. */
const MAX_ADDRESS = 47;

const LETTERS = /^[A-Za-z0-9_-]+$/;
/** Every URL parser takes a name that ends so for an IPv4 address, whatever stands before. */
const NUMBER = /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/;

/**
 * A host as it can be reached: a name (labels of letters, digits, `-` and `_`, perhaps with the root dot), an IPv4 address or
 * an IPv6 address, which may stand in brackets. Lengths come first and each letter is looked at once, so that no text is
 * expensive. What looks like an address has to be one: `1:2`, `:::`, `127.1` and `300.1.1.1` are no hosts.
 */
export function isHost(text: string): boolean {
  if (text.length > MAX_NAME) return false;
  return text.includes(':') ? isIPv6Literal(text) : isIPv4(text) || isName(text);
}

/** Zones (`fe80::1%eth0`) mean something on one machine alone, and stand in no URL. */
function isIPv6Literal(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const plain = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return !plain.includes('%') && isIPv6(plain);
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
