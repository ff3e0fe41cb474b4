import type { EmbeddedDocument, EmbeddedPassage } from '../../../ports/knowledge/documents.ts';
import type { FilePassage } from '../../../ports/knowledge/passageFiles.ts';
import type { DocumentBody } from '../documents/stored.ts';

/** Characters of text, and numbers of vectors, of one document of the KV store: results read whole texts of parts. */
const MOST_TEXT = 200_000;
const MOST_NUMBERS = 750_000;

/** Splits a document into parts of which each has its passages whole. */
export function bodiesOf({ text, passages }: Pick<EmbeddedDocument, 'text' | 'passages'>): DocumentBody[] {
  const groups: EmbeddedPassage[][] = [[]];
  let [from, to, numbers] = [0, 0, 0];
  for (const passage of passages) {
    const group = groups.at(-1) as EmbeddedPassage[];
    if (group.length === 0) [from, to, numbers] = [passage.start, passage.end, 0];
    const [start, end] = [Math.min(from, passage.start), Math.max(to, passage.end)];
    const size = numbers + passage.vector.length;
    const isFull = group.length > 0 && (end - start > MOST_TEXT || size > MOST_NUMBERS);
    if (isFull) groups.push([passage]);
    else group.push(passage);
    [from, to, numbers] = isFull ? [passage.start, passage.end, passage.vector.length] : [start, end, size];
  }
  return groups.map((group) => bodyOf(text, group));
}

function bodyOf(text: string, passages: readonly EmbeddedPassage[]): DocumentBody {
  const least = passages.reduce((before, { start }) => Math.min(before, start), Number.POSITIVE_INFINITY);
  const end = passages.reduce((most, passage) => Math.max(most, passage.end), 0);
  const first = passages.length === 0 ? 0 : least;
  return {
    text: text.slice(first, end),
    at: first,
    spans: JSON.stringify(passages.map(({ start, end, context }) => (context ? [start, end, context] : [start, end]))),
    vectors: encodeVectors(passages.map(({ vector }) => vector)),
  };
}

function encodeVectors(vectors: readonly Float32Array[]): string {
  const bytes = vectors.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength));
  return Buffer.concat(bytes).toString('base64');
}

function decodeVectors(text: string, count: number): Float32Array[] {
  const bytes = Buffer.from(text, 'base64');
  // A copy, since numbers must stand at a multiple of four.
  const numbers = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const length = count === 0 ? 0 : numbers.length / count;
  return Array.from({ length: count }, (_, index) => numbers.subarray(index * length, (index + 1) * length));
}

/** The passages of a part. */
export function passagesOf({ text, at, spans, vectors }: DocumentBody, part: number): FilePassage[] {
  const offsets = JSON.parse(spans) as [number, number, string?][];
  const decoded = decodeVectors(vectors, offsets.length);
  return offsets.map(([from, to, context], index) => {
    const [start, end] = [from - at, to - at];
    return { part, start, end, text: text.slice(start, end), context, vector: decoded[index] as Float32Array };
  });
}
