import type { Problem } from '../../../contract/codes/faults.ts';
import { certificateProblem } from '../../../domain/net/certificates.ts';
import { plainUrlProblem, withoutTrailingSlashes } from '../../../domain/net/url.ts';
import { unmasked } from '../../../masking/checkedBody.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { catalogueOf, savedCatalogue } from './documentList.ts';
import { embeddingTerms, PASSAGE_DEFAULTS, PASSAGE_SIZES, passageProblems } from './embedding.ts';
import type { StoreKind, StoreOf } from './kind.ts';
import { detailProblems, loginProblems, textOf } from './logins.ts';
import { probeQuery } from './probe.ts';

/** Names of several indexes, and what the server itself does not allow in a name. */
const NO_INDEX = /^[_\-+.]|[\\/*?"<>|\s,#:]|[A-Z]/;

/** `OPENSEARCH`: an index of OpenSearch or Elasticsearch; which of them it is shows in its mapping. */
export const openSearch: StoreKind<StoreOf<'OPENSEARCH'>> = {
  required: ['url', 'index', 'vector_field', 'text_field', 'embedding_model'],
  optional: [
    'id_field',
    'metadata_field',
    'username',
    'password',
    'api_key',
    'verify_tls',
    'ca_certificate',
    ...PASSAGE_SIZES,
  ],
  defaults: { ...PASSAGE_DEFAULTS, verify_tls: true },
  addresses: ({ url }) => ({ 'details.url': url }),
  trust: ({ verify_tls: verify = true, ca_certificate: ca }) => ({
    'details.verify_tls or details.ca_certificate': { verify, ca },
  }),
  problems: (details, secrets) => [
    ...detailProblems({
      url: details.url === undefined ? undefined : plainUrlProblem(details.url),
      index: NO_INDEX.test(textOf(details.index) ?? '')
        ? 'must be the name of one index or alias, in lower case'
        : undefined,
      ca_certificate: certificateProblem(textOf(details.ca_certificate)),
    }),
    ...loginProblems(details.username, secrets),
    ...keyProblems(details.username, secrets),
    ...passageProblems(details),
  ],
  embedding: embeddingTerms,
  /** Reads the mapping and searches, with a vector of ours: nobody has masked the text of a test. */
  async test(target, { llm }, query, deadline, run) {
    const { searchServer } = await import('../openSearch/server.ts');
    const { details } = target.record;
    const server = searchServer(target, llm.http);
    let dimensions: number | undefined;
    await run.step('get_knowledge_base', true, async () => {
      const { readMapping } = await import('../openSearch/mapping.ts');
      ({ dimensions } = await readMapping(server, details, deadline));
    });
    await run.step('retrieve', query !== undefined, async () => {
      const { searchIndex } = await import('../openSearch/search.ts');
      await searchIndex(server, details, unmasked(probeQuery(dimensions)), deadline);
    });
    return {};
  },
  search(target, deps) {
    const { llm } = deps;
    return async (query, upstream) => {
      const { withDocumentIds } = await import('../external/documentIds.ts');
      const { searchServer } = await import('../openSearch/server.ts');
      const { searchIndex } = await import('../openSearch/search.ts');
      const passages = await searchIndex(searchServer(target, llm.http), target.record.details, query, upstream);
      return withDocumentIds(catalogueOf(deps, target, openSearch), passages);
    };
  },
  place: ({ url, index }) => JSON.stringify([withoutTrailingSlashes(url), index]),
  documents(target, deps) {
    const { llm } = deps;
    const { details } = target.record;
    const catalogue = savedCatalogue(catalogueOf(deps, target, openSearch));
    const open = async (deadline: Deadline) => {
      const { searchServer } = await import('../openSearch/server.ts');
      const { openIndex } = await import('../openSearch/passageTable.ts');
      return openIndex(searchServer(target, llm.http), details, target.hidden, deadline);
    };
    return {
      async replace(documents, upstream) {
        const { replaceDocuments } = await import('../external/storeDocuments.ts');
        return replaceDocuments(catalogue, details, await open(upstream), documents);
      },
      async remove(ids, upstream) {
        const { removeDocuments } = await import('../external/storeDocuments.ts');
        return removeDocuments(catalogue, await open(upstream), ids);
      },
    };
  },
};

function keyProblems(username: string | undefined, secrets: readonly string[]): Problem[] {
  if (!secrets.includes('details/api_key')) return [];
  const others = [
    ...(secrets.includes('details/password') ? ['details.password'] : []),
    ...(username === undefined ? [] : ['details.username']),
  ];
  return others.map((field) => ({ field, message: 'cannot be used together with details.api_key' }));
}
