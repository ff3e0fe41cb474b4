import type { Static } from 'typebox';
import { invalid } from '../../contract/codes/faults.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type { VectorQuery } from '../../families/vector-stores/public.ts';
import type { Outgoing } from '../../masking/outgoing.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { Passage, PassageQuery } from '../../ports/cloud/passages.ts';
import { scopeOf, storeScope, type ValuedAnswer, withValues } from '../masking/answers.ts';
import { withCheckedBodies } from '../masking/chats.ts';
import { maskFor } from '../masking/masker.ts';
import type { Operation, OperationResult, Target } from '../operation.ts';
import { filterProblems, withFilterTexts } from '../retrieval/filter.ts';
import type { RetrieveBody, RetrieveReply } from '../retrieval/schemas.ts';
import { embedForStore } from './lentEmbed.ts';
import { storePlan, storeTarget } from './storePlan.ts';

export type RetrieveInput = Static<typeof RetrieveBody>;

const DEFAULT_COUNT = 5;

/** @throws Fault `validation_failed` with all problems of the filter */
export function assertFilter({ filter }: Pick<RetrieveInput, 'filter'>): void {
  const problems = filter === undefined ? [] : filterProblems(filter);
  if (problems.length > 0) throw invalid(problems);
}

/** Looks for passages in a vector store. */
export const retrieve: Operation<
  RetrieveInput,
  Target,
  ValuedAnswer<readonly Passage[]>,
  Static<typeof RetrieveReply>
> = {
  name: 'retrieve',
  row: 'retrievePassages',
  flag: 'vector_stores',
  async open(context, body) {
    const { deps, caller, use } = context;
    const { query, number_of_results: count = DEFAULT_COUNT, filter, search_type: searchType, timeout_s } = body;
    assertFilter(body);
    const store = await deps.openStore(caller, body.store);
    const { name, search, embedding } = store;
    let embedded: Pick<OperationResult<unknown>, 'tokens' | 'charge'> = { tokens: NO_TOKENS, charge: undefined };
    return async () => ({
      ...storePlan(store),
      input: { query, ...(filter ? { filter } : {}) },
      timeoutMs: timeout_s === undefined ? undefined : timeout_s * 1000,
      async send(upstream) {
        const scope = embedding ? storeScope(name) : scopeOf(deps.origin, name);
        const task = { operation: 'retrieve', target: storeTarget(store), scope } as const;
        const { content, masked } = await maskFor(
          context,
          task,
          { text: query, count, searchType, filter },
          withQueryTexts,
        );
        if (masked) use.input = { query: content.text, ...(filter ? { filter: content.filter } : {}) };
        let asked: Outgoing<VectorQuery> = content;
        if (embedding) {
          const texts = [{ owner: 0, text: content.text }];
          const lent = {
            store: name,
            reference: embedding.model,
            inputType: 'query',
            texts,
            failsAlone: false,
          } as const;
          const { response, ...facts } = await embedForStore(context, upstream, lent);
          embedded = facts;
          asked = { ...content, vector: response.vectors[0] };
        }
        const passages = await withCheckedBodies(() =>
          upstream.request(() => unlessAborted(search(asked, upstream), upstream.signal)),
        );
        return withValues(passages, masked);
      },
      result({ answer, logged }) {
        const ranked = (passages: readonly Passage[]) =>
          passages.slice(0, count).map((passage, index) => ({ rank: index + 1, ...passage }));
        const response = { result: ranked(answer) };
        return { response, ...embedded, output: ranked(logged), warnings: use.warnings };
      },
    });
  },
};

const withQueryTexts = (query: PassageQuery, replace: (text: string) => string): PassageQuery => ({
  ...query,
  text: replace(query.text),
  filter: query.filter && withFilterTexts(query.filter, replace),
});
