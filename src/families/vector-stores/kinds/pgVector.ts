import { Fault } from '../../../contract/codes/faults.ts';
import { PASSAGE_DEFAULTS } from './details.ts';
import { embeddingTerms, passageProblems } from './embedding.ts';
import type { StoreKind, StoreOf } from './kind.ts';

export const pgVector: StoreKind<StoreOf<'PGVECTOR'>> = {
  required: ['host', 'database', 'table', 'id_column', 'text_column', 'vector_column', 'embedding_model'],
  defaults: { ...PASSAGE_DEFAULTS, port: 5432, ssl: 'verify' },
  addresses: () => ({}),
  problems: (details) => passageProblems(details),
  embedding: embeddingTerms,
  async test() {
    throw new Fault('not_supported', 'not yet');
  },
  search: () => async () => {
    throw new Fault('not_supported', 'not yet');
  },
  documents: () => {
    throw new Fault('not_supported', 'not yet');
  },
};
