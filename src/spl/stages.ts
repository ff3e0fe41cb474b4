import type { GuardFault } from './kinds.ts';
import { isBlank, type Token } from './lexer.ts';

/** Brackets within brackets. */
const MAX_DEPTH = 20;
const NAME = /^[A-Za-z_][\w-]*$/;
/** Characters of the name of a command that is one, and of what a message shows of others. */
const MAX_NAME = 100;

/** A command with its arguments. */
export interface Stage {
  /** In lower case. */
  command: string;
  position: number;
  /** Tokens of the arguments, without those of nested searches. */
  tokens: Token[];
  nested: Search[];
}

/** A pipeline: the whole text or what a bracket holds. */
export interface Search {
  position: number;
  stages: Stage[];
}

export interface ParsedSearch {
  search: Search;
  /** Faults of its structure, in the order of the text. */
  faults: GuardFault[];
}

/** Splits a text without macros and comments into searches and stages. */
export function parseSearch(text: string, tokens: readonly Token[]): ParsedSearch {
  const parser = new Parser(text, tokens);
  return { search: parser.whole(), faults: parser.faults };
}

/** Brackets that do not match, which splunkd refuses too. */
export function bracketFault(tokens: readonly Token[]): { position: number; message: string } | undefined {
  const opened: number[] = [];
  for (const { kind, start } of tokens) {
    if (kind === 'open') opened.push(start);
    else if (kind === 'close' && opened.pop() === undefined)
      return { position: start, message: 'A bracket was not opened' };
  }
  const last = opened.pop();
  return last === undefined ? undefined : { position: last, message: 'A bracket is not closed' };
}

class Parser {
  readonly faults: GuardFault[] = [];
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  whole(): Search {
    return this.#search(0, 0);
  }

  #search(position: number, depth: number): Search {
    const stages: Stage[] = [];
    if (this.#kind() === 'bar') this.#index += 1;
    do {
      const stage = this.#stage(depth, stages.length === 0);
      if (stage) stages.push(stage);
    } while (this.#skipBar());
    return { position, stages };
  }

  #kind(): Token['kind'] | undefined {
    return this.#tokens[this.#index]?.kind;
  }

  #skipBar(): boolean {
    if (this.#kind() !== 'bar') return false;
    this.#index += 1;
    return true;
  }

  /** Reads a stage up to its bar or bracket; undefined if it has no command. */
  #stage(depth: number, isFirst: boolean): Stage | undefined {
    const first = this.#tokens[this.#index];
    const isEmpty = first === undefined || first.kind === 'bar' || first.kind === 'close';
    const position = first?.start ?? Math.max(0, this.#text.length - 1);
    const name = isEmpty ? '' : this.#commandAt(position);
    const fault = isEmpty ? this.#emptyFault(position, depth, isFirst) : nameFault(name, position, depth, isFirst);
    if (fault) this.faults.push(fault);
    const nameEnd = position + name.length;
    while (!isEmpty && (this.#tokens[this.#index]?.start ?? nameEnd) < nameEnd) this.#index += 1;
    const stage: Stage = { command: name.toLowerCase(), position, tokens: [], nested: [] };
    for (let token = this.#tokens[this.#index]; token; token = this.#tokens[this.#index]) {
      if (token.kind === 'bar' || (token.kind === 'close' && depth > 0)) break;
      this.#index += 1;
      if (token.kind === 'open') this.#nested(stage, token.start, depth + 1);
      else stage.tokens.push(token);
    }
    return fault ? undefined : stage;
  }

  #nested(stage: Stage, position: number, depth: number): void {
    if (depth > MAX_DEPTH) {
      this.faults.push(nestedFault(position, `Searches are nested more than ${MAX_DEPTH} levels deep`));
      this.#skipBracket();
      return;
    }
    stage.nested.push(this.#search(position, depth));
    this.#index += 1;
  }

  #skipBracket(): void {
    for (let open = 1; open > 0 && this.#index < this.#tokens.length; this.#index += 1) {
      if (this.#kind() === 'open') open += 1;
      else if (this.#kind() === 'close') open -= 1;
    }
  }

  /** A command's name goes up to a blank, bar, bracket or quote. */
  #commandAt(start: number): string {
    let end = start;
    while (end < this.#text.length && !isBlank(this.#text.charAt(end)) && !'|[]("\'`'.includes(this.#text.charAt(end)))
      end += 1;
    return this.#text.slice(start, end);
  }

  #emptyFault(position: number, depth: number, isFirst: boolean): GuardFault {
    if (depth > 0 && isFirst)
      return nestedFault(position, 'A nested search is empty; begin it with a command such as search');
    return { reason: 'syntax', command: null, position, message: 'A command is missing before or after a bar' };
  }
}

function nameFault(name: string, position: number, depth: number, isFirst: boolean): GuardFault | undefined {
  if (NAME.test(name) && name.length <= MAX_NAME) return undefined;
  if (depth > 0 && isFirst)
    return nestedFault(position, 'A nested search begins with a command, such as [search index=main]');
  if (/^[A-Za-z]/.test(name)) {
    const shown = name.slice(0, MAX_NAME);
    const message = `Command ${JSON.stringify(shown)} does not exist; put a blank after the name of a command`;
    return { reason: 'command', command: shown.toLowerCase(), position, message };
  }
  return {
    reason: 'syntax',
    command: null,
    position,
    message: 'A bar is followed by the name of a command, without quotes',
  };
}

const nestedFault = (position: number, message: string): GuardFault => ({
  reason: 'nested',
  command: null,
  position,
  message,
});
