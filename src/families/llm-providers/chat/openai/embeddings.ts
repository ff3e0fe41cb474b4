import type { EmbedAnswer, EmbedRequest } from '../chat.ts';
import { malformed } from '../finish.ts';
import { asObject, count, defined, type Json } from '../json.ts';
import { embedAnswer } from '../vectors.ts';

export const toOpenAiEmbed = (model: string, { inputs, dimensions, user, others }: EmbedRequest): Json =>
  defined({ ...others, model, input: inputs, dimensions, encoding_format: 'float', user });

export function fromOpenAiEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.data)) return undefined;
  const { prompt_tokens: prompt, total_tokens: total } = asObject(body.usage);
  const vectors = inOrder(body.data.map(asObject)).map(({ embedding }) => toVector(embedding));
  // There is nothing but the prompt in the total.
  return embedAnswer(vectors, count(prompt) || count(total), body.model);
}

/** By their indices; as they came if there are none. */
function inOrder(items: readonly Json[]): readonly Json[] {
  if (items.every(({ index }) => index === undefined || index === null)) return items;
  const sorted = items.toSorted((a, b) => Number(a.index) - Number(b.index));
  if (sorted.some(({ index }, position) => index !== position)) throw malformed('embeddings with wrong indices');
  return sorted;
}

/** Some servers answer in base64 (float32, little endian) whatever they are asked for. */
function toVector(embedding: unknown): unknown {
  if (typeof embedding !== 'string') return embedding;
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}
