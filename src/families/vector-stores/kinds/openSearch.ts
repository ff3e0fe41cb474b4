import { Fault } from '../../../contract/codes/faults.ts';
import { PASSAGE_DEFAULTS } from './details.ts';
import { embeddingTerms, passageProblems } from './embedding.ts';
import type { StoreKind, StoreOf } from './kind.ts';

export const openSearch: StoreKind<StoreOf<'OPENSEARCH'>> = {
  required: ['url', 'index', 'vector_field', 'text_field', 'embedding_model'],
  defaults: { ...PASSAGE_DEFAULTS, verify_tls: true },
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
