import { createHmac, type KeyObject } from 'node:crypto';

/** Small letters and digits that are not taken for each other; codes begin with a letter, so that no rule for numbers sees them. */
const LETTERS = 'abcdefghjkmnpqrstvwxyz';
const CHARACTERS = `${LETTERS}23456789`;
/** 22 × 30^9 codes: 48 bits. */
export const CODE_LENGTH = 10;
/** Codes grow by a character where two values of a request have the same. */
export const LONGEST_CODE = CODE_LENGTH + 2;

/**
 * The code of a value under a key. The same value has the same code, and without the key nobody can try values.
 * Each holds a digit: `user-management` is a word.
 */
export function codeOf(key: KeyObject, group: string, canonical: string, length = CODE_LENGTH): string {
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHmac('sha256', key).update(`${attempt}\0${group}\0${canonical}`).digest();
    const code = written(digest, length);
    if (/\d/.test(code.slice(0, CODE_LENGTH))) return code;
  }
}

function written(digest: Buffer, length: number): string {
  let code = '';
  while (code.length < length) {
    const characters = code === '' ? LETTERS : CHARACTERS;
    code += characters.charAt(digest.readUInt16BE(code.length * 2) % characters.length);
  }
  return code;
}

/** Whether a word in small letters has the form of a code. */
export function isCodeForm(word: string): boolean {
  if (word.length < CODE_LENGTH || word.length > LONGEST_CODE || !LETTERS.includes(word.charAt(0))) return false;
  return /\d/.test(word) && [...word].every((character) => CHARACTERS.includes(character));
}
