import { CODE_LENGTH, LONGEST_CODE } from './codes.ts';
import type { Placeholder, Placeholders } from './placeholders.ts';
import { isPlaceholderForm, type PlaceholderWord, type WordFinder } from './words.ts';

export interface RestoreOptions {
  /** Whether a value may be put back here; by default each may. */
  mayRestore?: (placeholder: Placeholder) => boolean;
  /**
   * The text to write; by default the first spelling of the request.
   * @param place where the word begins in the text
   * @param isWhole whether it is all of the text
   */
  write?: (placeholder: Placeholder, place: number, isWhole: boolean) => string;
  /** Whether codes with one wrong character and what is glued to them are read; not in arguments of tools. */
  isStrict?: boolean;
  /** Whether the text was cut at its end: the beginning of a placeholder there is dropped. */
  isCut?: boolean;
  /** Whether keys of JSON are texts as well, as in a JSON text that a model wrote. */
  hasKeys?: boolean;
}

/** Counts of an answer. */
export interface RestoreCounts {
  restored: number;
  /** Codes with one wrong character. */
  repaired: number;
  /** Codes that no value of the request has. */
  unknown: number;
  /** Placeholders that stay, since their value must not go there. */
  withheld: number;
}

interface Match {
  placeholder: Placeholder;
  /** Characters glued to the code. */
  suffix: string;
  isRepaired: boolean;
}

const LEAST_CUT_CODE = 6;

/** Puts values back in what comes from a model. One object serves one request, since codes are those of its values. */
export class Restorer {
  readonly counts: RestoreCounts = { restored: 0, repaired: 0, unknown: 0, withheld: 0 };
  private readonly placeholders: Placeholders;
  private readonly finder: WordFinder;
  /** Codes that stood in the request before it was masked. */
  private readonly foreign: ReadonlySet<string>;
  private shortened: Map<string, string[]> | undefined;

  constructor(placeholders: Placeholders, finder: WordFinder, foreign: ReadonlySet<string>) {
    this.placeholders = placeholders;
    this.finder = finder;
    this.foreign = foreign;
  }

  text(original: string, options: RestoreOptions = {}): string {
    const text = options.isCut ? this.withoutCutEnd(original) : original;
    const parts: string[] = [];
    let copied = 0;
    for (const word of this.finder.words(text)) {
      if (word.start < copied) continue;
      const match = this.match(word, options.isStrict ?? false);
      if (!match) continue;
      const { placeholder, suffix, isRepaired } = match;
      if (options.mayRestore?.(placeholder) === false) {
        this.counts.withheld += 1;
        continue;
      }
      const { start, end } = withMarks(text, word, suffix);
      const written = options.write?.(placeholder, start, start === 0 && end === text.length) ?? placeholder.spelling;
      parts.push(text.slice(copied, Math.max(copied, start)), written, suffix);
      copied = end;
      this.counts.restored += 1;
      if (isRepaired) this.counts.repaired += 1;
    }
    parts.push(text.slice(copied));
    return parts.join('');
  }

  /** Puts values back in the strings of parsed JSON. Keys are names and stay, unless the options say that they are texts. */
  json<T>(value: T, options?: RestoreOptions): T;
  json(value: unknown, options: RestoreOptions = {}): unknown {
    if (typeof value === 'string') return this.text(value, options);
    if (Array.isArray(value)) return value.map((item) => this.json(item, options));
    if (typeof value !== 'object' || value === null) return value;
    const keyOf = (name: string) => (options.hasKeys ? this.text(name, options) : name);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [keyOf(name), this.json(item, options)]));
  }

  /** Arguments of a tool: the plain values, and only exact codes. */
  arguments<T>(value: T, options: RestoreOptions = {}): T {
    return this.json(value, { write: ({ plain }) => plain, ...options, isStrict: true });
  }

  /** Spellings of a value in the request. */
  spellingsOf(placeholder: Placeholder): ReadonlySet<string> {
    return this.placeholders.spellingsOf(placeholder);
  }

  /** Codes of values that stand in a text. */
  codesIn(text: string): Set<string> {
    const codes = [...this.finder.words(text)].map(({ code }) => code);
    return new Set(codes.filter((code) => this.placeholders.get(code)));
  }

  private match(word: PlaceholderWord, isStrict: boolean): Match | undefined {
    const { code } = word;
    const exact = this.placeholders.get(code);
    if (exact) return { placeholder: exact, suffix: '', isRepaired: false };
    if (this.foreign.has(code)) return undefined;
    const near = isStrict ? undefined : (this.glued(word) ?? this.repaired(word));
    if (!near && isPlaceholderForm(word)) this.counts.unknown += 1;
    return near;
  }

  /** A plural, or a word that the model wrote without a blank. */
  private glued({ code }: PlaceholderWord): Match | undefined {
    for (let length = Math.min(LONGEST_CODE, code.length - 1); length >= CODE_LENGTH; length -= 1) {
      const placeholder = this.placeholders.get(code.slice(0, length));
      if (placeholder) return { placeholder, suffix: code.slice(length), isRepaired: false };
    }
    return undefined;
  }

  private repaired({ code, separator, isGlued }: PlaceholderWord): Match | undefined {
    if (isGlued || separator === '' || !/\d/.test(code)) return undefined;
    if (code.length < CODE_LENGTH - 1 || code.length > LONGEST_CODE + 1) return undefined;
    const near = new Set([code, ...shorter(code)].flatMap((text) => this.neighbours(text)));
    const close = [...near].filter((other) => isOneEdit(code, other));
    const placeholder = close.length === 1 ? this.placeholders.get(close[0] ?? '') : undefined;
    return placeholder && { placeholder, suffix: '', isRepaired: true };
  }

  /** Codes that are a text, or become it without one of their characters. */
  private neighbours(text: string): readonly string[] {
    if (!this.shortened) {
      this.shortened = new Map();
      for (const code of this.placeholders.codes) {
        for (const key of [code, ...shorter(code)]) {
          this.shortened.set(key, [...(this.shortened.get(key) ?? []), code]);
        }
      }
    }
    return this.shortened.get(text) ?? [];
  }

  /** An answer that ends within a placeholder would show a code that means nothing. */
  private withoutCutEnd(text: string): string {
    const from = Math.max(0, text.length - 64);
    const words = [...this.finder.words(text.slice(from))].filter(({ end }) => from + end === text.length);
    const isBegun = ({ code }: PlaceholderWord) =>
      code.length >= LEAST_CUT_CODE &&
      !this.placeholders.get(code) &&
      this.placeholders.codes.some((other) => other.startsWith(code));
    const last = words.find(isBegun);
    return last ? text.slice(0, from + last.start) : text;
  }
}

/** Leaves out the marks of Markdown between label and code, and the one that belongs to them. */
function withMarks(text: string, word: PlaceholderWord, suffix: string): { start: number; end: number } {
  const marks = word.separator.replace(/[^*`]/g, '');
  const { start, end } = word;
  if (marks === '') return { start, end };
  if (suffix === '' && text.startsWith(marks, end)) return { start, end: end + marks.length };
  const first = start - marks.length;
  return { start: first >= 0 && text.startsWith(marks, first) ? first : start, end };
}

const shorter = (code: string): string[] =>
  Array.from({ length: code.length }, (_, index) => code.slice(0, index) + code.slice(index + 1));

/** Whether one character was replaced, added or left out. */
function isOneEdit(first: string, second: string): boolean {
  if (first === second || Math.abs(first.length - second.length) > 1) return false;
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const [left, right] = first.length >= second.length ? [first, second] : [second, first];
  return left.slice(start + 1) === right.slice(left.length === right.length ? start + 1 : start);
}
