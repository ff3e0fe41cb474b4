import { classAt, isNameAt } from './characters.ts';

const MOST_BLANK_WORDS = 3;
const LONGEST_BLANK_WORD = 40;

/** Index behind the backslashes that begin at `from`. */
export function skipBackslashes(text: string, from: number): number {
  let index = from;
  while (text.charAt(index) === '\\') index += 1;
  return index;
}

/** Paths go on behind a blank where folders such as `Program Files (x86)` have some: capital words before the next backslash. */
export function endOfPath(text: string, from: number, limit: number): number {
  let end = from;
  for (let words = 0; words < MOST_BLANK_WORDS; words += 1) {
    const next = blankWordsEnd(text, end, limit);
    if (next === undefined) return end;
    end = next;
  }
  return end;
}

function blankWordsEnd(text: string, from: number, limit: number): number | undefined {
  let segment = from;
  while (segment > 0 && isNameAt(text, segment - 1)) segment -= 1;
  if (text.charAt(from) !== ' ' || !isCapital(text, segment)) return undefined;
  const distance = text.slice(from, Math.min(limit, from + LONGEST_BLANK_WORD)).indexOf('\\');
  if (distance < 0) return undefined;
  const backslash = from + distance;
  const words = text.slice(from + 1, backslash).split(' ');
  const areParts = words.every((word) => /^\(?[A-Z][A-Za-z0-9.&-]{0,40}\)?$|^\(x86\)$|^and$|^[0-9]{1,8}$/.test(word));
  const isDomain = words.length === 1 && /^[A-Z0-9-]{3,15}$/.test(words[0] ?? '');
  if (!areParts || isDomain) return undefined;
  let end = backslash;
  while (end < limit && classAt(text, end) !== 0) end += 1;
  while (end > backslash && '.:,'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

const isCapital = (text: string, index: number): boolean =>
  text.charCodeAt(index) >= 65 && text.charCodeAt(index) <= 90;
