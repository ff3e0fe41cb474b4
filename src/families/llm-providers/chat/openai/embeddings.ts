import { embedUsage } from '../answers.ts';
import type { EmbedAnswer, EmbedRequest } from '../chat.ts';
import { asList, asObject, count, defined, type Json } from '../json.ts';

export const toOpenAiEmbed = (model: string, { inputs, dimensions, user, others }: EmbedRequest): Json =>
  defined({ ...others, model, input: inputs, dimensions, encoding_format: 'float', user });

export function fromOpenAiEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.data)) return undefined;
  const items = body.data.map(asObject).sort((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0));
  return {
    vectors: items.map(({ embedding }) => toVector(embedding)),
    usage: embedUsage(count(asObject(body.usage).prompt_tokens)),
  };
}

/** Some servers answer in base64 (float32, little endian) whatever they are asked for. */
function toVector(embedding: unknown): number[] {
  if (typeof embedding !== 'string') return asList(embedding) as number[];
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, index) => bytes.readFloatLE(index * 4));
}
