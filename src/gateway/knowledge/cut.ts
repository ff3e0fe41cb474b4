import { charactersOf } from '../../metering/tokens.ts';
import { type Breaks, breaksOf, type Heading } from './breaks.ts';

/** A part of a text, in UTF-16 code units. */
interface Part {
  start: number;
  end: number;
}

export interface Cut extends Part {
  /** Titles of the headings above it, outermost first; may be empty. */
  context: string;
}

export interface CutSizes {
  /** Tokens of a passage at most. */
  chunkTokens: number;
  /** Tokens that a passage repeats of the one before it at most. */
  overlapTokens: number;
}

const SPACE = /\s/;
/** How far back a word begins at most; longer ones are cut. */
const MAX_WORD = 1000;
/** Characters of a context at most: a model may not take many more than those of a passage. */
const MAX_CONTEXT = 300;

/**
 * Cuts a text into passages: at headings, of which each begins one; where a part is too long between paragraphs, else between
 * sentences, words, and at last within a word. Together they have all of the text but white space at their edges. A passage that
 * goes on begins with whole sentences of the one before it where they fit, else with words; it repeats no more than half of it.
 */
export function cutText(text: string, { chunkTokens, overlapTokens }: CutSizes): Cut[] {
  const cuts: Cut[] = [];
  const above: Heading[] = [];
  let next = 0;
  const breaks = breaksOf(text);
  const sizes = { most: Math.max(2, charactersOf(chunkTokens)), overlap: charactersOf(overlapTokens) };
  const parts = [0, ...breaks.headings.filter((offset) => offset > 0), text.length];
  for (const [index, begin] of parts.slice(0, -1).entries()) {
    const end = parts[index + 1] as number;
    for (; (breaks.outline[next]?.offset ?? end) < end; next++) enter(above, breaks.outline[next] as Heading);
    const part = trimmed(text, begin, end);
    if (!part) continue;
    const most = Math.min(MAX_CONTEXT, sizes.most / 2);
    for (const cut of cutPart(text, part, breaks, sizes)) cuts.push({ ...cut, context: contextOf(cut, above, most) });
  }
  return cuts;
}

/** Leaves headings that do not contain a new one. */
function enter(above: Heading[], heading: Heading): void {
  while ((above.at(-1)?.level ?? 0) >= heading.level) above.pop();
  above.push(heading);
}

/** Headings within the passage are not repeated; the outermost ones are left out where there is no room. */
function contextOf({ start }: Part, above: readonly Heading[], most: number): string {
  const titles = above.filter(({ offset, title }) => offset < start && title !== '').map(({ title }) => title);
  while (titles.join(SEPARATOR).length > most) titles.shift();
  return titles.join(SEPARATOR);
}

const SEPARATOR = ' > ';

/** In characters. */
interface Sizes {
  most: number;
  overlap: number;
}

function cutPart(text: string, part: Part, breaks: Breaks, { most, overlap }: Sizes): Part[] {
  const cuts: Part[] = [];
  let { start } = part;
  /** The end of the passage before, if there is one in this part. */
  let before = start;
  while (part.end - start > most) {
    const limit = withinPairs(text, start + most);
    const end = endOf(text, breaks, { start, before, limit });
    const cut = trimmed(text, start, end) as Part;
    const isNew = cut.end > before;
    if (isNew) cuts.push(cut);
    before = Math.max(before, cut.end);
    // After nothing but white space there is nothing to repeat.
    start = skipSpace(text, isNew ? nextStart(text, breaks, { ...cut, overlap }) : before, part.end);
  }
  cuts.push({ start, end: part.end });
  return cuts;
}

/** The end of a passage. It is after `before`: each passage has something new. */
function endOf(
  text: string,
  { paragraphs, sentences }: Breaks,
  { start, before, limit }: { start: number; before: number; limit: number },
): number {
  const half = Math.max(before, start + (limit - start) / 2);
  const paragraph = lastUpTo(paragraphs, limit);
  if (paragraph > half) return paragraph;
  const sentence = lastUpTo(sentences, limit);
  if (sentence > half) return sentence;
  const word = lastWord(text, Math.max(half, limit - MAX_WORD), limit);
  return word ?? limit;
}

/** Where the passage after this one begins. */
function nextStart(
  text: string,
  { paragraphs, sentences }: Breaks,
  { start, end, overlap }: { start: number; end: number; overlap: number },
): number {
  const earliest = end - Math.min(overlap, Math.floor((end - start) / 2));
  if (earliest >= end) return end;
  const first = Math.min(firstFrom(sentences, earliest), firstFrom(paragraphs, earliest));
  if (first < end) return first;
  const limit = Math.min(end, earliest + MAX_WORD);
  for (let place = Math.max(earliest, 1); place < limit; place++)
    if (isSpace(text, place - 1) && !isSpace(text, place)) return place;
  return withinPairs(text, earliest);
}

const isSpace = (text: string, place: number): boolean => SPACE.test(text.charAt(place));

/** The last start of a word in a range. */
function lastWord(text: string, from: number, to: number): number | undefined {
  for (let place = to; place > from; place--) if (isSpace(text, place - 1)) return place;
  return undefined;
}

/** The offset, or the one before it where it would part the two halves of a character. */
function withinPairs(text: string, offset: number): number {
  const before = text.charCodeAt(offset - 1);
  const after = text.charCodeAt(offset);
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  return isPair ? offset - 1 : offset;
}

function skipSpace(text: string, from: number, to: number): number {
  let place = from;
  while (place < to && isSpace(text, place)) place++;
  return place;
}

/** Without white space at its edges; undefined if there is nothing else. */
function trimmed(text: string, from: number, to: number): Part | undefined {
  const start = skipSpace(text, from, to);
  if (start === to) return undefined;
  let end = to;
  while (isSpace(text, end - 1)) end--;
  return { start, end };
}

/** The last of ascending offsets that is not above a limit; -1 if there is none. */
function lastUpTo(offsets: readonly number[], limit: number): number {
  const index = countBelow(offsets, limit + 1);
  return index === 0 ? -1 : (offsets[index - 1] as number);
}

/** The first of ascending offsets from a limit on; infinite if there is none. */
const firstFrom = (offsets: readonly number[], limit: number): number =>
  offsets[countBelow(offsets, limit)] ?? Number.POSITIVE_INFINITY;

function countBelow(offsets: readonly number[], limit: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((offsets[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
