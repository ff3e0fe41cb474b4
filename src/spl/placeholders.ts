import { canonicalName } from './commands/policy.ts';
import { lex, OTHER_READINGS, type Token, USUAL } from './lexer.ts';
import { textOf } from './terms.ts';

/** Characters of Unicode's private area, one for each place of an argument; no text that people write has them. */
const FIRST_MARK = 0xe000;
const MAX_PLACES = 1_000;
const PRIVATE = /[\ue000-\uf8ff]/;
const MARKS = /[\ue000-\uf8ff]/g;
const NAME = /^[A-Za-z_]\w{0,63}$/;

/** A place of an argument in a template. */
export interface Place {
  name: string;
  mark: string;
}

/** A template with a mark in each place of an argument, and `$` for `$$`. */
export interface MarkedTemplate {
  text: string;
  places: Place[];
}

/** Reads `$name$` and `$$`; a message if that is not possible. */
export function markPlaces(search: string): MarkedTemplate | string {
  if (PRIVATE.test(search)) return 'The search has characters of a private area of Unicode; leave them out';
  const places: Place[] = [];
  const parts: string[] = [];
  let position = 0;
  for (let start = search.indexOf('$'); start >= 0; start = search.indexOf('$', position)) {
    const end = search.indexOf('$', start + 1);
    const name = search.slice(start + 1, Math.max(end, start + 1));
    parts.push(search.slice(position, start));
    position = end + 1;
    if (end === start + 1) {
      parts.push('$');
      continue;
    }
    if (end < 0 || !NAME.test(name))
      return 'A dollar sign begins an argument, such as $user$; write $$ for a dollar sign';
    if (places.length === MAX_PLACES) return `The search has more than ${MAX_PLACES} places of arguments`;
    const mark = String.fromCharCode(FIRST_MARK + places.length);
    places.push({ name, mark });
    parts.push(mark);
  }
  return { text: [...parts, search.slice(position)].join(''), places };
}

/** Where a place is: in a string, elsewhere among arguments, or where no argument may stand. */
export interface Context {
  isQuoted: boolean;
  isRegex: boolean;
  /** In the text of another search, which nobody lexes after it is filled. */
  isSearchText: boolean;
  /** Why no argument may stand there. */
  refusal: string | undefined;
}

/** Commands of which only options and brackets follow. */
const BRACKETS_ONLY = new Set(['append', 'appendcols', 'appendpipe', 'multisearch', 'set', 'union']);
const WITH_BRACKET = new Set(['join', 'foreach']);
const REGEX_COMMANDS = new Set(['rex', 'regex', 'erex']);
/** Options of those commands that hold no regular expression. */
const PLAIN_OPTIONS = /^(?:field|max_match|offset_field|fromfield|maxtrainers)$/i;
const REGEX_FUNCTIONS = new Set(['match', 'replace', 'mvfind', 'rex', 'matches']);
/** Commands that put texts of theirs into a search, as it is or for its arguments. */
const SEARCH_TEXTS = new Set(['map', 'savedsearch']);

const PLAIN: Context = { isQuoted: false, isRegex: false, isSearchText: false, refusal: undefined };

/**
 * Contexts of all places, in their order; a message if the text cannot be read. A place has the strictest context of all ways to
 * read the text.
 */
export function contextsOf({ text, places }: MarkedTemplate): Context[] | string {
  const usual = lex(text, USUAL);
  if (!Array.isArray(usual)) return `${usual.message} (offset ${usual.position})`;
  const others = OTHER_READINGS.map((reading) => lex(text, reading)).filter((tokens) => Array.isArray(tokens));
  const readings = [usual, ...others].map((tokens) => contextsIn(text, tokens));
  return places.map(({ mark }) => strictest(readings.map((contexts) => contexts.get(mark) ?? PLAIN)));
}

const strictest = (contexts: readonly Context[]): Context => ({
  isQuoted: contexts.every(({ isQuoted }) => isQuoted),
  isRegex: contexts.some(({ isRegex }) => isRegex),
  isSearchText: contexts.some(({ isSearchText }) => isSearchText),
  refusal: contexts.find(({ refusal }) => refusal !== undefined)?.refusal,
});

function contextsIn(text: string, tokens: readonly Token[]): Map<string, Context> {
  const contexts = new Map<string, Context>();
  const scan = new Scan(text);
  for (const [index, token] of tokens.entries()) {
    const marks = [...text.slice(token.start, token.end).matchAll(MARKS)];
    if (marks.length > 0) {
      const context = scan.contextOf(tokens, index, token);
      for (const [mark] of marks) contexts.set(mark, context);
    }
    scan.advance(tokens, index, token);
  }
  return contexts;
}

interface OpenStage {
  command: string | undefined;
  functions: string[];
  hasBracket: boolean;
}

/** Follows stages, brackets and functions from token to token. */
class Scan {
  readonly #text: string;
  readonly #open: OpenStage[];

  constructor(text: string) {
    this.#text = text;
    // A text that does not begin with a bar begins with search terms.
    this.#open = [{ ...emptyStage(), command: /^[ \t\r\n]*\|/.test(text) ? undefined : 'search' }];
  }

  contextOf(tokens: readonly Token[], index: number, token: Token): Context {
    const stage = this.#stage;
    return {
      isQuoted: token.kind === 'string',
      isRegex: this.#isRegex(stage, tokens, index),
      isSearchText: token.kind === 'string' && SEARCH_TEXTS.has(canonicalName(stage.command ?? '')),
      refusal: this.#refusal(stage, tokens, index, token),
    };
  }

  get #stage(): OpenStage {
    return this.#open.at(-1) ?? emptyStage();
  }

  #refusal(stage: OpenStage, tokens: readonly Token[], index: number, token: Token): string | undefined {
    if (token.kind === 'macro') return 'must not stand in the call of a macro';
    if (token.kind === 'comment') return 'has no effect in a comment';
    if (tokens[index - 1]?.kind === 'macro' && tokens[index - 1]?.end === token.start)
      return 'must not touch the call of a macro';
    if (tokens[index + 1]?.kind === 'macro' && tokens[index + 1]?.start === token.end)
      return 'must not touch the call of a macro';
    if (stage.command === undefined) return 'must not stand for a command';
    const isOption = this.#isOption(tokens, index);
    const needsBracket = WITH_BRACKET.has(stage.command) && !this.#bracketFollows(tokens, index);
    if ((BRACKETS_ONLY.has(stage.command) && !isOption) || needsBracket)
      return 'must not stand for a search in brackets';
    return undefined;
  }

  #isOption(tokens: readonly Token[], index: number): boolean {
    const before = tokens[index - 1];
    return before?.kind === 'operator' && this.#text.charAt(before.start) === '=';
  }

  #bracketFollows(tokens: readonly Token[], index: number): boolean {
    if (this.#stage.hasBracket) return true;
    const next = tokens.slice(index + 1).find(({ kind }) => kind === 'open' || kind === 'bar' || kind === 'close');
    return next?.kind === 'open';
  }

  #isRegex(stage: OpenStage, tokens: readonly Token[], index: number): boolean {
    if (stage.functions.some((name) => REGEX_FUNCTIONS.has(name))) return true;
    const option = this.#isOption(tokens, index) ? textOf(this.#text, tokens[index - 2] as Token) : '';
    if (REGEX_COMMANDS.has(stage.command ?? '')) return !PLAIN_OPTIONS.test(option);
    return stage.command === 'makemv' && option.toLowerCase() === 'tokenizer';
  }

  advance(tokens: readonly Token[], index: number, token: Token): void {
    const stage = this.#stage;
    const character = this.#text.charAt(token.start);
    if (token.kind === 'open') {
      stage.hasBracket = true;
      this.#open.push(emptyStage());
    } else if (token.kind === 'close') this.#open.pop();
    else if (token.kind === 'bar') Object.assign(stage, emptyStage());
    else if (token.kind === 'operator' && character === '(')
      stage.functions.push(this.#functionBefore(tokens, index, token));
    else if (token.kind === 'operator' && character === ')') stage.functions.pop();
    else if (stage.command === undefined && token.kind !== 'macro' && token.kind !== 'comment') {
      stage.command = this.#text.slice(token.start, token.end).toLowerCase();
    }
  }

  #functionBefore(tokens: readonly Token[], index: number, token: Token): string {
    const before = tokens[index - 1];
    return before?.kind === 'word' && before.end === token.start ? textOf(this.#text, before).toLowerCase() : '';
  }
}

const emptyStage = (): OpenStage => ({ command: undefined, functions: [], hasBracket: false });
