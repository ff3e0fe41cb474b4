/** Classes of characters, as bits; 0 separates words. */
export const LETTER = 1;
export const DIGIT = 2;
export const DOT = 4;
export const COLON = 8;
export const SLASH = 16;
export const BACKSLASH = 32;
export const AT = 64;
/** The others that words, paths and numbers may hold: `_ - + % ~ $`. */
export const MARK = 128;

const SPECIAL: Readonly<Record<string, number>> = { '.': DOT, ':': COLON, '/': SLASH, '\\': BACKSLASH, '@': AT };

/** Characters beyond ASCII that are no letters: signs, punctuation, arrows, symbols, private use and wide punctuation. */
const NO_LETTERS: readonly (readonly [number, number])[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0xd7, 0xd7],
  [0xf7, 0xf7],
  [0x2000, 0x2bff],
  [0x3000, 0x303f],
  [0xfe00, 0xfe6f],
  [0xff00, 0xff0f],
  [0xff1a, 0xff20],
];

function classes(): Uint8Array {
  const table = new Uint8Array(65_536).fill(LETTER, 128);
  for (const [from, to] of NO_LETTERS) table.fill(0, from, to + 1);
  table.fill(LETTER, 65, 91).fill(LETTER, 97, 123).fill(DIGIT, 48, 58);
  for (const [character, bit] of Object.entries(SPECIAL)) table[character.charCodeAt(0)] = bit;
  for (const character of '_-+%~$') table[character.charCodeAt(0)] = MARK;
  return table;
}

const CLASSES = classes();

/** The code of the character at an index; 0 beyond the text, where charCodeAt is slow. */
const codeAt = (text: string, index: number): number =>
  index >= 0 && index < text.length ? text.charCodeAt(index) : 0;

/** The class of the character at an index; 0 beyond the text. */
export const classAt = (text: string, index: number): number => CLASSES[codeAt(text, index)] as number;

export const isDigit = (text: string, index: number): boolean => {
  const code = codeAt(text, index);
  return code >= 48 && code <= 57;
};

export const isWordAt = (text: string, index: number): boolean => (classAt(text, index) & (LETTER | DIGIT)) !== 0;

export function isHexCode(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 102) || (code >= 65 && code <= 70);
}

/** Index behind the digits that begin at `from`. */
export function endOfDigits(text: string, from: number): number {
  let end = from;
  while (isDigit(text, end)) end += 1;
  return end;
}

/** Value of at most 15 digits, 0 for none. */
export function valueOfDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let index = from; index < to; index += 1) value = value * 10 + text.charCodeAt(index) - 48;
  return value;
}

/** Blanks, also those that do not break lines or are thin. */
export const isBlank = (code: number): boolean =>
  code === 32 || code === 9 || code === 0xa0 || code === 0x2009 || code === 0x202f || code === 0x2007;

/** Whether a character may stand in the name of a host. */
export const isNameAt = (text: string, index: number): boolean =>
  isWordAt(text, index) || text.charAt(index) === '.' || text.charAt(index) === '-';
