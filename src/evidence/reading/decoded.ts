import { classAt, DIGIT, isHexCode, isWordAt, LETTER } from './characters.ts';

/** A text without escapes, with the place of each of its characters in the original. */
export interface PlainText {
  text: string;
  /** Index of the first character that each stands for; undefined where nothing was replaced. */
  starts?: Int32Array;
  /** Index behind the last one. */
  ends?: Int32Array;
}

interface Replacement {
  /** Number of characters that are replaced. */
  length: number;
  by: string;
}

/** Any character that may begin an escape, or `hxx`. */
const MAY_HOLD_ESCAPES = /[%&\\[({\u00ad\u200b-\u200d\u2060\ufeff]|hxx/i;
const INVISIBLE: ReadonlySet<number> = new Set([0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]);
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', commat: '@', period: '.', colon: ':', sol: '/' },
  ...{ bsol: '\\', lowbar: '_', percnt: '%', num: '#', lpar: '(', rpar: ')', lsqb: '[', rsqb: ']', hyphen: '-' },
};
/** Spellings that keep an address from being a link. */
const DEFANGED: Readonly<Record<string, string>> = {
  ...{ '[.]': '.', '(.)': '.', '{.}': '.', '[dot]': '.', '(dot)': '.', '{dot}': '.' },
  ...{ '[@]': '@', '(@)': '@', '[at]': '@', '(at)': '@', '{at}': '@', '[:]': ':', '[://]': '://', '[/]': '/' },
};
const LONGEST_DEFANGED = 5;
const LONGEST_ENTITY = 12;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Undoes the escapes of URLs, HTML and JSON and the spellings of defanged addresses.
 * @param isMarkdown whether a backslash before a mark of Markdown is one of its escapes
 */
export function decoded(text: string, { isMarkdown = false, withPlaces = false } = {}): PlainText {
  if (!MAY_HOLD_ESCAPES.test(text)) return { text };
  const parts: string[] = [];
  const places = withPlaces
    ? { starts: new Int32Array(text.length), ends: new Int32Array(text.length), length: 0 }
    : undefined;
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    const replacement = mayBegin(text.charCodeAt(index)) ? replacementAt(text, index, isMarkdown) : undefined;
    if (replacement === undefined) {
      if (places) keepPlace(places, index, 1, 1);
      continue;
    }
    parts.push(text.slice(copied, index), replacement.by);
    if (places) keepPlace(places, index, replacement.length, replacement.by.length);
    index += replacement.length - 1;
    copied = index + 1;
  }
  if (copied === 0) return { text };
  parts.push(text.slice(copied));
  const whole = parts.join('');
  return places ? { text: whole, starts: places.starts, ends: places.ends } : { text: whole };
}

function keepPlace(
  places: { starts: Int32Array; ends: Int32Array; length: number },
  from: number,
  length: number,
  times: number,
) {
  for (let each = 0; each < times; each += 1) {
    places.starts[places.length] = from;
    places.ends[places.length] = from + length;
    places.length += 1;
  }
}

/** `h`, `H`, `%`, `&`, `(`, `[`, `\\`, `{` and the invisible ones. */
const mayBegin = (code: number): boolean =>
  code >= 0xad ||
  code === 0x68 ||
  code === 0x48 ||
  code === 0x5b ||
  code === 0x5c ||
  code === 0x7b ||
  (code >= 0x25 && code <= 0x28);

function replacementAt(text: string, index: number, isMarkdown: boolean): Replacement | undefined {
  switch (text.charCodeAt(index)) {
    case 0x25:
      return percentAt(text, index);
    case 0x26:
      return entityAt(text, index);
    case 0x5c:
      return backslashAt(text, index, isMarkdown);
    case 0x5b:
    case 0x28:
    case 0x7b:
      return defangedAt(text, index);
    case 0x68:
    case 0x48:
      return schemeAt(text, index);
    default:
      return INVISIBLE.has(text.charCodeAt(index)) ? { length: 1, by: '' } : undefined;
  }
}

/** Bytes behind percent signs. `30%40 more` stays: digits stand before it, and nothing of a word behind. */
function percentAt(text: string, index: number): Replacement | undefined {
  const bytes: number[] = [];
  let end = index;
  while (text.charCodeAt(end) === 0x25 && isHexCode(text.charCodeAt(end + 1)) && isHexCode(text.charCodeAt(end + 2))) {
    const byte = Number.parseInt(text.slice(end + 1, end + 3), 16);
    // Another character follows, unless both are parts of one.
    if (bytes.length > 0 && ((bytes[0] ?? 0) < 0x80 || (byte & 0xc0) !== 0x80)) break;
    bytes.push(byte);
    end += 3;
  }
  if (bytes.length === 0) return undefined;
  if (classAt(text, index - 1) === DIGIT && !isWordAt(text, end)) return undefined;
  try {
    return { length: end - index, by: visible(UTF8.decode(Uint8Array.from(bytes))) };
  } catch {
    return undefined;
  }
}

function entityAt(text: string, index: number): Replacement | undefined {
  const length = text.slice(index, index + LONGEST_ENTITY).indexOf(';');
  if (length < 0) return undefined;
  const end = index + length;
  const name = text.slice(index + 1, end);
  const by = name.startsWith('#') ? characterOf(name.slice(1)) : ENTITIES[name];
  return by === undefined ? undefined : { length: end + 1 - index, by };
}

function characterOf(digits: string): string | undefined {
  const code = /^[xX][0-9a-fA-F]+$/.test(digits)
    ? Number.parseInt(digits.slice(1), 16)
    : /^\d+$/.test(digits)
      ? Number(digits)
      : Number.NaN;
  return code > 0 && code <= 0x10ffff ? visible(String.fromCodePoint(code)) : undefined;
}

/** `\u0026` and `\/` of JSON. Letters and digits stay, since `CORP\u1234` may be a user. */
function backslashAt(text: string, index: number, isMarkdown: boolean): Replacement | undefined {
  const next = text.charAt(index + 1);
  if (next === 'u') {
    const hex = text.slice(index + 2, index + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) return undefined;
    const code = Number.parseInt(hex, 16);
    const isLikely = code < 0x600 || (code >= 0x2000 && code < 0x2100) || (code >= 0xd800 && code < 0xe000);
    return isLikely ? { length: 6, by: visible(String.fromCharCode(code)) } : undefined;
  }
  if (next === '/' || next === '"') return { length: 2, by: next };
  return isMarkdown && next !== '' && '_*`[]#|~<>'.includes(next) ? { length: 2, by: next } : undefined;
}

function defangedAt(text: string, index: number): Replacement | undefined {
  const close = '])}'['[({'.indexOf(text.charAt(index))] ?? '';
  for (let length = 3; length <= LONGEST_DEFANGED; length += 1) {
    if (text.charAt(index + length - 1) !== close) continue;
    const by = DEFANGED[text.slice(index, index + length).toLowerCase()];
    return by === undefined ? undefined : { length, by };
  }
  return undefined;
}

/** `hxxp` and `hxxps`. */
function schemeAt(text: string, index: number): Replacement | undefined {
  if ((text.charCodeAt(index + 1) | 32) !== 0x78) return undefined;
  if ((classAt(text, index - 1) & (LETTER | DIGIT)) !== 0) return undefined;
  const word = text.slice(index, index + 5).toLowerCase();
  if (!word.startsWith('hxxp')) return undefined;
  return word === 'hxxps' ? { length: 5, by: 'https' } : { length: 4, by: 'http' };
}

/** Control characters separate words. */
const visible = (character: string): string => (character < ' ' ? ' ' : character);
