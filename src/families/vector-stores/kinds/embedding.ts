import type { Problem } from '../../../contract/codes/faults.ts';
import type { EmbeddingTerms } from './kind.ts';

/** Sizes of passages, in tokens. */
export const PASSAGE_DEFAULTS = { chunk_tokens: 400, overlap_tokens: 50 } as const;
export const PASSAGE_SIZES = Object.keys(PASSAGE_DEFAULTS) as (keyof typeof PASSAGE_DEFAULTS)[];

/** The part of the details that says how texts are embedded. */
export interface EmbeddingDetails {
  embedding_model: string;
  chunk_tokens?: number | undefined;
  overlap_tokens?: number | undefined;
}

export function embeddingTerms({ embedding_model: model, ...sizes }: EmbeddingDetails): EmbeddingTerms {
  const { chunk_tokens: chunkTokens, overlap_tokens: overlapTokens } = { ...PASSAGE_DEFAULTS, ...sizes };
  return { model, chunkTokens: chunkTokens as number, overlapTokens: overlapTokens as number };
}

export function passageProblems(details: EmbeddingDetails): Problem[] {
  const { chunkTokens, overlapTokens } = embeddingTerms(details);
  return overlapTokens < chunkTokens
    ? []
    : [{ field: 'details.overlap_tokens', message: `must be less than chunk_tokens, which is ${chunkTokens}` }];
}
