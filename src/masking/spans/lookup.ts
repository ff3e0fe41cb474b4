import { isWordAt } from '../text/letters.ts';

/** Places of a value within a bucket: the distance of its first word from its start, and its length. */
interface Shape {
  offset: number;
  length: number;
}

interface Bucket<T> {
  shapes: Shape[];
  values: Map<string, T>;
}

interface Hit<T> {
  start: number;
  end: number;
  value: T;
}

/** The text in one case, with each character in its place. */
function folded(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from({ length: text.length }, (_, index) => {
    const character = text.charAt(index).toLowerCase();
    return character.length === 1 ? character : text.charAt(index);
  }).join('');
}

/**
 * Finds many values in a text at once, in any case and between boundaries. The values are kept by their first word, and looked for
 * where a word begins: the time is linear in the text, whatever their number.
 */
export class Lookup<T> {
  private readonly byWord = new Map<string, Bucket<T>>();
  /** Length and first character of the words, which saves most look-ups. */
  private readonly forms = new Uint8Array(FORMS);
  /** Values without a word, as names in Chinese, by their first character. */
  private readonly byCharacter = new Map<string, Bucket<T>>();

  /** The first value of equal ones stays. */
  add(text: string, value: T): void {
    const key = folded(text);
    if (key === '') return;
    const offset = firstWord(key);
    const isWordless = offset === key.length;
    const word = isWordless ? key.charAt(0) : key.slice(offset, endOfWord(key, offset));
    if (!isWordless) this.forms[formOf(key, offset, offset + word.length)] = 1;
    const buckets = isWordless ? this.byCharacter : this.byWord;
    const bucket = buckets.get(word) ?? { shapes: [], values: new Map<string, T>() };
    buckets.set(word, bucket);
    if (bucket.values.has(key)) return;
    bucket.values.set(key, value);
    const shape = { offset: isWordless ? 0 : offset, length: key.length };
    if (!bucket.shapes.some((other) => other.offset === shape.offset && other.length === shape.length)) {
      bucket.shapes.push(shape);
    }
  }

  /** @param mayFollowEscape whether the letter of an escape, as in `\nanna`, may stand directly before a value */
  hits(original: string, mayFollowEscape = false): Hit<T>[] {
    const hits: Hit<T>[] = [];
    if (this.byWord.size === 0 && this.byCharacter.size === 0) return hits;
    const text = folded(original);
    if (this.byWord.size > 0) {
      for (let start = firstWord(text); start < text.length; ) {
        const end = endOfWord(text, start);
        const skipped = mayFollowEscape ? escapeLength(text, start) : 0;
        if (this.forms[formOf(text, start, end)] === 1) this.collect(hits, this.byWord, text, start, end, 0);
        if (skipped > 0 && start + skipped < end) {
          this.collect(hits, this.byWord, text, start + skipped, end, skipped);
        }
        start = firstWord(text, end);
      }
    }
    if (this.byCharacter.size === 0) return hits;
    for (let start = 0; start < text.length; start += 1) {
      if (this.byCharacter.has(text.charAt(start))) this.collect(hits, this.byCharacter, text, start, start + 1, 0);
    }
    return hits;
  }

  private collect(
    hits: Hit<T>[],
    buckets: ReadonlyMap<string, Bucket<T>>,
    text: string,
    wordStart: number,
    wordEnd: number,
    skipped: number,
  ): void {
    const bucket = buckets.get(text.slice(wordStart, wordEnd));
    if (!bucket) return;
    for (const { offset, length } of bucket.shapes) {
      const start = wordStart - offset;
      const end = start + length;
      const isBounded = ((skipped > 0 && offset === 0) || !isWordAt(text, start - 1)) && !isWordAt(text, end);
      if (start < 0 || end > text.length || !isBounded) continue;
      const value = bucket.values.get(text.slice(start, end));
      if (value !== undefined) hits.push({ start, end, value });
    }
  }
}

const FORMS = 64 * 64;
const formOf = (text: string, start: number, end: number): number =>
  Math.min(end - start, 63) * 64 + (text.charCodeAt(start) & 63);

/** Index of the next letter, digit or `_`; the length of the text without one. */
function firstWord(text: string, from = 0): number {
  let index = from;
  while (index < text.length && !isWordAt(text, index)) index += 1;
  return index;
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (isWordAt(text, end)) end += 1;
  return end;
}

/** A letter at the start of a word that belongs to an escape before it. */
const escapeLength = (text: string, start: number): number => (text.charAt(start - 1) === '\\' ? 1 : 0);
