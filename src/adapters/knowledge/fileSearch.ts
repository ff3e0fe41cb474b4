import { closeSync, openSync } from 'node:fs';
import type { Json } from '../../contract/basics.ts';
import type { FileSearch, FoundPassage } from '../../ports/knowledge/passageFiles.ts';
import { scan } from './cosineScan.ts';
import type { PassageDatabase, PassageRow, StoredFacts } from './database.ts';
import { bestFirst } from './ranking.ts';
import { termsOf } from './terms.ts';
import { chosenWords, matchOf, wordsOf } from './wordQuery.ts';

/** Places of the best scores that are found without sorting all. */
const FEWEST_SORTED = 256;

/** Takes passages in the order of their rank until there are enough that are accepted. */
class Chosen {
  readonly passages: FoundPassage[] = [];
  readonly #query: FileSearch;
  /** By their text: many documents have the same metadata. */
  readonly #verdicts = new Map<string, { metadata: Json; isAccepted: boolean }>();

  constructor(query: FileSearch) {
    this.#query = query;
  }

  get isFull(): boolean {
    return this.passages.length >= this.#query.count;
  }

  add({ number, part, from, to, key, id, change, metadata: text }: PassageRow, score: number): void {
    let verdict = this.#verdicts.get(text);
    if (!verdict) {
      const metadata = JSON.parse(text) as Json;
      verdict = { metadata, isAccepted: this.#query.accepts(metadata) };
      this.#verdicts.set(text, verdict);
    }
    const { metadata, isAccepted } = verdict;
    if (isAccepted)
      this.passages.push({ passage: number, part, start: from, end: to, key, id, change, metadata, score });
  }
}

/** Passages with the nearest vectors, exactly. @param path of the file of vectors */
export function nearest(
  database: PassageDatabase,
  { slots, passages }: StoredFacts,
  path: string,
  query: FileSearch,
): FoundPassage[] {
  if (!query.vector || passages === 0) return [];
  const file = openSync(path, 'r');
  let scores: Float32Array;
  try {
    scores = scan(file, query.vector, slots);
  } finally {
    closeSync(file);
  }
  const chosen = new Chosen(query);
  const bySlot = database.statement('bySlot');
  for (const slot of bestFirst(scores, Math.max(FEWEST_SORTED, 4 * query.count))) {
    if (chosen.isFull) break;
    // Places of removed passages have none.
    const row = bySlot.get(slot) as PassageRow | undefined;
    if (row) chosen.add(row, scores[slot] as number);
  }
  return chosen.passages;
}

/** Passages with words of the text, by BM25. */
export function withWords(database: PassageDatabase, facts: StoredFacts, query: FileSearch): FoundPassage[] {
  const { passages } = facts;
  const words = wordsOf(query.text ?? '');
  if (words.length === 0 || passages === 0) return [];
  const countOf = (term: string) => database.termCount(term, facts);
  const counted = termsOf(words).map((terms, index) => ({
    word: words[index] as string,
    passages: terms.length === 0 ? 0 : Math.min(...terms.map(countOf)),
  }));
  const asked = chosenWords(counted, passages);
  if (asked.length === 0) return [];
  const chosen = new Chosen(query);
  const byNumber = database.statement('byNumber');
  for (const { number, rank } of database.statement('match').iterate(matchOf(asked))) {
    if (chosen.isFull) break;
    const row = byNumber.get(number as number) as PassageRow | undefined;
    // FTS5 says less for better.
    if (row) chosen.add(row, -Number(rank));
  }
  return chosen.passages;
}
