import { isIPv6 } from 'node:net';
import { networkEnd, readAtom } from './atoms.ts';
import {
  AT,
  BACKSLASH,
  COLON,
  classAt,
  DIGIT,
  DOT,
  isBlank,
  isDigit,
  isHexCode,
  isNameAt,
  isWordAt,
  LETTER,
  MARK,
  SLASH,
} from './characters.ts';
import type { Sink } from './sink.ts';
import { mayBeginTime, readTime } from './times.ts';
import { endOfPath, skipBackslashes } from './windowsPaths.ts';

/** Longer runs of hexadecimal digits are no address. */
const LONGEST_ADDRESS = 49;

/**
 * Reads the shapes of a text, each character once. Pieces are what stands between blanks, quotes, brackets and the like. The end of
 * a piece and the next marks in it are kept while it is read, so the time is in proportion to the length of the text.
 */
export function scan(text: string, sink: Sink, from = 0, to = text.length): void {
  const reading: Reading = { text, sink, limit: to, marks: new Marks(text), flags: 0 };
  let index = from;
  let end = from;
  while (index < to) {
    if (classAt(text, index) === 0) {
      index += 1;
      continue;
    }
    if (end <= index) {
      let flags = 0;
      for (end = index; end < to; end += 1) {
        const kind = classAt(text, end);
        if (kind === 0) break;
        flags |= kind;
      }
      reading.flags = flags;
    }
    index = Math.max(readPiece(reading, index, end), index + 1);
  }
}

/** A text that is read, up to `limit`. */
interface Reading {
  text: string;
  sink: Sink;
  limit: number;
  marks: Marks;
  /** Classes of the characters of the piece. */
  flags: number;
}

type Mark = '://' | '@' | '\\';

/** Next places of marks, each looked for once. */
class Marks {
  readonly #text: string;
  readonly #places: Record<Mark, number> = { '://': -1, '@': -1, '\\': -1 };

  constructor(text: string) {
    this.#text = text;
  }

  next(mark: Mark, from: number): number {
    if (this.#places[mark] >= from) return this.#places[mark];
    const index = this.#text.indexOf(mark, from);
    const place = index < 0 ? Number.POSITIVE_INFINITY : index;
    this.#places[mark] = place;
    return place;
  }
}

/** @returns index at which reading goes on */
function readPiece(reading: Reading, from: number, to: number): number {
  const { text, sink, marks, flags, limit } = reading;
  if (flags === LETTER && !mayBeginTime(text, from)) {
    sink.take('word', from, to);
    return to;
  }
  let start = from;
  while (start < to && (classAt(text, start) & (DOT | COLON | MARK | AT)) !== 0 && !text.startsWith('::', start))
    start += 1;
  let end = to;
  while (end > start && isTrailing(text, end - 1)) end -= 1;
  // Both ends of an IPv6 address may be left out.
  if (text.startsWith('::', end) && end + 2 <= to) end += 2;
  if (end <= start) return to;
  if ((flags & SLASH) !== 0 && (flags & COLON) !== 0) {
    const mark = marks.next('://', start);
    if (mark > start && mark < end) return readUrl(text, sink, start, mark, limit);
  }
  if ((flags & AT) !== 0) {
    const mark = marks.next('@', start);
    const mail = mark > start && mark < end ? readMail(text, sink, start, mark, end) : undefined;
    if (mail !== undefined) return mail;
  }
  if ((flags & BACKSLASH) !== 0) {
    const mark = marks.next('\\', start);
    const path = mark < end ? readBackslashes(reading, start, mark, end) : undefined;
    if (path !== undefined) return path;
  }
  if (text.charAt(start) === '/' && hasFolder(text, start, end)) {
    sink.take('path', start, end);
    return to;
  }
  return readParts(reading, start, end, to);
}

/** Marks at the end of a piece that belong to the sentence; `$` is the end of a machine's account. */
const isTrailing = (text: string, index: number): boolean =>
  (classAt(text, index) & (DOT | COLON | MARK | AT | SLASH)) !== 0 && text.charAt(index) !== '$';

/** Whether another slash stands behind the name of a folder. */
function hasFolder(text: string, start: number, end: number): boolean {
  let index = start + 1;
  while (index < end && text.charAt(index) !== '/') index += 1;
  return index > start + 1 && index < end;
}

function readUrl(text: string, sink: Sink, start: number, mark: number, limit: number): number {
  let scheme = mark;
  while (scheme > start && isSchemeAt(text, scheme - 1)) scheme -= 1;
  while (scheme < mark && (classAt(text, scheme) & LETTER) === 0) scheme += 1;
  if (scheme > start) scan(text, sink, start, scheme);
  const end = endOfUrl(text, mark + 3, limit);
  if (scheme === mark || end === mark + 3) return mark + 3;
  sink.take('url', scheme, end);
  return end;
}

const isSchemeAt = (text: string, index: number): boolean => {
  const kind = classAt(text, index);
  return (kind & (LETTER | DIGIT)) !== 0 || text.charAt(index) === '+' || text.charAt(index) === '-';
};

/** Brackets belong to a URL where they are closed in it, and `[` only around its address. */
function endOfUrl(text: string, from: number, limit: number): number {
  let end = from;
  let depth = 0;
  if (text.charAt(from) === '[') {
    while (end < limit && end < from + LONGEST_ADDRESS && text.charAt(end) !== ']') end += 1;
    end += 1;
  }
  for (; end < limit; end += 1) {
    const kind = classAt(text, end);
    if (kind === BACKSLASH) break;
    if (kind !== 0) continue;
    const character = text.charAt(end);
    if (character === '(') depth += 1;
    else if (character === ')') {
      depth -= 1;
      if (depth < 0) break;
    } else if (isEndOfUrl(text, end, character)) break;
  }
  while (end > from && ".,;:!?*_~'(".includes(text.charAt(end - 1))) end -= 1;
  return Math.min(end, limit);
}

/** Whether a character between words ends a URL. */
function isEndOfUrl(text: string, index: number, character: string): boolean {
  const code = text.charCodeAt(index);
  if (code <= 32 || isBlank(code) || code === 0x2026 || (code >= 0x2010 && code <= 0x201f)) return true;
  return '"<>`{}|^[]\''.includes(character) || (character === ',' && text.startsWith('http', index + 1));
}

/** @param mark index of the `@` */
function readMail(text: string, sink: Sink, from: number, mark: number, to: number): number | undefined {
  let start = mark;
  while (start > from && isMailAt(text, start - 1)) start -= 1;
  while (start < mark && text.charAt(start) === '.') start += 1;
  let end = mark + 1;
  while (end < to && isNameAt(text, end)) end += 1;
  while (end > mark + 1 && !isWordAt(text, end - 1)) end -= 1;
  const isWhole = start < mark && end > mark + 1 && end - start <= LONGEST_MAIL && isWordAt(text, mark + 1);
  if (!isWhole || !text.slice(mark + 1, end).includes('.')) return undefined;
  if (start > from) scan(text, sink, from, start);
  sink.take('mail', start, end);
  return end;
}

const LONGEST_MAIL = 320;
const isMailAt = (text: string, index: number): boolean => (classAt(text, index) & (LETTER | DIGIT | DOT | MARK)) !== 0;
/** `C:\a\b`, `\\host\a`, `CORP\anna`. @param first index of the first backslash */
function readBackslashes(
  { text, sink, limit, marks }: Reading,
  start: number,
  first: number,
  end: number,
): number | undefined {
  const isDrive = first >= start + 2 && text.charAt(first - 1) === ':' && (classAt(text, first - 2) & LETTER) !== 0;
  if (isDrive && (first - 2 === start || !isWordAt(text, first - 3))) {
    if (first - 2 > start) scan(text, sink, start, first - 2);
    return readWindowsPath(text, sink, first - 2, end, limit);
  }
  const behind = skipBackslashes(text, first);
  const next = marks.next('\\', behind);
  if (first === start && behind > start + 1 && isWordAt(text, behind) && next < end) {
    return readWindowsPath(text, sink, start, end, limit);
  }
  if (first <= start || behind >= end || next < end) return undefined;
  let domain = first;
  while (domain > start && isMailAt(text, domain - 1)) domain -= 1;
  let name = behind;
  while (name < end && isMailAt(text, name)) name += 1;
  if (domain === first || name === behind) return undefined;
  if (domain > start) scan(text, sink, start, domain);
  sink.take('domainUser', domain, name);
  return name;
}

function readWindowsPath(text: string, sink: Sink, start: number, end: number, limit: number): number {
  const pathEnd = endOfPath(text, end, limit);
  sink.take('windowsPath', start, pathEnd);
  return pathEnd;
}

/** Addresses and times first, then the parts between colons and slashes. */
function readParts({ text, sink, flags }: Reading, start: number, end: number, to: number): number {
  const mayHoldAddress = (flags & COLON) !== 0;
  const isOneWord = (flags & (COLON | SLASH | BACKSLASH | AT)) === 0;
  let index = start;
  let part = start;
  let before: 'product' | 'protocol' | undefined;
  while (index < end) {
    const kind = classAt(text, index);
    const isOpen = mayHoldAddress && text.startsWith('::', index);
    if ((kind & (COLON | SLASH | BACKSLASH | AT)) !== 0 && !isOpen) {
      index += 1;
      continue;
    }
    const address = mayHoldAddress ? addressEnd(text, index, end) : index;
    if (address > index) {
      if (address - index <= LONGEST_ADDRESS && isIPv6(withoutZone(text.slice(index, address)))) {
        const length = networkEnd(text, address);
        sink.take('ipv6', index, length, address);
        index = length;
        continue;
      }
      if (isHardwareAddress(text, index, address)) return address;
    }
    const time = mayBeginTime(text, index) ? readTime(text, index) : undefined;
    if (time) {
      sink.time(index, time);
      return time.end;
    }
    // It may be left after a part of it.
    if (part <= index) part = isOneWord ? end : partEnd(text, index, end);
    const isProtocolVersion = before === 'protocol' && isDigit(text, index);
    const read = isProtocolVersion ? part : readAtom(text, sink, index, part, before === 'product');
    if (read >= end && read > part) return read;
    before = text.charAt(part) === '/' ? kindOfName(text, index, part) : undefined;
    index = Math.max(read, index + 1);
  }
  return to;
}

function partEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && (classAt(text, end) & (COLON | SLASH | BACKSLASH | AT)) === 0) end += 1;
  return end;
}

/** Index behind hexadecimal digits with two colons or more; `from` where there are fewer. */
function addressEnd(text: string, from: number, to: number): number {
  let colons = 0;
  let end = from;
  for (; end < to && end <= from + LONGEST_ADDRESS; end += 1) {
    const code = text.charCodeAt(end);
    if (code === 0x3a) colons += 1;
    else if (code !== 0x2e && !isHexCode(code)) break;
  }
  const isEnd = end >= to || text.charAt(end) === '/' || text.charAt(end) === '%';
  return colons >= 2 && isEnd ? end : from;
}

const withoutZone = (address: string): string => address.split('%')[0] ?? '';

function isHardwareAddress(text: string, from: number, to: number): boolean {
  if (to - from !== 17 && to - from !== 23) return false;
  for (let index = from + 2; index < to; index += 3) if (text.charAt(index) !== ':') return false;
  return true;
}

/** Whether the version of a product may stand behind a slash, or that of a protocol. */
function kindOfName(text: string, from: number, to: number): 'product' | 'protocol' | undefined {
  if (to - from > 40 || (classAt(text, from) & LETTER) === 0) return undefined;
  return to - from <= LONGEST_PROTOCOL && PROTOCOL.test(text.slice(from, to)) ? 'protocol' : 'product';
}

const LONGEST_PROTOCOL = 5;
const PROTOCOL = /^(?:https?|tls|ssl|ftp|smb|rtsp|sip)$/i;
