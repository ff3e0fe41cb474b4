import { PlatformError } from '../../http/reply.ts';

/** A refusal in the words of splunkd's search parser. */
export function parserError(text: string): PlatformError {
  return new PlatformError(400, `Error in 'SearchParser': ${text}`, 'FATAL');
}

/** A character outside of strings, with the number of brackets that are open before it. */
export interface OpenCharacter {
  char: string;
  position: number;
  depth: number;
}

/**
 * The characters outside of strings. Double quotes make strings, a backslash escapes the next character inside and
 * outside of them. Throws splunkd's refusal for quotes and brackets without a counterpart.
 */
export function* openCharacters(text: string): Generator<OpenCharacter> {
  let depth = 0;
  let inString = false;
  for (let position = 0; position < text.length; position += 1) {
    const char = text.charAt(position);
    if (char === '\\') {
      position += 1;
      if (position >= text.length) throw parserError('The trailing escape character is invalid.');
      continue;
    }
    if (char === '"') inString = !inString;
    if (inString || char === '"') continue;
    if (char === ']') {
      if (depth === 0) throw parserError("Mismatched ']'.");
      depth -= 1;
    }
    yield { char, position, depth };
    if (char === '[') depth += 1;
  }
  if (inString) throw parserError('Unbalanced quotes.');
  if (depth > 0) throw parserError("Mismatched '['.");
}

/** A nested search in brackets. */
export interface NestedText {
  /** Positions of the bracket that opens, and after the one that closes. */
  start: number;
  end: number;
  inner: string;
}

/** The outermost nested searches of a text. */
export function bracketsOf(text: string): NestedText[] {
  const brackets: NestedText[] = [];
  let start = 0;
  for (const { char, position, depth } of openCharacters(text)) {
    if (depth > 0) continue;
    if (char === '[') start = position;
    else if (char === ']') brackets.push({ start, end: position + 1, inner: text.slice(start + 1, position) });
  }
  return brackets;
}

/** Splits at a character, or at blanks by default, outside of strings and brackets. */
export function splitOpen(text: string, separator?: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  const cut = (end: number) => {
    if (separator !== undefined || end > start) pieces.push(text.slice(start, end));
    start = end + 1;
  };
  for (const { char, position, depth } of openCharacters(text)) {
    if (depth === 0 && (separator === undefined ? /\s/.test(char) : char === separator)) cut(position);
  }
  cut(text.length);
  return pieces;
}

/** Removes the quotes around strings and the escapes of quotes and backslashes. */
export function unquoted(text: string): string {
  return text.replace(/\\(["\\])|"/g, (_whole, escaped: string | undefined) => escaped ?? '');
}
