import type { Static } from 'typebox';
import { invalid } from '../../contract/codes/faults.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { NO_TOKENS } from '../../metering/tokens.ts';
import type { Passage } from '../../ports/cloud/passages.ts';
import type { Operation, Target } from '../operation.ts';
import { filterProblems } from '../retrieval/filter.ts';
import type { RetrieveBody, RetrieveReply } from '../retrieval/schemas.ts';

export type RetrieveInput = Static<typeof RetrieveBody>;

const DEFAULT_COUNT = 5;

/** @throws Fault `validation_failed` with all problems of the filter */
export function assertFilter({ filter }: Pick<RetrieveInput, 'filter'>): void {
  const problems = filter === undefined ? [] : filterProblems(filter);
  if (problems.length > 0) throw invalid(problems);
}

/** Looks for passages in a vector store. */
export const retrieve: Operation<RetrieveInput, Target, readonly Passage[], Static<typeof RetrieveReply>> = {
  name: 'retrieve',
  row: 'retrievePassages',
  flag: 'vector_stores',
  async open({ deps, caller, use }, body) {
    const { query, number_of_results: count = DEFAULT_COUNT, filter, search_type: searchType, timeout_s } = body;
    assertFilter(body);
    const { name, type, search } = await deps.openStore(caller, body.store);
    const target = { service: type, connection_name: name, model: name };
    return async () => ({
      input: { query, ...(filter ? { filter } : {}) },
      timeoutMs: timeout_s === undefined ? undefined : timeout_s * 1000,
      targets: [target],
      open: async () => target,
      lateText: () => `The vector store ${name} did not answer in time`,
      send: (upstream) =>
        upstream.request(() =>
          unlessAborted(search({ text: query, count, searchType, filter }, upstream), upstream.signal),
        ),
      result(passages) {
        const result = passages.slice(0, count).map((passage, index) => ({ rank: index + 1, ...passage }));
        const response = { result };
        return { response, tokens: NO_TOKENS, charge: undefined, output: result, warnings: use.warnings };
      },
    });
  },
};
