import { escapesAt, type Replacement } from './backslashes.ts';

/** A text without escapes, with the place of each of its characters in the original. */
export interface View {
  text: string;
  /** Index of the first character of the original that each stands for; undefined where nothing was replaced. */
  starts?: Int32Array;
  /** Index behind the last one. */
  ends?: Int32Array;
}

/** Place in the original of a part of a view. */
export const originOf = ({ starts, ends }: View, start: number, end: number): { start: number; end: number } => ({
  start: starts?.[start] ?? start,
  end: end > start ? (ends?.[end - 1] ?? end) : (starts?.[start] ?? start),
});

/** Escapes of an escape, as `%2540`. */
const MOST_ROUNDS = 3;
const MAY_HOLD_ESCAPES = /[%&\\[({\u00ad\u200b-\u200d\u2060\ufeff]|hxx/i;
const MAY_HOLD_MORE = /%[0-9a-fA-F]{2}|&(?:#|[a-z]{2,8};)/;
const INVISIBLE: ReadonlySet<number> = new Set([0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff]);
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', commat: '@', period: '.', colon: ':', sol: '/' },
  ...{ bsol: '\\', lowbar: '_', percnt: '%', num: '#', hyphen: '-' },
};
/** Spellings that keep an address from being a link. */
const DEFANGED: Readonly<Record<string, string>> = {
  ...{ '[.]': '.', '(.)': '.', '{.}': '.', '[dot]': '.', '(dot)': '.', '{dot}': '.' },
  ...{ '[@]': '@', '(@)': '@', '[at]': '@', '(at)': '@', '{at}': '@', '[:]': ':', '[://]': '://', '[/]': '/' },
};
const LONGEST_DEFANGED = 5;
const LONGEST_ENTITY = 12;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Undoes the escapes of JSON, URLs and HTML and the spellings of defanged addresses. Takes time linear in the text. */
export function viewOf(text: string): View {
  if (!MAY_HOLD_ESCAPES.test(text)) return { text };
  let view = decoded(text, text.includes('\\') ? escapesAt(text) : undefined);
  for (let round = 1; round < MOST_ROUNDS && MAY_HOLD_MORE.test(view.text); round += 1) {
    const next = decoded(view.text, undefined);
    if (next.starts === undefined) break;
    view = composed(view, next);
  }
  return view;
}

function composed(first: View, second: View): View {
  const length = second.text.length;
  const starts = new Int32Array(length);
  const ends = new Int32Array(length);
  for (let index = 0; index < length; index += 1) {
    const origin = originOf(first, second.starts?.[index] ?? index, second.ends?.[index] ?? index + 1);
    starts[index] = origin.start;
    ends[index] = origin.end;
  }
  return { text: second.text, starts, ends };
}

function decoded(text: string, escapes: ((index: number) => Replacement | undefined) | undefined): View {
  const parts: string[] = [];
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let length = 0;
  let copied = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const replacement = code === 0x5c ? escapes?.(index) : mayBegin(code) ? replacementAt(text, index) : undefined;
    const size = replacement?.length ?? 1;
    for (let times = replacement?.by.length ?? 1; times > 0; times -= 1) {
      starts[length] = index;
      ends[length] = index + size;
      length += 1;
    }
    if (replacement === undefined) continue;
    parts.push(text.slice(copied, index), replacement.by);
    index += size - 1;
    copied = index + 1;
  }
  if (copied === 0) return { text };
  parts.push(text.slice(copied));
  return { text: parts.join(''), starts, ends };
}

/** `h`, `H`, `%`, `&`, `(`, `[`, `{` and the invisible ones. */
const mayBegin = (code: number): boolean =>
  code >= 0xad || code === 0x68 || code === 0x48 || code === 0x5b || code === 0x7b || (code >= 0x25 && code <= 0x28);

function replacementAt(text: string, index: number): Replacement | undefined {
  switch (text.charCodeAt(index)) {
    case 0x25:
      return percentAt(text, index);
    case 0x26:
      return entityAt(text, index);
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

/** The bytes of one character behind percent signs. */
function percentAt(text: string, index: number): Replacement | undefined {
  const bytes: number[] = [];
  let end = index;
  for (; bytes.length < 4; end += 3) {
    const byte = text.charCodeAt(end) === 0x25 ? hexByte(text, end + 1) : undefined;
    // Another character follows, unless both are parts of one.
    if (byte === undefined || (bytes.length > 0 && ((bytes[0] ?? 0) < 0x80 || (byte & 0xc0) !== 0x80))) break;
    bytes.push(byte);
  }
  if (bytes.length === 0) return undefined;
  try {
    return { length: end - index, by: UTF8.decode(Uint8Array.from(bytes)) };
  } catch {
    return undefined;
  }
}

function hexByte(text: string, index: number): number | undefined {
  const [high, low] = [hexDigit(text.charCodeAt(index)), hexDigit(text.charCodeAt(index + 1))];
  return high < 0 || low < 0 ? undefined : high * 16 + low;
}

function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const small = code | 32;
  return small >= 97 && small <= 102 ? small - 87 : -1;
}

function entityAt(text: string, index: number): Replacement | undefined {
  const length = text.slice(index, index + LONGEST_ENTITY).indexOf(';');
  if (length < 2) return undefined;
  const name = text.slice(index + 1, index + length);
  const by = name.startsWith('#')
    ? characterOf(name.slice(1))
    : Object.hasOwn(ENTITIES, name)
      ? ENTITIES[name]
      : undefined;
  return by === undefined ? undefined : { length: length + 1, by };
}

function characterOf(digits: string): string | undefined {
  const code = /^[xX][0-9a-fA-F]+$/.test(digits)
    ? Number.parseInt(digits.slice(1), 16)
    : /^\d+$/.test(digits)
      ? Number(digits)
      : 0;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

function defangedAt(text: string, index: number): Replacement | undefined {
  const close = '])}'['[({'.indexOf(text.charAt(index))] ?? '';
  for (let length = 3; length <= LONGEST_DEFANGED; length += 1) {
    if (text.charAt(index + length - 1) !== close) continue;
    const name = text.slice(index, index + length).toLowerCase();
    return Object.hasOwn(DEFANGED, name) ? { length, by: DEFANGED[name] ?? '' } : undefined;
  }
  return undefined;
}

/** `hxxp` and `hxxps`. */
function schemeAt(text: string, index: number): Replacement | undefined {
  if ((text.charCodeAt(index + 1) | 32) !== 0x78 || /\w/.test(text.charAt(index - 1))) return undefined;
  const word = text.slice(index, index + 5).toLowerCase();
  if (!word.startsWith('hxxp')) return undefined;
  return word === 'hxxps' ? { length: 5, by: 'https' } : { length: 4, by: 'http' };
}
