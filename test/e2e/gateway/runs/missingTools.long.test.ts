import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { type ScriptedPeer, startScripted } from '../../../support/peers/mcp/scripted.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { completionOf, configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const TOOL = { name: 'look', description: 'Looks', inputSchema: { type: 'object' } };
const MISSING = [{ kind: 'mcp_connection', name: 'Hangs', error_code: 'timeout' }];

describe('a run with three servers of which one hangs', function () {
  this.timeout(240_000);
  const peers = new Peers();
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let hanging: ScriptedPeer;
  let hangs = true;
  let asked: { messages: { role: string; content: string }[]; tools?: { function: { name: string } }[] }[] = [];

  before(async () => {
    provider = await startProvider(({ body }) => {
      asked.push(body as never);
      return { status: 200, body: completionOf('answer') };
    });
    platform = await gatewayPlatform();
    await configure(platform, 'up', provider.url);
    for (const name of ['One', 'Two', 'Hangs']) {
      const server = await peers.started(
        startScripted(
          () => name === 'Hangs' && hangs,
          () => ({ tools: [TOOL] }),
        ),
      );
      if (name === 'Hangs') hanging = server;
      const body = { name, type: 'PLATFORM', details: { url: server.url } };
      expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, name);
    }
  });
  after(async () => {
    await platform?.dispose();
    await provider?.close();
  });
  beforeEach(() => {
    hangs = true;
    asked = [];
    hanging.log.length = 0;
  });

  const runs = async (method: string, path: string, body?: object) => {
    const reply = await platform.call('anna', method, `${MOUNT}/runs${path}`, body);
    expectStatus(reply, 200, path);
    return reply.json;
  };
  const start = async (more: object, worker = 'job'): Promise<string> => {
    const mcps = ['One', 'Two', 'Hangs'].map((name) => ({ name }));
    const definition = { runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, mcps, ...more };
    return (await runs('POST', '', { definition, input: 'look', worker, wait_s: 0 })).run_id;
  };
  const ended = async (id: string) => {
    await eventually(async () => !['queued', 'running'].includes((await runs('GET', `/${id}`)).state), 120_000);
    return (await runs('GET', `/${id}`)).config;
  };
  /** Reads the tools of the servers again, as each process has kept them. */
  const change = () => platform.ml('anna', 'PUT', '/mcp_connection', { name: 'Hangs', description: `${Date.now()}` });

  it('fails by default after three tries, without asking the model', async () => {
    const run = await ended(await start({}));
    expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
    expect(run.message).to.contain('the MCP connection Hangs (timeout)');
    expect(run.steps).to.have.length(1);
    expect(run.steps[0].unavailable).to.deep.equal(MISSING);
    expect(run.ended_at - run.started_at).to.be.within(39, 75);
    expect(hanging.log.filter((request) => request === hanging.log[0])).to.have.length(3);
    expect(asked).to.deep.equal([]);
  });

  it('goes on at once without its tools where the agent says so, and tells the model', async () => {
    await change();
    const run = await ended(await start({ on_unavailable: 'continue' }));
    expect(run).to.include({ state: 'succeeded', output: 'answer' });
    expect(run.steps[0].unavailable).to.deep.equal(MISSING);
    expect(run.ended_at - run.started_at).to.be.within(9, 30);
    const [{ messages = [], tools = [] } = {}] = asked;
    expect(messages[0]).to.include({ role: 'system' });
    expect(messages[0]?.content).to.contain('the MCP connection Hangs (timeout)');
    expect(tools.map((tool) => tool.function.name)).to.deep.equal(['One__look', 'Two__look']);
  });

  it('succeeds if the server answers at the second try, made by another process', async () => {
    await change();
    const id = await start({}, 'caller');
    const first = await runs('POST', `/${id}/step`);
    expect([first.state, first.step]).to.deep.equal(['running', undefined]);
    for (const pid of platform.drivers('ml_gateway.mjs')) process.kill(pid, 'SIGKILL');
    hangs = false;
    const second = await runs('POST', `/${id}/step`);
    expect(second.state).to.equal('succeeded');
    expect(second.step.unavailable).to.deep.equal([]);
    expect(asked[0]?.tools).to.have.length(3);
  });
});
