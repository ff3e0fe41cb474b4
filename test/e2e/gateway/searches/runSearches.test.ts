import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Scripted, type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { type ScriptedPeer, startAnswering, tool } from '../../../support/peers/mcp/scripted.ts';
import { eventually } from '../../../support/time.ts';
import { type Row, searched } from '../../agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

const SAVED = '/servicesNS/nobody/ml_extension/saved/searches';
const WAITING = 'ML runs that wait for approval';
const FAILED = 'ML runs that failed or hold unverified claims';
const QUESTION = 'canary-of-a-question-52c1';

interface Asked {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
}

/** Calls every tool twice; after a result the answer. */
function answerTo({ messages, tools = [] }: Asked): Scripted {
  if (messages.at(-1)?.role === 'tool') return { status: 200, body: completionOf('done') };
  if (messages.at(-1)?.content.includes('fails')) return { status: 401, body: { error: { message: 'no' } } };
  if (messages.at(-1)?.content.includes('invents'))
    return { status: 200, body: completionOf('It came from 203.0.113.8 and 203.0.113.9.') };
  const names = tools.map(({ function: { name } }) => name);
  const calls = names.flatMap((name) => [name, name]).map((name) => [name, {}] as [string, object]);
  return { status: 200, body: calls.length > 0 ? toolCallsOf(calls) : completionOf('no tools') };
}

describe('the saved searches for runs', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let server: ScriptedPeer;

  before(async () => {
    provider = await startProvider(({ body }) => answerTo(body as unknown as Asked));
    server = await startAnswering('tools/call', () => {}, [tool('restart')]);
    platform = await gatewayPlatform();
    await configure(platform, 'up', provider.url);
    const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
    const desk = { name: 'Desk', type: 'PLATFORM', details: { url: server.url }, acl };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', desk), 200, 'a connection');
    const agent = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, acl };
    const acting = { ...agent, name: 'helper', mcps: [{ name: 'Desk' }], approve_tools: 'always' };
    expectStatus(await platform.ml('anna', 'POST', '/agents', acting), 200, 'an agent');
    expectStatus(
      await platform.ml('anna', 'POST', '/agents', { ...agent, name: 'talker', check_evidence: true }),
      200,
      'an agent',
    );
  });
  after(async () => {
    await platform?.dispose();
    await Promise.all([provider?.close(), server?.close()]);
  });

  const runs = (method: string, path: string, body?: object): Promise<Reply> =>
    platform.call('bob', method, `${MOUNT}/runs${path}`, body);
  async function start(agent: string, input = QUESTION): Promise<string> {
    const reply = await runs('POST', '', { agent, input, worker: 'caller' });
    expectStatus(reply, 200, 'a run');
    return reply.json.run_id;
  }
  async function worked(id: string): Promise<string> {
    let state = 'queued';
    while (state === 'queued' || state === 'running') state = (await runs('POST', `/${id}/step`)).json.state;
    return state;
  }
  async function decide(id: string): Promise<void> {
    for (const step of [1, 2]) {
      const reply = await runs('POST', `/${id}/approve`, { step, decision: 'reject' });
      expectStatus(reply, 200, 'a decision');
    }
  }
  async function rowsOf(name: string): Promise<Row[]> {
    const reply = await platform.admin('GET', `${SAVED}/${encodeURIComponent(name)}?output_mode=json`);
    expectStatus(reply, 200, name);
    const { search, disabled, is_scheduled } = reply.json.entry[0].content;
    expect([disabled, is_scheduled]).to.deep.equal([true, true]);
    return (await searched(platform, 'admin', `search ${search}`)).rows;
  }

  it('find the runs that wait now, with the tools, and those that failed or have unverified claims', async () => {
    const [decided, waiting, failing, doubtful, good] = [
      await start('helper'),
      await start('helper'),
      await start('talker', `${QUESTION} fails`),
      await start('talker', `${QUESTION} invents`),
      await start('talker'),
    ] as const;
    for (const id of [decided, waiting]) expect(await worked(id)).to.equal('waiting_for_approval');
    await decide(decided);
    expect(await worked(decided)).to.equal('succeeded');
    expect(await worked(failing)).to.equal('failed');
    for (const id of [doubtful, good]) expect(await worked(id)).to.equal('succeeded');
    await eventually(async () => (await rowsOf(FAILED)).length === 2, 20_000, 'the events of runs');

    await eventually(async () => (await rowsOf(WAITING)).length === 1, 20_000, 'the last event of each run');
    const [row, ...others] = await rowsOf(WAITING);
    expect(others).to.deep.equal([]);
    expect(row).to.include({ run_id: waiting, agent: 'helper', user: 'bob', tools: 'Desk__restart, Desk__restart' });
    expect(Number(row?.since)).to.be.closeTo(Date.now() / 1000, 120);

    const facts = (await rowsOf(FAILED)).map(({ run_id, state, error_code = '', unverified = '', ...more }) => ({
      ...{ agent: more.agent, user: more.user, run_id, state, error_code, unverified },
    }));
    const own = { agent: 'talker', user: 'bob' };
    expect(facts).to.deep.equal([
      { ...own, run_id: doubtful, state: 'succeeded', error_code: '', unverified: '2' },
      { ...own, run_id: failing, state: 'failed', error_code: 'auth_failed', unverified: '' },
    ]);
  });

  it('read events without any content', async () => {
    const { rows } = await searched(platform, 'admin', 'search index=_internal sourcetype=ml_extension:run');
    expect(rows.length).to.be.at.least(15);
    expect(JSON.stringify(rows)).to.not.contain(QUESTION);
    for (const { state, time } of rows) {
      expect(state).to.match(/^(queued|running|waiting_for_approval|succeeded|failed)$/);
      expect(Number(time)).to.be.closeTo(Date.now() / 1000, 120);
    }
  });
});
