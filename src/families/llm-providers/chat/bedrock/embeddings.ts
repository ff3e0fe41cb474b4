import type { EmbedAnswer, EmbedRequest } from '../chat.ts';
import { asObject, count, defined, type Json } from '../json.ts';
import { embedAnswer } from '../vectors.ts';

const isCohere = (model: string) => /(^|[./])cohere\./.test(model);
/** The first Titan takes a text and nothing else; Cohere has dimensions since version 4. */
const hasFixedSize = (model: string) =>
  /titan-embed-(?:g1-)?text-(?:v1|01|02)|cohere\.embed-(?:english|multilingual)-v3/.test(model);

/** How many texts one call takes. */
export const bedrockEmbedBatch = (model: string): number => (isCohere(model) ? 96 : 1);

/** Wire names of fields that the model does not support. */
export const unsupportedByEmbedding = (model: string, { dimensions }: EmbedRequest): string[] =>
  dimensions !== undefined && hasFixedSize(model) ? ['dimensions'] : [];

/** The body of InvokeModel for an embedding model. */
export function toBedrockEmbed(model: string, { inputs, dimensions, inputType }: EmbedRequest): Json {
  const size = hasFixedSize(model) ? undefined : dimensions;
  if (isCohere(model)) {
    return defined({
      texts: inputs,
      input_type: inputType === 'query' ? 'search_query' : 'search_document',
      truncate: 'NONE',
      embedding_types: ['float'],
      output_dimension: size,
    });
  }
  const [inputText = ''] = inputs;
  return defined({ inputText, dimensions: size, normalize: hasFixedSize(model) ? undefined : true });
}

/** @param headerTokens from a header: Cohere has no usage in the body */
export function fromBedrockEmbed(body: Json, headerTokens?: number): EmbedAnswer | undefined {
  const { embedding, embeddings } = body;
  const many = Array.isArray(embeddings) ? embeddings : asObject(embeddings).float;
  const vectors = Array.isArray(embedding) ? [embedding] : many;
  if (!Array.isArray(vectors)) return undefined;
  return embedAnswer(vectors, count(body.inputTextTokenCount) ?? count(headerTokens));
}
