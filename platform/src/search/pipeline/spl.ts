import { PlatformError } from '../../http/reply.ts';

/** Fails a running job: splunkd checks the arguments of its own commands at run time. */
export class ArgumentError extends Error {}

/** One command of a search. */
export interface SearchPart {
  /** In lower case, since command names are case-insensitive. */
  name: string;
  /** The text after the name, as typed. */
  text: string;
  /** The arguments, unquoted. */
  args: string[];
  /** The arguments as typed. */
  rawArgs: string[];
}

function refused(text: string): PlatformError {
  return new PlatformError(400, text, 'FATAL');
}

/**
 * Splits a search at its pipes. Quotes protect pipes and blanks, a backslash protects a quote. Subsearches and macros
 * are refused, since nothing here can run them.
 */
export function parseSearch(search: string): SearchPart[] {
  const pieces = split(search, '|');
  // The leading pipe of a generating command is optional here.
  if (pieces.length > 1 && pieces[0]?.trim() === '') pieces.shift();
  return pieces.map(part);
}

function part(text: string): SearchPart {
  const [before = '', name] = /^\s*([A-Za-z][A-Za-z0-9_]*)/.exec(text) ?? [];
  const tail = text.slice(before.length);
  if (name === undefined) {
    if (text.trim() === '') throw refused("Error in 'SearchParser': The search contains an empty command.");
    throw refused(`Unknown search command '${text.trim().split(/\s/)[0]}'.`);
  }
  const rawArgs = split(tail, undefined);
  return { name: name.toLowerCase(), text: tail.trim(), args: rawArgs.map(unquoted), rawArgs };
}

/** Splits at a character, or at blanks by default, outside of quotes. */
function split(text: string, separator: string | undefined): string[] {
  const pieces: string[] = [];
  let start = 0;
  let inQuotes = false;
  const cut = (end: number) => {
    if (separator !== undefined || end > start) pieces.push(text.slice(start, end));
    start = end + 1;
  };
  for (let position = 0; position < text.length; position += 1) {
    const char = text.charAt(position);
    if (char === '\\') position += 1;
    else if (char === '"') inQuotes = !inQuotes;
    else if (inQuotes) continue;
    else if (char === separator || (separator === undefined && /\s/.test(char))) cut(position);
    else if (char === '[' || char === ']')
      throw refused("Error in 'SearchParser': Subsearches are not supported by the embedded platform.");
    else if (char === '`') throw refused("Error in 'SearchParser': Macros are not supported by the embedded platform.");
  }
  if (inQuotes) throw refused("Error in 'SearchParser': Unbalanced quotes.");
  cut(text.length);
  return pieces;
}

function unquoted(text: string): string {
  return text.replace(/\\(["\\])|"/g, (_whole, escaped: string | undefined) => escaped ?? '');
}
