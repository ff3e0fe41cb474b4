/** Letters as ranges for classes of regular expressions, without those of scripts that write no blanks. */
export const LETTERS =
  'A-Za-z\\u00aa\\u00b5\\u00ba\\u00c0-\\u00d6\\u00d8-\\u00f6\\u00f8-\\u0e00\\u0e60-\\u0e7f\\u0f00-\\u10ff\\u1200-\\u1fff\\u2c00-\\u2dff\\ua000-\\ua95f\\uff21-\\uff3a\\uff41-\\uff5a';

const WORDS = wordTable();

function wordTable(): Uint8Array {
  const pattern = new RegExp(`[${LETTERS}0-9_]`);
  return Uint8Array.from({ length: 65_536 }, (_, code) => (pattern.test(String.fromCharCode(code)) ? 1 : 0));
}

/** Whether a value goes on at an index: letters, digits and `_` are no boundary. */
export const isWordAt = (text: string, index: number): boolean =>
  index >= 0 && index < text.length && WORDS[text.charCodeAt(index)] === 1;

/** The text without some characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

export function holdsWord(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (isWordAt(text, index)) return true;
  return false;
}
