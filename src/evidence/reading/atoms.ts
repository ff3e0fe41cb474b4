import { domainToASCII } from 'node:url';
import { FILE_ENDINGS, PRODUCTS, SUFFIXES } from '../../domain/values/suffixes.ts';
import {
  classAt,
  DIGIT,
  DOT,
  endOfDigits,
  isDigit,
  isHexCode,
  isWordAt,
  LETTER,
  MARK,
  valueOfDigits,
} from './characters.ts';
import { readNumber } from './numbers.ts';
import type { Sink } from './sink.ts';

const HASH_LENGTHS: ReadonlySet<number> = new Set([32, 40, 56, 64, 96, 128]);
const LONGEST_HASH = 128;
const LONGEST_NAME = 253;
const LEAST_SHORT_HASH = 6;
/** Endings that are country codes as well: names of three labels and more are hosts. */
const HOST_TOO: ReadonlySet<string> = new Set(['sh', 'py', 'rs', 'md', 'so']);

/**
 * Reads what stands between two separators.
 * @param mayBeVersion whether it stands behind the name of a product and a slash
 * @returns index at which reading goes on
 */
export function readAtom(text: string, sink: Sink, from: number, to: number, mayBeVersion: boolean): number {
  let start = from;
  while (start < to && (classAt(text, start) & (DOT | MARK)) !== 0) start += 1;
  const hash = shortHashEnd(text, start);
  if (hash > start) {
    sink.take('shortHash', start, hash);
    return hash;
  }
  let end = to;
  while (end > start && (classAt(text, end - 1) & (DOT | MARK)) !== 0 && text.charAt(end - 1) !== '$') end -= 1;
  if (end <= start) return to;
  if (isDigit(text, start)) return digitAtom(text, sink, start, end, to, mayBeVersion);
  nameAtom(text, sink, start, end);
  return to;
}

function digitAtom(text: string, sink: Sink, start: number, end: number, to: number, mayBeVersion: boolean): number {
  if (isHash(text, start, end)) {
    sink.take('hash', start, end);
    return to;
  }
  const dots = dotsOf(text, start, end);
  if (dots.octets === 4 && dots.isAddress && isAddressEnd(text, dots.end)) {
    const network = networkEnd(text, dots.end);
    sink.take('ipv4', start, network, dots.end);
    return network;
  }
  if (dots.octets >= 3 && dots.end === end && !isThousands(text, start, end)) {
    sink.take('version', start, end);
    return to;
  }
  const number = readNumber(text, start);
  if (number && mayBeVersion && dots.octets === 2 && dots.end === end) {
    sink.take('version', start, end);
    return to;
  }
  if (number) return sink.number(start, number);
  nameAtom(text, sink, start, end);
  return to;
}

/** Groups of digits between dots from the start of an atom. */
function dotsOf(text: string, start: number, end: number): { octets: number; isAddress: boolean; end: number } {
  let octets = 0;
  let isAddress = true;
  let index = start;
  for (;;) {
    const next = endOfDigits(text, index);
    if (next === index || next > end) return { octets, isAddress, end: index > start ? index - 1 : index };
    octets += 1;
    isAddress &&=
      next - index <= 3 &&
      valueOfDigits(text, index, next) <= 255 &&
      (next - index === 1 || text.charAt(index) !== '0');
    if (text.charAt(next) !== '.' || !isDigit(text, next + 1)) return { octets, isAddress, end: next };
    index = next + 1;
  }
}

/** No word goes on behind an address, but another address may. */
function isAddressEnd(text: string, end: number): boolean {
  if (isWordAt(text, end) || text.charAt(end) === '_') return false;
  return text.charAt(end) !== '-' || !isWordAt(text, end + 1) || dotsOf(text, end + 1, text.length).octets === 4;
}

/** Index behind the length of a network, as in `192.0.2.0/24`. */
export function networkEnd(text: string, end: number): number {
  if (text.charAt(end) !== '/') return end;
  let index = end + 1;
  while (index < end + 4 && (classAt(text, index) & DIGIT) !== 0) index += 1;
  return index > end + 1 && !isWordAt(text, index) && text.charAt(index) !== '/' ? index : end;
}

/** `1.234.567` is a number. */
function isThousands(text: string, start: number, end: number): boolean {
  const first = endOfDigits(text, start);
  if (first - start > 3 || text.charAt(start) === '0' || (end - first) % 4 !== 0) return false;
  for (let dot = first; dot < end; dot += 4) {
    if (text.charAt(dot) !== '.' || endOfDigits(text, dot + 1) !== dot + 4) return false;
  }
  return true;
}

function holdsDot(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (text.charCodeAt(index) === 0x2e) return true;
  return false;
}

function nameAtom(text: string, sink: Sink, start: number, end: number): void {
  if (end - start <= LONGEST_HASH && isHash(text, start, end)) {
    sink.take('hash', start, end);
    return;
  }
  const id = idOf(text, start, end);
  if (id) {
    sink.take(id, start, end);
    return;
  }
  if (end - start > LONGEST_NAME || !holdsDot(text, start, end)) {
    sink.take('word', start, end);
    return;
  }
  if ((text.charAt(start) === 'v' || text.charAt(start) === 'V') && isDigit(text, start + 1)) {
    const dots = dotsOf(text, start + 1, end);
    if (dots.octets >= 2 && dots.end === end) {
      sink.take('version', start + 1, end);
      return;
    }
  }
  const name = text.slice(start, end);
  const lower = name.toLowerCase();
  if (PRODUCTS.has(lower)) return;
  const ending = lower.slice(lower.lastIndexOf('.') + 1);
  const isFile = FILE_ENDINGS.has(ending) && !(HOST_TOO.has(ending) && lower.split('.').length > 2);
  if (isFile) {
    sink.take('file', start, end);
    return;
  }
  sink.take(isHostName(name, ending) ? 'host' : 'word', start, end);
}

const NO_HOST = /^[-.]|\.[.-]|-\.|[+%~$]/;

/** Names of labels, of which the last is a suffix. `found.In` is the end of a sentence without a blank. */
function isHostName(name: string, ending: string): boolean {
  if (!SUFFIXES.has(ending) && !ending.startsWith('xn--')) return false;
  if (NO_HOST.test(name)) return false;
  const last = name.slice(name.length - ending.length);
  if (last === ending || !/^[A-Z][a-z]+$/.test(last)) return true;
  const before = name.slice(name.lastIndexOf('.', name.length - ending.length - 2) + 1);
  return !/^[a-z]/.test(before);
}

/** One spelling of a host: small letters, without a final dot, as punycode. */
export function hostKey(name: string): string {
  const lower = name.toLowerCase();
  for (let index = 0; index < lower.length; index += 1) {
    if (lower.charCodeAt(index) > 127) return domainToASCII(lower) || lower;
  }
  return lower;
}

function isHash(text: string, start: number, end: number): boolean {
  if (!HASH_LENGTHS.has(end - start)) return false;
  for (let index = start; index < end; index += 1) if (!isHexCode(text.charCodeAt(index))) return false;
  return true;
}

/** Index behind `9f86d081…0a08`; `start` where there is none. */
function shortHashEnd(text: string, start: number): number {
  let index = start;
  let letters = 0;
  while (index < start + LONGEST_HASH && isHexCode(text.charCodeAt(index))) {
    if ((classAt(text, index) & LETTER) !== 0) letters += 1;
    index += 1;
  }
  const length = index - start;
  if (length < LEAST_SHORT_HASH || letters === length || (letters === 0 && length < 8)) return start;
  const dots = text.charAt(index) === '\u2026' ? 1 : text.startsWith('...', index) ? 3 : 0;
  if (dots === 0) return start;
  let end = index + dots;
  while (end < index + LONGEST_HASH && isHexCode(text.charCodeAt(end))) end += 1;
  if (isWordAt(text, end)) return start;
  // Without an end it is a hash only where it is surely none of the numbers.
  return end > index + dots || letters > 0 ? end : start;
}

/** `CVE-2024-3400`, `T1110.003`, `TA0006`, `G0016`. */
function idOf(text: string, start: number, end: number): 'cve' | 'attack' | undefined {
  const length = end - start;
  if (length < 5 || length > 24) return undefined;
  const first = text.charAt(start);
  if (!'CcTtGgSsMmDd'.includes(first)) return undefined;
  if (
    (first === 'C' || first === 'c') &&
    (text.charCodeAt(start + 1) | 32) === 0x76 &&
    /^cve-\d{4}-\d{4,12}$/i.test(text.slice(start, end))
  )
    return 'cve';
  const digits = isDigit(text, start + 1) || isDigit(text, start + 2);
  if (!digits) return undefined;
  return /^(?:t\d{4}(?:\.\d{3})?|ta\d{4}|[gsmc]\d{4}|ds\d{4})$/i.test(text.slice(start, end)) ? 'attack' : undefined;
}

/** Whether a part of a text holds a letter, and a digit or a hyphen. */
export function isLikeHost(text: string, start: number, end: number): boolean {
  if (end - start > 63) return false;
  let hasLetter = false;
  let hasMark = false;
  for (let index = start; index < end; index += 1) {
    const kind = classAt(text, index);
    if ((kind & LETTER) !== 0) hasLetter = true;
    else if ((kind & DIGIT) !== 0 || text.charAt(index) === '-') hasMark = true;
    else return false;
  }
  return hasLetter && hasMark;
}
