import { PlatformError } from '../../http/reply.ts';
import { bracketsOf, parserError, splitOpen, unquoted } from '../language/scan.ts';

/** Fails a running job: splunkd checks the arguments of its own commands at run time. */
export class ArgumentError extends Error {}

/** One command of a search. */
export interface SearchPart {
  /** In lower case, since command names are case-insensitive. */
  name: string;
  /** The text after the name, as typed. */
  text: string;
  /** The arguments, unquoted. A nested search in brackets is one argument with what touches it. */
  args: string[];
  /** The arguments as typed. */
  rawArgs: string[];
}

/** `max_subsearch_depth` of limits.conf. */
const MOST_NESTED = 8;

/**
 * Splits a search without macros and comments at its pipes, and checks the searches nested in brackets in the same way.
 * Quotes protect pipes and blanks, a backslash protects a quote.
 */
export function parseSearch(search: string): SearchPart[] {
  return parse(search, search, 0);
}

function parse(text: string, query: string, nested: number): SearchPart[] {
  if (nested > MOST_NESTED)
    throw parserError(
      `Cannot run this search as it contains too many nested subsearches. Maximum nested subsearches allowed: ${MOST_NESTED}.`,
    );
  const pieces = splitOpen(text, '|');
  let position = 0;
  // The leading pipe of a generating command is optional here.
  if (pieces.length > 1 && pieces[0]?.trim() === '') position = (pieces.shift() ?? '').length + 1;
  return pieces.map((piece, index) => {
    const end = position + piece.length;
    if (piece.trim() === '') {
      // The end of the text is written as a circumflex.
      const before = index < pieces.length - 1 ? '|' : nested > 0 ? ']' : '^';
      throw parserError(
        `Missing a search command before '${before}'. Error at position '${end}' of search query '${query}'.`,
      );
    }
    if (piece.trimStart().startsWith('[')) {
      const start = position + piece.indexOf('[');
      throw parserError(
        `Subsearches are only valid as arguments to commands. Error at position '${start}' of search query '${query}'.`,
      );
    }
    position = end + 1;
    const parsed = part(piece);
    for (const { inner } of bracketsOf(parsed.text)) parse(inner, query, nested + 1);
    return parsed;
  });
}

/** The commands of a nested search, with or without its leading pipe. */
export function parseNested(inner: string): SearchPart[] {
  return parse(inner, inner, 1);
}

function part(text: string): SearchPart {
  const [before = '', name] = /^\s*([A-Za-z_][\w-]*)/.exec(text) ?? [];
  if (name === undefined)
    throw new PlatformError(400, `Unknown search command '${text.trim().split(/\s/)[0]}'.`, 'FATAL');
  return partOf(name, text.slice(before.length));
}

/** A command with other arguments. */
export function partOf(name: string, text: string): SearchPart {
  const rawArgs = splitOpen(text);
  return { name: name.toLowerCase(), text: text.trim(), args: rawArgs.map(unquoted), rawArgs };
}
