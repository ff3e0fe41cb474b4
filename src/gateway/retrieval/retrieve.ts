import type { Static } from 'typebox';
import type { Caller } from '../../contract/caller.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted, within } from '../../domain/async/deadline.ts';
import type { OpenStore } from '../../families/vector-stores/public.ts';
import { withRepeat } from '../use/repeat.ts';
import type { Served, Serving } from '../use/serving.ts';
import { NO_TOKENS } from '../use/tokens.ts';
import { filterProblems } from './filter.ts';
import type { RetrieveBody, RetrieveReply } from './schemas.ts';

export type RetrieveInput = Static<typeof RetrieveBody>;

export interface RetrievalDependencies {
  /** Of this request: a batch reads a store once. @throws Fault `not_found` */
  openStore(caller: Caller, name: string): Promise<OpenStore>;
}

const DEFAULT_COUNT = 5;

/** @throws Fault `validation_failed` with all problems of the filter */
export function assertFilter({ filter }: Pick<RetrieveInput, 'filter'>): void {
  const problems = filter === undefined ? [] : filterProblems(filter);
  if (problems.length > 0) throw invalid(problems);
}

/** Looks for passages in a vector store. @throws Fault; OutboundError */
export async function serveRetrieve(
  deps: RetrievalDependencies,
  body: RetrieveInput,
  { caller, use, enter, waits, beforeCall }: Serving,
): Promise<Served<Static<typeof RetrieveReply>>> {
  const { query, number_of_results: count = DEFAULT_COUNT, filter, search_type: searchType, timeout_s } = body;
  assertFilter(body);
  const { name, type, search } = await deps.openStore(caller, body.store);
  const outer = await enter();
  using deadline = within(outer, timeout_s === undefined ? outer.remaining() : timeout_s * 1000);
  const target = { service: type, connection_name: name, model: name };
  const input = { query, ...(filter ? { filter } : {}) };
  const deadlineMs = deadline.remaining();
  use.describe({ operation: 'retrieve', alias: undefined, target, prices: () => undefined, deadlineMs, input });
  await use.begin(target);
  await beforeCall?.();
  const ask = async () => {
    const found = search({ text: query, count, searchType, filter }, deadline);
    return { passages: await unlessAborted(found, deadline.signal), attempts: 1 };
  };
  try {
    const { passages, attempts } = await use.meter.upstream(() => withRepeat(ask, { deadline, waits }));
    use.answered(attempts);
    const result = passages.slice(0, count).map((passage, index) => ({ rank: index + 1, ...passage }));
    use.output = result;
    return { response: { result }, tokens: NO_TOKENS, charge: undefined, warnings: use.warnings };
  } catch (thrown) {
    const isLate = deadline.signal.aborted && !(thrown instanceof OutboundError || thrown instanceof Fault);
    const error = isLate ? new OutboundError('timeout', `The vector store ${name} did not answer in time`) : thrown;
    use.failed(error);
    throw error;
  }
}
