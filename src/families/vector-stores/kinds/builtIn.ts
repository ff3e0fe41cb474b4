import { stringifyExact } from '../../../contract/exactJson.ts';
import { checkBody } from '../../../masking/checkedBody.ts';
import type { Target } from '../../../resources/target.ts';
import { followedFile } from '../builtIn/follow.ts';
import { searchPassages } from '../builtIn/searchPassages.ts';
import { removeDocuments, replaceDocuments } from '../builtIn/storeDocuments.ts';
import { Catalogue, type StoreRecord } from '../documents/catalogue.ts';
import { embeddingTerms, PASSAGE_DEFAULTS, PASSAGE_SIZES, passageProblems } from './embedding.ts';
import type { StoreDependencies, StoreKind, StoreOf } from './kind.ts';

type BuiltIn = StoreOf<'BUILT_IN'>;

/** `BUILT_IN`: documents of the KV store, searched in a file of this member. */
export const builtIn: StoreKind<BuiltIn> = {
  required: ['embedding_model'],
  optional: PASSAGE_SIZES,
  defaults: PASSAGE_DEFAULTS,
  addresses: () => ({}),
  problems: (details) => passageProblems(details),
  embedding: embeddingTerms,
  /** Brings the file up to date and searches it, without a provider: the words of the query, and a vector of no meaning. */
  async test(target, deps, query, deadline, run) {
    const site = siteOf(target, deps);
    let dimensions = 0;
    await run.step('get_knowledge_base', true, async () => {
      const followed = site && (await followedFile(site, deadline));
      dimensions = followed?.file.facts()?.dimensions ?? 0;
    });
    await run.step('retrieve', query !== undefined, async () => {
      const vector = dimensions > 0 ? new Float32Array(dimensions).fill(1) : undefined;
      if (site) await searchPassages(site, { text: query ?? '', vector, count: TESTED_PASSAGES }, deadline);
    });
    return {};
  },
  search(target, deps) {
    const site = siteOf(target, deps);
    return async (outgoing, upstream) => {
      const { text, count, searchType, filter, vector } = outgoing;
      // Nothing leaves the platform, but the store is searched for what was masked when it was written.
      checkBody(outgoing, () => stringifyExact({ text, filter }));
      return site ? searchPassages(site, { text, count, searchType, filter, vector }, upstream) : [];
    };
  },
  documents(target, deps) {
    const catalogue = new Catalogue(deps.stores, savedRecord(target) as StoreRecord);
    const { details } = target.record;
    return {
      async replace(documents) {
        for (const document of documents) checkBody(document, () => stringifyExact([document.text, document.metadata]));
        await replaceDocuments(catalogue, details, documents);
        return documents.map(() => undefined);
      },
      remove: (ids) => removeDocuments(catalogue, ids),
    };
  },
};

/** Few, since one proves that retrieval works. */
const TESTED_PASSAGES = 3;

const savedRecord = ({ saved }: Target<BuiltIn>): StoreRecord | undefined => saved;

/** Undefined for a store that is not saved, which has no documents. */
function siteOf(target: Target<BuiltIn>, { stores, passageFiles: files }: StoreDependencies) {
  const record = savedRecord(target);
  return record && { files, stores, catalogue: new Catalogue(stores, record) };
}
