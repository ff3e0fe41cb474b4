/** A value to look for in a drawn text. */
export interface Claim {
  /** The same value in several spellings, such as with and without the marks of Markdown. */
  texts: readonly string[];
  /** Whether large and small letters differ. */
  isCased: boolean;
  /** Whether it goes on behind its text. */
  isCut: boolean;
}

/** A part of a text that states a claim. */
export interface Mark {
  from: number;
  to: number;
  /** Index of the claim. */
  claim: number;
}

/** Ends a block of the page: no claim reaches beyond it. */
export const BLOCK_END = '\0';

/**
 * The occurrences of claims in a text, in order and without overlap: the longer one wins. Only whole words count, so that
 * `10.0.0.5` is not marked in `10.0.0.55` or `anna` in `anna@example.com`.
 */
export function findMarks(text: string, claims: readonly Claim[]): Mark[] {
  const [cased, small] = [folded(text, true), folded(text, false)];
  const marks = claims.flatMap((claim, index) =>
    occurrencesOf(claim, claim.isCased ? cased : small).map((range) => ({ ...range, claim: index })),
  );
  const isMarked = new Uint8Array(text.length);
  return marks
    .toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
    .filter(({ from, to }) => {
      // Longer marks come first: one that overlaps covers an end of this one.
      if (isMarked[from] || isMarked[to - 1]) return false;
      isMarked.fill(1, from, to);
      return true;
    })
    .toSorted((a, b) => a.from - b.from);
}

type Range = Pick<Mark, 'from' | 'to'>;

/** Where a claim stands alone; where it never does, where it is at least no part of a longer word. */
function occurrencesOf({ texts, isCased, isCut }: Claim, text: string): Range[] {
  const needles = [...new Set(texts.map((needle) => folded(needle, isCased)))];
  const ranges = needles.flatMap((needle) => rangesOf(needle, text));
  const whole = ranges.filter((range) => isWhole(text, range, isCut));
  return whole.length > 0 ? whole : ranges.filter((range) => isWord(text, range, isCut));
}

function rangesOf(needle: string, text: string): Range[] {
  const ranges: Range[] = [];
  if (needle === '') return ranges;
  for (let from = text.indexOf(needle); from >= 0; from = text.indexOf(needle, from + 1)) {
    ranges.push({ from, to: from + needle.length });
  }
  return ranges;
}

const LETTER = /[\p{L}\p{M}\p{N}_]/u;
/** Scripts without spaces between words do not end words of Latin letters. */
const LATIN = /[A-Za-z0-9_]/;
const DIGIT = /\d/;
/** Characters that join two words to one value, and two digits to one number. */
const JOINTS = '.@\\-';
const DIGIT_JOINTS = ",'’";

function isWhole(text: string, { from, to }: Range, isCut: boolean): boolean {
  const before = lastOf(text, from);
  const after = firstOf(text, to);
  const isJoined = (joint: string, own: string, beyond: string) =>
    JOINTS.includes(joint)
      ? LETTER.test(beyond)
      : DIGIT_JOINTS.includes(joint) && DIGIT.test(own) && DIGIT.test(beyond);
  const isOpen =
    LETTER.test(before) || (before !== '' && isJoined(before, text[from] ?? '', lastOf(text, from - before.length)));
  if (isOpen) return false;
  if (isCut) return true;
  return (
    !LETTER.test(after) && !(after !== '' && isJoined(after, text[to - 1] ?? '', firstOf(text, to + after.length)))
  );
}

const isWord = (text: string, { from, to }: Range, isCut: boolean): boolean =>
  !LATIN.test(text[from - 1] ?? '') && (isCut || !LATIN.test(text[to] ?? ''));

/** The character that begins there; empty at the end. */
const firstOf = (text: string, index: number): string => [...text.slice(index, index + 2)][0] ?? '';

/** The character that ends there; empty at the start. */
const lastOf = (text: string, index: number): string =>
  [...text.slice(Math.max(0, index - 2), Math.max(0, index))].at(-1) ?? '';

/** One kind of space, and if asked to small letters alone; no character changes its place. */
function folded(text: string, isCased: boolean): string {
  const spaced = text.replace(/[\t\n\r]/g, ' ');
  return isCased ? spaced : spaced.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
