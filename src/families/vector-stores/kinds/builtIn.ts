import { Fault } from '../../../contract/codes/faults.ts';
import { PASSAGE_DEFAULTS } from './details.ts';
import { embeddingTerms, passageProblems } from './embedding.ts';
import type { StoreKind, StoreOf } from './kind.ts';

export const builtIn: StoreKind<StoreOf<'BUILT_IN'>> = {
  required: ['embedding_model'],
  defaults: PASSAGE_DEFAULTS,
  addresses: () => ({}),
  problems: (details) => passageProblems(details),
  embedding: embeddingTerms,
  async test() {
    throw new Fault('not_supported', 'not yet');
  },
  search: () => async () => {
    throw new Fault('not_supported', 'not yet');
  },
};
