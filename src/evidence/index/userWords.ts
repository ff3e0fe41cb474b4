import { isUserField, USER_WORDS } from '../data/fields.ts';
import { COLON, classAt } from '../reading/characters.ts';

const SHORTEST = 3;
const LONGEST = 20;
const LONGEST_GAP = 4;
/** Last letters of the words in `USER_WORDS`. */
const LAST_LETTERS = 'rteson';

/** Words such as `user`, and names of fields in a text, such as `src_user=`. */
export function isUserWord(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length < SHORTEST || length > LONGEST) return false;
  const next = text.charAt(end);
  if (next === '=' || next === ':' || next === '"') return isUserField(text.slice(start, end));
  if (next !== ' ' || !LAST_LETTERS.includes(text.charAt(end - 1).toLowerCase())) return false;
  return USER_WORDS.get(text.slice(start, end).toLowerCase())?.isMany === false;
}

/** Whether only blanks, quotes and an equals sign stand between a word and the name behind it. */
export function isNameBehind(text: string, from: number, to: number): boolean {
  if (to <= from || to - from > LONGEST_GAP) return false;
  for (let index = from; index < to; index += 1) {
    if (!' =:"\'`*'.includes(text.charAt(index)) && classAt(text, index) !== COLON) return false;
  }
  return true;
}
