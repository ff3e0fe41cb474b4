import { writeFileSync } from 'node:fs';
import type { EmbeddedDocument } from '../../src/ports/knowledge/documents.ts';
import { Random } from '../../test/support/random.ts';

const VOCABULARY = 30_000;
const WORDS_A_TEXT = 260;
const WORDS_A_QUESTION = 8;
const CLUSTERS = 200;
const SYLLABLES = 'ba ce di fo gu ka le mi no pu ra se ti vo zu str en ing'.split(' ');

/** Documents of one passage: vectors around centres, and texts whose words are as frequent as those of a language. */
export class Corpus {
  readonly #random = new Random(7);
  readonly #dimensions: number;
  readonly #vectors: Float32Array;
  readonly #words: string[];
  readonly #frequencies = new Float64Array(VOCABULARY);
  textBytes = 0;

  constructor(count: number, dimensions: number) {
    this.#dimensions = dimensions;
    this.#vectors = new Float32Array(count * dimensions);
    const centres = Float32Array.from({ length: CLUSTERS * dimensions }, () => 0.7 * this.#normal());
    for (let row = 0; row < count; row += 1) {
      const centre = this.#random.below(CLUSTERS) * dimensions;
      const vector = this.vector(row);
      for (let at = 0; at < dimensions; at += 1) vector[at] = (centres[centre + at] as number) + this.#normal();
      const length = Math.hypot(...vector);
      for (let at = 0; at < dimensions; at += 1) vector[at] = (vector[at] as number) / length;
    }
    this.#words = Array.from({ length: VOCABULARY }, (_, rank) => {
      const syllables = 1 + Math.floor(Math.log(rank + 2) / 2.5);
      const word = Array.from({ length: syllables }, () => this.#random.pick(SYLLABLES)).join('');
      return rank % 7 === 0 ? `${word}${rank}` : word;
    });
    let sum = 0;
    for (let rank = 0; rank < VOCABULARY; rank += 1) {
      sum += 1 / (rank + 2.7);
      this.#frequencies[rank] = sum;
    }
  }

  #normal = (): number =>
    Math.sqrt(-2 * Math.log(this.#random.next() || 1e-12)) * Math.cos(2 * Math.PI * this.#random.next());

  #word(random: Random): string {
    const target = random.next() * (this.#frequencies.at(-1) as number);
    let [low, high] = [0, VOCABULARY - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#frequencies[middle] as number) < target) low = middle + 1;
      else high = middle;
    }
    return this.#words[low] as string;
  }

  vector = (row: number): Float32Array => this.#vectors.subarray(row * this.#dimensions, (row + 1) * this.#dimensions);

  /** Words of a question, the same for the same number. */
  question(number: number): string {
    const random = new Random(1_000_003 + number);
    return Array.from({ length: WORDS_A_QUESTION }, () => this.#word(random)).join(' ');
  }

  document(row: number): EmbeddedDocument {
    const random = new Random(row);
    const text = Array.from({ length: WORDS_A_TEXT }, () => this.#word(random)).join(' ');
    this.textBytes += text.length;
    const passages = [{ start: 0, end: text.length, vector: this.vector(row) }];
    return { id: String(row), text, metadata: { team: `team ${row % 20}`, row }, passages };
  }

  /** The nearest rows by comparison with each. */
  nearest(row: number, count: number): Set<number> {
    const query = this.vector(row);
    const rows = this.#vectors.length / this.#dimensions;
    const scores = Float64Array.from({ length: rows }, (_, other) => {
      let sum = 0;
      for (let at = 0, from = other * this.#dimensions; at < query.length; at += 1)
        sum += (query[at] as number) * (this.#vectors[from + at] as number);
      return sum;
    });
    const ranked = Array.from(scores.keys()).sort((a, b) => (scores[b] as number) - (scores[a] as number));
    return new Set(ranked.slice(0, count));
  }

  write = (path: string): void => writeFileSync(path, Buffer.from(this.#vectors.buffer));
}
