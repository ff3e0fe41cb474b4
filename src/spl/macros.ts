import type { GuardFault, Macro } from './kinds.ts';
import { lex, type Token, USUAL } from './lexer.ts';

/** Levels of macros within macros. */
const MAX_DEPTH = 10;
/** Characters that are read in all while macros are expanded, so that macros that call each other many times end. */
const MAX_EXPANDED = 200_000;
const MAX_LENGTH = 100_000;

const NAME = /^[\w.:@-]{1,256}$/;
/** Characters that a message shows of a call that cannot be read. */
const MAX_SHOWN = 100;
const NAMED_ARGUMENT = /^([\w-]+)\s*=\s*/;
/** Characters by which an argument could end a string or a subsearch of the definition. */
const BREAKING = /["\\[\]`]/;
const PLACEHOLDER = /\$([\w-]+)\$/g;

/** A text whose macro calls are replaced and whose comments are blanks. */
export interface ExpandedText {
  text: string;
  /** Offset in the caller's text of an offset in this text: that of the call, for text of a macro. */
  originOf(offset: number): number;
  /** The first argument of a macro that has a bar, and so could add a stage to the definition. */
  barArgument: GuardFault | undefined;
}

type Find = (name: string, args: number) => Macro | null;

/** Expands the macros of a text, or says why this is not possible. */
export function expand(text: string, find: Find): ExpandedText | GuardFault {
  if (text.length > MAX_LENGTH) return fault('syntax', 0, `The search is longer than ${MAX_LENGTH} characters`);
  const tokens = lex(text, USUAL);
  if (!Array.isArray(tokens)) return fault('syntax', tokens.position, tokens.message);
  const expansion = new Expansion(find);
  const pieces: Piece[] = [];
  let length = 0;
  let position = 0;
  const add = (part: string, origin: number, isCall: boolean): void => {
    if (part !== '') pieces.push({ part, start: length, origin, isCall });
    length += part.length;
  };
  for (const token of tokens) {
    if (token.kind !== 'macro' && token.kind !== 'comment') continue;
    add(text.slice(position, token.start), position, false);
    const part = token.kind === 'comment' ? ' ' : expansion.ofCall(text, token, 1, token.start);
    if (typeof part !== 'string') return part;
    add(part, token.start, true);
    position = token.end;
  }
  add(text.slice(position), position, false);
  return {
    text: pieces.map(({ part }) => part).join(''),
    originOf: (offset) => originIn(pieces, offset),
    barArgument: expansion.barArgument,
  };
}

interface Piece {
  part: string;
  start: number;
  origin: number;
  isCall: boolean;
}

function originIn(pieces: readonly Piece[], offset: number): number {
  const piece = pieces.findLast(({ start }) => start <= offset);
  if (!piece) return 0;
  return piece.isCall ? piece.origin : piece.origin + offset - piece.start;
}

class Expansion {
  barArgument: GuardFault | undefined;
  #read = 0;
  readonly #find: Find;

  constructor(find: Find) {
    this.#find = find;
  }

  /** Text of a macro call; faults have the position of the outermost call. */
  ofCall(text: string, token: Token, depth: number, position: number): string | GuardFault {
    const written = text.slice(token.start + 1, token.end - 1);
    const call = readCall(written);
    if (!call)
      return fault(
        'macro_unknown',
        position,
        `\`${written.slice(0, MAX_SHOWN)}\` is no call of a macro; write it as \`name(argument)\``,
      );
    const { name, values } = call;
    if (depth > MAX_DEPTH) {
      return fault(
        'macro_depth',
        position,
        `Macro ${name} is more than ${MAX_DEPTH} macros deep; use the search itself`,
      );
    }
    const macro = this.#find(name, values.length);
    if (!macro) {
      const title = values.length > 0 ? `${name}(${values.length})` : name;
      return fault(
        'macro_unknown',
        position,
        `Macro ${title} does not exist or may not be read; use the search itself`,
      );
    }
    if (macro.isEval) {
      return fault(
        'macro_eval',
        position,
        `Macro ${name} computes its text; only macros with a fixed text are allowed`,
      );
    }
    const bound = bind(call, macro);
    if (typeof bound === 'string') return fault('macro_argument', position, `Macro ${name}: ${bound}`);
    if ([...bound.values()].some((value) => value.includes('|'))) {
      this.barArgument ??= fault('macro_argument', position, `Macro ${name}: an argument must not contain a bar`);
    }
    const definition = substitute(macro.definition, bound);
    if (definition === undefined) return tooLong(position, name);
    return this.#ofDefinition(name, definition, depth, position);
  }

  #ofDefinition(name: string, definition: string, depth: number, position: number): string | GuardFault {
    this.#read += definition.length + 1;
    if (this.#read > MAX_EXPANDED) return tooLong(position, name);
    const tokens = lex(definition, USUAL);
    if (!Array.isArray(tokens) || !isBalanced(tokens)) {
      const message = `Macro ${name} has quotes or brackets that it does not close; each must be closed in the macro itself`;
      return fault('macro_unbalanced', position, message);
    }
    const parts: string[] = [];
    let end = 0;
    for (const token of tokens) {
      if (token.kind !== 'macro' && token.kind !== 'comment') continue;
      const part = token.kind === 'comment' ? ' ' : this.ofCall(definition, token, depth + 1, position);
      if (typeof part !== 'string') return part;
      parts.push(definition.slice(end, token.start), part);
      end = token.end;
    }
    return [...parts, definition.slice(end)].join('');
  }
}

const fault = (reason: GuardFault['reason'], position: number, message: string): GuardFault => ({
  reason,
  command: null,
  position,
  message,
});

const tooLong = (position: number, name: string): GuardFault =>
  fault('macro_depth', position, `Macro ${name} expands the search beyond ${MAX_EXPANDED} characters`);

interface WrittenCall {
  name: string;
  values: string[];
}

/** Reads `name` or `name(a, "b")`; undefined if it is neither. */
function readCall(written: string): WrittenCall | undefined {
  const open = written.indexOf('(');
  const name = (open < 0 ? written : written.slice(0, open)).trim();
  if (!NAME.test(name)) return undefined;
  if (open < 0) return { name, values: [] };
  const inside = written.trimEnd();
  if (!inside.endsWith(')')) return undefined;
  const list = inside.slice(open + 1, -1);
  return { name, values: list.trim() === '' ? [] : splitValues(list) };
}

function splitValues(list: string): string[] {
  const values: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let index = 0; index < list.length; index++) {
    const character = list.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ',' && !isQuoted) {
      values.push(list.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...values, list.slice(start).trim()];
}

/** Values of a macro's arguments by their names, or what is wrong with them. */
function bind({ values }: WrittenCall, macro: Macro): Map<string, string> | string {
  if (macro.args.length !== values.length) return `its definition names ${macro.args.length} arguments`;
  const names = values.map((value) => NAMED_ARGUMENT.exec(value)).map((match) => (match ? match[1] : undefined));
  const named = names.filter((name) => name !== undefined && macro.args.includes(name));
  if (named.length > 0 && new Set(named).size !== values.length) return 'arguments are either all named or none is';
  const bound = new Map<string, string>();
  for (const [index, value] of values.entries()) {
    const name = (named.length > 0 ? names[index] : macro.args[index]) ?? '';
    const plain = unquote(named.length > 0 ? value.replace(NAMED_ARGUMENT, '') : value);
    if (BREAKING.test(plain)) return 'an argument must not contain a quote, backslash, bracket or backtick';
    bound.set(name, plain);
  }
  return bound;
}

const unquote = (value: string): string =>
  value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;

/** The definition with values for its `$name$`, all replaced at once; undefined if it gets too long. */
function substitute(definition: string, bound: ReadonlyMap<string, string>): string | undefined {
  if (definition.length > MAX_EXPANDED) return undefined;
  const parts: string[] = [];
  let length = definition.length;
  let end = 0;
  for (const match of definition.matchAll(PLACEHOLDER)) {
    const value = bound.get(match[1] ?? '');
    if (value === undefined) continue;
    parts.push(definition.slice(end, match.index), value);
    end = match.index + match[0].length;
    length += value.length;
    if (length > MAX_EXPANDED) return undefined;
  }
  return [...parts, definition.slice(end)].join('');
}

function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind } of tokens) {
    if (kind === 'open') depth += 1;
    else if (kind === 'close') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}
