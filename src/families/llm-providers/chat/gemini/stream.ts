import { asList, asObject, asText, type Json } from '../json.ts';

/** The answer that the chunks of a stream make up; undefined if its end is missing. */
export function joinGeminiChunks(chunks: readonly Json[]): Json | undefined {
  const candidates = chunks.flatMap((chunk) => asList(chunk.candidates).slice(0, 1).map(asObject));
  const { finishReason } = candidates.findLast((candidate) => asText(candidate.finishReason) !== '') ?? {};
  const whole: Json = Object.assign({}, ...chunks);
  if (candidates.length === 0) return whole;
  if (finishReason === undefined) return undefined;
  const parts = candidates.flatMap(({ content }) => asList(asObject(content).parts));
  return { ...whole, candidates: [{ content: { parts }, finishReason }] };
}
