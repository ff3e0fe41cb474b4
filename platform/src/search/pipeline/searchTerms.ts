import { wildcard } from '../../eai/wildcard.ts';
import { openCharacters, splitOpen, unquoted } from '../language/scan.ts';
import { cellText, type Row } from '../results/rows.ts';
import { ArgumentError } from './spl.ts';
import { timeBound } from './times.ts';

type Test = (row: Row) => boolean;

/** The terms of `search`, or of `where` in a generating command. */
export interface SearchTerms {
  matches: Test;
  /** Whether a term outside of NOT names an index; otherwise the default indexes are searched. */
  namesIndex: boolean;
  /** Bounds in the text, which override those of the job; epoch seconds. */
  earliest: number | undefined;
  latest: number | undefined;
  /** The fields that the terms compare. */
  fields: Set<string>;
}

const TOKEN = /\s*(?:([()])|((?:[^\s()"\\=<>!]|\\.)*?(?:!=|<=|>=|=|<|>))|((?:"(?:[^"\\]|\\.)*"|[^\s()"\\]|\\.)+))/sy;
const COMPARISON = /^(.*?)(!=|<=|>=|=|<|>)$/s;
const RANGE = new Set(['earliest', 'latest']);
/** Time modifiers of splunkd that are not understood here. */
const OTHER_TIME =
  /^(?:_index_(?:earliest|latest)|(?:start|end)(?:time|timeu)|(?:start|end)?(?:days|hours|minutes|months)ago|searchtimespan\w*|timeformat)$/;

/**
 * Parses boolean terms. OR binds tighter than the AND between terms, NOT tighter than both.
 * @param command names the command in refusals
 */
export function searchTerms(command: string, text: string, now: number): SearchTerms {
  return new TermParser(command, text, now).parse();
}

class TermParser {
  readonly #command: string;
  readonly #tokens: string[] = [];
  readonly #now: number;
  #position = 0;
  #negations = 0;
  readonly #terms: SearchTerms = {
    matches: () => true,
    namesIndex: false,
    earliest: undefined,
    latest: undefined,
    fields: new Set(),
  };

  constructor(command: string, text: string, now: number) {
    this.#command = command;
    this.#now = now;
    // Checks quotes and escapes.
    for (const { char } of openCharacters(text)) if (char === '[') throw this.#refused('[');
    const source = text.trimEnd();
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < source.length) {
      const position = TOKEN.lastIndex;
      const match = TOKEN.exec(source);
      if (match === null) throw this.#refused(source.slice(position).trim());
      this.#tokens.push(match[0].trim());
    }
  }

  parse(): SearchTerms {
    if (this.#tokens.length > 0) this.#terms.matches = this.#and();
    if (this.#position < this.#tokens.length) throw this.#refused(this.#tokens[this.#position] ?? '');
    return this.#terms;
  }

  #and(): Test {
    const tests = [this.#or()];
    while (this.#position < this.#tokens.length && this.#peek() !== ')') {
      if (this.#peek() === 'AND') this.#position += 1;
      tests.push(this.#or());
    }
    return (row) => tests.every((test) => test(row));
  }

  #or(): Test {
    const tests = [this.#not()];
    while (this.#peek() === 'OR') {
      this.#position += 1;
      tests.push(this.#not());
    }
    return (row) => tests.some((test) => test(row));
  }

  #not(): Test {
    if (this.#peek() !== 'NOT') return this.#term();
    this.#position += 1;
    this.#negations += 1;
    const test = this.#not();
    this.#negations -= 1;
    return (row) => !test(row);
  }

  #term(): Test {
    const token = this.#next();
    if (token === '(') {
      if (this.#peek() === ')') {
        this.#position += 1;
        return () => true;
      }
      const inner = this.#and();
      if (this.#next() !== ')') throw this.#refused('(');
      return inner;
    }
    if (token === ')' || token === 'OR' || token === 'AND') throw this.#refused(token);
    const [, field, operator] = COMPARISON.exec(token) ?? [];
    if (operator !== undefined) return this.#comparison(unquoted(field ?? '').trim(), operator);
    if (this.#peek().toUpperCase() === 'IN' && this.#tokens[this.#position + 1] === '(')
      return this.#in(unquoted(token));
    if (/^(?:TERM|CASE)$/.test(token) && this.#peek() === '(') {
      this.#position += 1;
      const word = unquoted(this.#next());
      if (this.#next() !== ')') throw this.#refused(token);
      return token === 'CASE' ? (row) => cellText(row._raw).includes(word) : wordTest(word);
    }
    const word = unquoted(token);
    return word === '*' ? () => true : wordTest(word);
  }

  #in(field: string): Test {
    this.#position += 2;
    const tests: Test[] = [];
    for (;;) {
      const token = this.#next();
      if (token === ')') break;
      for (const value of splitOpen(token, ',')) {
        if (value.trim() !== '') tests.push(this.#compared(field, '=', unquoted(value.trim())));
      }
    }
    if (tests.length === 0) throw this.#refused(`${field} IN`);
    return (row) => tests.some((test) => test(row));
  }

  #comparison(field: string, operator: string): Test {
    if (field === '') throw this.#refused(operator);
    const token = this.#next();
    if (token === '(' || token === ')' || COMPARISON.test(token)) throw this.#refused(`${field}${operator}${token}`);
    const value = unquoted(token);
    if (OTHER_TIME.test(field))
      throw new ArgumentError(
        `Error in '${this.#command}' command: The embedded platform does not support the time modifier '${field}'.`,
      );
    if (RANGE.has(field) && operator === '=') {
      this.#terms[field as 'earliest' | 'latest'] = this.#time(field, value);
      return () => true;
    }
    return this.#compared(field, operator, value);
  }

  #time(field: string, value: string): number {
    try {
      return timeBound(field, value, this.#now);
    } catch {
      throw new ArgumentError(
        `Error in '${this.#command}' command: Invalid value "${value}" for time term '${field}'.`,
      );
    }
  }

  #compared(field: string, operator: string, value: string): Test {
    this.#terms.fields.add(field);
    if (field === 'index' && operator === '=' && this.#negations === 0) this.#terms.namesIndex = true;
    if (operator === '=' || operator === '!=') {
      const equals = field === 'index' ? indexTest(value) : valueTest(value);
      const wanted = operator === '=';
      // An empty cell has no value.
      return (row) => {
        const cells = [row[field] ?? []].flat().filter((cell) => cell !== '');
        return wanted ? cells.some(equals) : cells.length > 0 && !cells.every(equals);
      };
    }
    return (row) => [row[field] ?? []].flat().some((cell) => cell !== '' && ordered(cell, operator, value));
  }

  #peek(): string {
    return this.#tokens[this.#position] ?? '';
  }

  #next(): string {
    const token = this.#tokens[this.#position];
    if (token === undefined) throw this.#refused(this.#tokens.at(-1) ?? '');
    this.#position += 1;
    return token;
  }

  #refused(where: string): ArgumentError {
    return new ArgumentError(
      `Error in '${this.#command}' command: Unable to parse the search: the term '${where}' is invalid.`,
    );
  }
}

/** Values of fields are compared without case, with wildcards. */
function valueTest(value: string): (cell: string) => boolean {
  const test = wildcard(value.toLowerCase());
  return (cell) => test(cell.toLowerCase());
}

/** A wildcard without an underscore excludes internal indexes. */
export function indexTest(pattern: string): (index: string) => boolean {
  const test = wildcard(pattern.toLowerCase());
  return (index) => pattern.startsWith('_') === index.startsWith('_') && test(index.toLowerCase());
}

function ordered(cell: string, operator: string, value: string): boolean {
  const [left, right] = [Number(cell), Number(value)];
  const isNumeric = cell.trim() !== '' && value.trim() !== '' && !Number.isNaN(left) && !Number.isNaN(right);
  const order = isNumeric ? left - right : cell < value ? -1 : cell > value ? 1 : 0;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
}

const ALPHANUMERIC = /[\p{L}\p{N}]/u;

/** A word or phrase of `_raw`: whole words without case, as the index has them; `*` continues a word. */
function wordTest(word: string): Test {
  const text = word.toLowerCase();
  if (text.includes('*')) {
    const test = wildcard(text);
    return (row) => {
      const raw = cellText(row._raw).toLowerCase();
      return [...raw.split(/[\s[\]<>(){}|!;,'"&?+]+/), ...raw.split(/[^\p{L}\p{N}]+/u)].some(
        (token) => token !== '' && test(token),
      );
    };
  }
  const isBound = (raw: string, position: number, edge: string) =>
    !ALPHANUMERIC.test(edge) || !ALPHANUMERIC.test(raw.charAt(position));
  return (row) => {
    const raw = cellText(row._raw).toLowerCase();
    for (let start = raw.indexOf(text); start >= 0; start = raw.indexOf(text, start + 1)) {
      if (isBound(raw, start - 1, text.charAt(0)) && isBound(raw, start + text.length, text.charAt(text.length - 1)))
        return true;
    }
    return false;
  };
}
