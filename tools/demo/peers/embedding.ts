const DIMENSIONS = 1024;
const EVERYWHERE = new Set(
  `a about after all an and any are as at be been before but by can could did do does during each for from had has have here how i if
  in into is it its me more most my no not of on one or our out over should so some such than that the their them then there these they
  this those to two under up was we were what when where which while who whose why will with would you your`.split(
    /\s+/,
  ),
);

/** Without its most usual endings. */
const stemOf = (word: string): string => word.replace(/ies$/, 'y').replace(/(?:ing|ed|es|ly|s)$/, '');

/**
 * A bag of words of a text as a vector of length 1: all words but the most usual ones are hashed to dimensions. Texts that share
 * words are near each other.
 */
export function vectorOf(text: string, size = DIMENSIONS): number[] {
  const counts = new Map<string, number>();
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    if (EVERYWHERE.has(word)) continue;
    const stem = stemOf(word);
    counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const vector = new Array<number>(size).fill(0);
  for (const [word, count] of counts) {
    const hash = [...word].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
    vector[hash % size] = (vector[hash % size] ?? 0) + 1 + Math.log(count);
  }
  const length = Math.hypot(...vector);
  // A text without a word is near nothing, but a vector of zeros is no direction.
  if (length === 0) return vector.fill(1 / Math.sqrt(size));
  return vector.map((value) => value / length);
}
