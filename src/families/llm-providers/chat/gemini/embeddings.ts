import type { EmbedAnswer, EmbedRequest } from '../chat.ts';
import { asObject, defined, type Json } from '../json.ts';
import { embedAnswer } from '../vectors.ts';

/** @param resource `models/<name>` */
export function toGeminiEmbed(resource: string, { inputs, dimensions, inputType }: EmbedRequest): Json {
  const taskType = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' }[inputType ?? 'document'];
  return {
    requests: inputs.map((text) =>
      defined({ model: resource, content: { parts: [{ text }] }, taskType, outputDimensionality: dimensions }),
    ),
  };
}

export function fromGeminiEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.embeddings)) return undefined;
  const vectors = body.embeddings.map((embedding) => asObject(embedding).values);
  return embedAnswer(vectors, undefined, body.modelVersion);
}
