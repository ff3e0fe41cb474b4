import { unmasked } from '../../../masking/checkedBody.ts';
import type { Http } from '../../../ports/llm/http.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreOf } from '../kinds/kind.ts';
import { probeVector, TESTED_PASSAGES } from '../kinds/probe.ts';
import type { TestRun } from '../kinds/testRun.ts';
import { readMapping } from './mapping.ts';
import { searchIndex } from './search.ts';
import { searchServer } from './server.ts';

/** Reads the mapping of an index and searches it, with a vector of ours: nobody has masked the text of a test. */
export async function testIndex(
  target: Target<StoreOf<'OPENSEARCH'>>,
  http: Http,
  query: string | undefined,
  deadline: Deadline,
  run: TestRun,
): Promise<Record<never, never>> {
  const { details } = target.record;
  const server = searchServer(target, http);
  let dimensions: number | undefined;
  await run.step('get_knowledge_base', true, async () => {
    ({ dimensions } = await readMapping(server, details, deadline));
  });
  await run.step('retrieve', query !== undefined, async () => {
    const probe = { text: '', count: TESTED_PASSAGES, vector: probeVector(dimensions) };
    await searchIndex(server, details, unmasked(probe), deadline);
  });
  return {};
}
