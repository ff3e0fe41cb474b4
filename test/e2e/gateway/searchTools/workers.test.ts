import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { eventually } from '../../../support/time.ts';
import { completionOf, configure, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';
import { slowSearchPlatform } from './slowSearch.ts';

const RUNS = 3;
const SECONDS = 2;
const TOOL = `slow_${SECONDS}`;
const USERS = ['anna', 'bob'] as const;

interface Asking {
  messages: { role: string; content: string }[];
}

/** Two calls of the tool at once, so that a user has as many searches as are possible. */
function answerTo({ messages }: Asking) {
  if (messages.at(-1)?.role === 'tool') return completionOf('done');
  return toolCallsOf([
    [`search__${TOOL}`, {}],
    [`search__${TOOL}`, {}],
  ]);
}

describe('the workers of runs that search, on the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider(({ body }) => ({ status: 200, body: answerTo(body as unknown as Asking) }));
    platform = await slowSearchPlatform([SECONDS]);
    await configure(platform, 'up', provider.url);
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  const runs = (user: string, method: string, path: string, body?: object): Promise<Reply> =>
    platform.call(user, method, `${MOUNT}/runs${path}`, body);

  /** Searches that have not ended, by owner: those of workers and those of tools. */
  async function active(): Promise<{ user: string; isWorker: boolean }[]> {
    const { json } = await platform.admin('GET', '/servicesNS/-/-/search/jobs?count=0');
    const jobs = json.entry as { name: string; author: string; content: { isDone: boolean; dispatchState: string } }[];
    return jobs
      .filter(({ content }) => !content.isDone)
      .map(({ name, author }) => ({ user: author, isWorker: name.includes('mlagent') }));
  }

  it('are one for each user, whose runs all end though nobody reads them', async () => {
    const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, search_tools: [TOOL] };
    const body = { definition, input: 'x', wait_s: 0 };
    const started = await Promise.all(
      USERS.flatMap((user) => Array.from({ length: RUNS }, () => runs(user, 'POST', '', body))),
    );
    for (const reply of started) expectStatus(reply, 200, 'a run');
    expect(started.flatMap(({ json }) => json.warnings ?? [])).to.deep.equal([]);
    const most = { workers: 0, searches: 0 };
    const look = async () => {
      const jobs = await active();
      for (const user of USERS) {
        const own = jobs.filter((job) => job.user === user);
        most.workers = Math.max(most.workers, own.filter(({ isWorker }) => isWorker).length);
        most.searches = Math.max(most.searches, own.length);
      }
      const stored = await platform.documents('ml_runs');
      return stored.every(({ state }) => state === 'succeeded');
    };
    await eventually(look, 120_000, 'all runs to end');
    expect(most).to.deep.equal({ workers: 1, searches: 3 });
    expect(await platform.documents('ml_runs')).to.have.length(USERS.length * RUNS);
    const claims = (await platform.documents('ml_run_claims')).filter(({ kind }) => kind === 'job');
    expect(new Set(claims.map(({ job_id }) => job_id)).size, 'searches that took steps').to.equal(USERS.length);
  });
});
