/** A name of the DNS with its root dot; longer ones cannot be looked up. */
const MAX_NAME = 254;
const MAX_LABEL = 63;
/** The longest address: eight groups, the last two in dotted form, in brackets. */
const MAX_ADDRESS = 47;

/** No leading zeros: some readers take those for octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
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
  return text.includes(':') ? isIPv6(text) : IPV4.test(text) || isName(text);
}

/** The URL parser decides; it takes no zones (`fe80::1%eth0`), which mean something on one machine alone. */
function isIPv6(text: string): boolean {
  if (text.length > MAX_ADDRESS) return false;
  const plain = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return /^[0-9A-Fa-f:.]+$/.test(plain) && URL.canParse(`http://[${plain}]/`);
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
