import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { eventually } from '../../../support/time.ts';
import { completionOf, configure, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';
import { type KeptJob, keptJobs, slowSearchPlatform } from './slowSearch.ts';

/** A job that nobody polls ends after so long; the platform looks once a second. */
const AUTO_CANCEL_MS = 30_000;
/** Time limits of the tools: one that no test awaits, and shorter ones. */
const [LONG, SHORT, SHORTEST] = [100, 12, 6];

interface Asking {
  messages: { role: string; content: string }[];
}

/** Calls the tool that the question names, then answers. */
function answerTo({ messages }: Asking) {
  if (messages.at(-1)?.role === 'tool') return completionOf('done');
  return toolCallsOf([[messages.find(({ role }) => role === 'user')?.content, {}]]);
}

describe('searches that lose whom they are for', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startProvider(({ body }) => ({ status: 200, body: answerTo(body as unknown as Asking) }));
    platform = await slowSearchPlatform([LONG, SHORT, SHORTEST]);
    await configure(platform, 'up', provider.url);
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });

  const search = (user: string, seconds: number, signal?: AbortSignal) =>
    platform.sessionKey(user).then((key) =>
      fetch(`${platform.url}${MOUNT}/search`, {
        method: 'POST',
        headers: { authorization: `Splunk ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tool: `slow_${seconds}`, arguments: {} }),
        ...(signal ? { signal } : {}),
      }),
    );
  async function start(user: string, seconds: number): Promise<string> {
    const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, search_tools: [`slow_${seconds}`] };
    const input = `search__slow_${seconds}`;
    const reply = await platform.call(user, 'POST', `${MOUNT}/runs`, { definition, input, wait_s: 0 });
    expectStatus(reply, 200, 'a run');
    return reply.json.run_id;
  }
  /** Searches of the tool that have not ended. */
  const running = async (seconds: number): Promise<KeptJob[]> =>
    (await keptJobs(platform, seconds)).filter(({ isDone }) => !isDone);
  const begun = (seconds: number, count = 1) =>
    eventually(async () => (await running(seconds)).length === count, 60_000, 'the searches to run');
  /** @returns ms until no search of the tool is left running */
  async function ended(seconds: number, ms: number): Promise<number> {
    const from = performance.now();
    await eventually(async () => (await running(seconds)).length === 0, ms, 'the searches to end');
    return performance.now() - from;
  }
  const kill = (program: string): void => {
    const pids = platform.drivers(program);
    expect(pids, program).to.not.deep.equal([]);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };

  it('end by auto_cancel alone, within a minute after their driver and their worker were killed', async () => {
    const called = search('anna', LONG).catch(() => undefined);
    await start('bob', LONG);
    await begun(LONG, 2);
    const jobs = await running(LONG);
    expect(jobs.map(({ label, autoCancel }) => [label, autoCancel])).to.deep.equal([
      ['ml_extension', '30'],
      ['ml_extension', '30'],
    ]);
    // Neither a worker that tries again nor a reader of the run must be left.
    kill('mlagent');
    kill('ml_gateway.mjs');
    await called;
    const took = await ended(LONG, 60_000);
    // The last poll was at most 2 s before the kill.
    expect(took).to.be.within(AUTO_CANCEL_MS - 3000, 60_000);
    expect(await keptJobs(platform, LONG), 'removed as auto_cancel does').to.deep.equal([]);
  });

  it('end with their own time where their worker alone was killed', async () => {
    const id = await start('anna', SHORT);
    await begun(SHORT);
    kill('mlagent');
    expect(await ended(SHORT, 60_000)).to.be.below(SHORT * 1000 + 5000);
    const read = async () => (await platform.call('anna', 'GET', `${MOUNT}/runs/${id}`)).json.config;
    await eventually(async () => (await read()).state === 'succeeded', 60_000);
    const [, call] = (await read()).steps;
    expect(call).to.include({ name: `search__slow_${SHORT}`, state: 'failed', error_code: 'timeout' });
  });

  it('are cancelled with their run', async () => {
    const id = await start('anna', LONG);
    await begun(LONG);
    expectStatus(await platform.call('anna', 'POST', `${MOUNT}/runs/${id}/cancel`, {}), 200, 'the cancellation');
    // The holder of the run sees it with its next renewal.
    expect(await ended(LONG, 20_000)).to.be.below(10_000);
    const state = async () => (await platform.call('anna', 'GET', `${MOUNT}/runs/${id}`)).json.state;
    await eventually(async () => (await state()) === 'cancelled', 30_000);
  });

  it('end with their own time where their client has gone', async () => {
    const gone = new AbortController();
    const called = search('bob', SHORTEST, gone.signal).catch((error: Error) => error.name);
    await begun(SHORTEST);
    gone.abort();
    expect(await called).to.equal('AbortError');
    await sleep(1000);
    expect(await running(SHORTEST)).to.have.length(1);
    expect(await ended(SHORTEST, 60_000)).to.be.below(SHORTEST * 1000 + 5000);
    const after = await search('bob', SHORTEST);
    expect([after.status, ((await after.json()) as { error_code?: string }).error_code]).to.deep.equal([
      ...[504, 'timeout'],
    ]);
  });
});
