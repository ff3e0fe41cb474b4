/**
 * Tokens of SPL. Whether splunkd lets single quotes quote, and a backslash escape outside of strings, differs between commands,
 * so the guard reads each text in three ways.
 */
export interface Reading {
  name: 'usual' | 'single quotes' | 'plain backslashes';
  /** Whether single quotes hide what is between them, as double quotes do. */
  singleQuotes: boolean;
  /** Whether a backslash outside of strings escapes the next character. */
  escapes: boolean;
}

export const USUAL: Reading = { name: 'usual', singleQuotes: false, escapes: true };
export const OTHER_READINGS: readonly Reading[] = [
  { name: 'single quotes', singleQuotes: true, escapes: true },
  { name: 'plain backslashes', singleQuotes: false, escapes: false },
];

export type TokenKind = 'word' | 'operator' | 'string' | 'bar' | 'open' | 'close' | 'macro' | 'comment';

/** A piece of the text; strings, macro calls and comments with their marks. */
export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
}

/** A place where a text cannot be read. */
export interface LexicalFault {
  position: number;
  message: string;
}

const BLANKS = ' \t\r\n';
const SINGLES: Readonly<Record<string, TokenKind>> = { '|': 'bar', '[': 'open', ']': 'close' };
const OPERATORS = '()=<>,';
const COMMENT = '```';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Tokens of a text in one reading, or the first place that cannot be read. Takes time proportional to the text. */
export function lex(text: string, reading: Reading): Token[] | LexicalFault {
  const control = CONTROL.exec(text);
  if (control) return { position: control.index, message: 'The search has a control character' };
  const tokens: Token[] = [];
  let position = 0;
  while (position < text.length) {
    const character = text.charAt(position);
    if (BLANKS.includes(character)) {
      position += 1;
      continue;
    }
    const token = tokenAt(text, position, character, reading);
    if ('message' in token) return token;
    tokens.push(token);
    position = token.end;
  }
  return tokens;
}

function tokenAt(text: string, start: number, character: string, reading: Reading): Token | LexicalFault {
  const single = SINGLES[character];
  if (single) return { kind: single, start, end: start + 1 };
  if (character === '"' || (character === "'" && reading.singleQuotes)) return stringAt(text, start, character);
  if (character === '`') return tickedAt(text, start);
  if (OPERATORS.includes(character)) return { kind: 'operator', start, end: operatorEnd(text, start) };
  if (character === '!' && text.charAt(start + 1) === '=') return { kind: 'operator', start, end: start + 2 };
  return { kind: 'word', start, end: wordEnd(text, start, reading) };
}

function stringAt(text: string, start: number, quote: string): Token | LexicalFault {
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\\') index += 1;
    else if (character === quote) return { kind: 'string', start, end: index + 1 };
  }
  return { position: start, message: 'A quote is not closed' };
}

function tickedAt(text: string, start: number): Token | LexicalFault {
  const isComment = text.startsWith(COMMENT, start);
  const mark = isComment ? COMMENT : '`';
  const close = text.indexOf(mark, start + mark.length);
  if (close < 0)
    return { position: start, message: isComment ? 'A comment is not closed' : 'A backtick is not closed' };
  return { kind: isComment ? 'comment' : 'macro', start, end: close + mark.length };
}

const operatorEnd = (text: string, start: number): number =>
  /^[<>=]=/.test(text.slice(start, start + 2)) ? start + 2 : start + 1;

function wordEnd(text: string, start: number, reading: Reading): number {
  let index = start;
  while (index < text.length) {
    const character = text.charAt(index);
    if (character === '\\' && reading.escapes) index += 2;
    else if (endsWord(text, index, character, reading)) break;
    else index += 1;
  }
  return Math.min(index, text.length);
}

function endsWord(text: string, index: number, character: string, reading: Reading): boolean {
  if (BLANKS.includes(character) || character in SINGLES || OPERATORS.includes(character)) return true;
  if (character === '"' || character === '`') return true;
  if (character === "'") return reading.singleQuotes;
  return character === '!' && text.charAt(index + 1) === '=';
}

export const isBlank = (character: string): boolean => character !== '' && BLANKS.includes(character);

/** The text without blanks at its ends; other white space of Unicode stays, for splunkd takes it for a part of a word. */
export const trimBlanks = (text: string): string =>
  text.replace(/^[ \t\r\n]+/, '').replace(/(?<![ \t\r\n])[ \t\r\n]+$/, '');
