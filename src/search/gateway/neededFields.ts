import type { Cell, Row } from '../rows.ts';
import { mayContain } from './grams.ts';

/** Shorter values of named fields are not masked. */
const LEAST = 3;
/** In longer texts, those of all rows, values are needed that may stand there. */
const LONG = 20_000;

/**
 * The fields of a row whose values may stand in its filled templates: the gateway masks those that policies name. Others would keep
 * equal prompts from being one.
 */
export function neededFields(row: Row, texts: readonly string[]): Readonly<Record<string, Cell>> | undefined {
  const whole = texts.map(lettersOf).join('\n');
  const isIn = whole.length > LONG ? mayContain(whole) : (letters: string) => whole.includes(letters);
  const isNeeded = (value: string | number) => String(value).length >= LEAST && isIn(lettersOf(String(value)));
  const fields = Object.entries(row).flatMap(([field, cell]): [string, Cell][] => {
    if (typeof cell !== 'object') return isNeeded(cell) ? [[field, cell]] : [];
    const values = cell.filter(isNeeded);
    return values.length > 0 ? [[field, values]] : [];
  });
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Letters and digits alone, so that a value is seen in all its spellings: escaped, encoded and in any case. */
const lettersOf = (text: string): string =>
  text
    .replace(/(?:%[0-9a-f]{2})+/gi, decoded)
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/&#?\w{1,8};/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
