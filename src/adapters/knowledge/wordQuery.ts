/** A word of a question as it was written, with the fewest passages that have one of its terms. */
export interface CountedWord {
  word: string;
  passages: number;
}

/** Parts of a question between white space, each once; the rest of a very long question is left out. */
export const wordsOf = (text: string): string[] =>
  [...new Set(text.toLowerCase().split(/\s+/u).filter(Boolean))].slice(0, MOST_WORDS);

const MOST_WORDS = 200;

/** Passages that words may have together in any store: they cost about 10 ms. */
const CHEAP = 15_000;
const SHARE = 0.3;

/**
 * The words to ask for: the rarest ones, until their passages add up to 0.3 of all, or to 15,000 in a small store. Words in many
 * passages cost and say little. Words that no passage has are left out.
 */
export function chosenWords(words: readonly CountedWord[], total: number): string[] {
  const chosen: string[] = [];
  const most = Math.max(CHEAP, total * SHARE);
  let sum = 0;
  for (const { word, passages } of words.filter((each) => each.passages > 0).sort((a, b) => a.passages - b.passages)) {
    if (chosen.length > 0 && sum + passages > most) break;
    chosen.push(word);
    sum += passages;
  }
  return chosen;
}

/** The question in the language of FTS5: a word of several terms, such as `ERR-4003`, is a phrase. */
export const matchOf = (words: readonly string[]): string =>
  words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
