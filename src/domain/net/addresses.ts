/** No leading zeros, which some parsers read as octal. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** Whether a text is four decimal parts. */
export const isDotted = (text: string): boolean => IPV4.test(text);

const FORM = /^[0-9A-Fa-f:.]{2,45}$/;

/**
 * The spelling of RFC 5952 with hexadecimal groups alone, as the URL parser writes it.
 * @returns undefined where a text is no IPv6 address, or has a zone
 */
export function compressed6(text: string): string | undefined {
  const url = `http://[${text}]/`;
  return FORM.test(text) && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : undefined;
}

/** The eight numbers of 16 bits of an address in this spelling. */
export function groups6(compressed: string): number[] {
  const [head = [], tail = []] = compressed.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const gap = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...gap, ...tail].map((group) => Number.parseInt(group, 16));
}

/** The IPv4 address in two such numbers. */
export const dotted = (high = 0, low = 0): string => `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
