import { createServer, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startManyEngine } from '../../../support/containers/manyEngine.ts';
import { connectCloud } from '../../../support/e2e/agentCloud.ts';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { AgentCorePeer, CLOUD_KEYS } from '../../../support/peers/aws/agentCore.ts';
import { listen, readBody, sendJson } from '../../../support/peers/listen.ts';
import { eventually } from '../../../support/time.ts';
import { finished, results, searched } from '../../agents/agentSupport.ts';
import { ContainerClient } from '../../containers/containerSupport.ts';
import { gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';

const AWS = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/aws';
const TOKEN = 'canary-agent-token';
const SHARED = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };

describe('runs of agents that run elsewhere, on the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let cloud: AgentCorePeer;
  const closers: (() => Promise<void>)[] = [];
  /** Answers that are held back. */
  const held: (() => void)[] = [];
  let holds = false;
  let calls = 0;

  const answer = (response: ServerResponse, { input }: { input: unknown }): void => {
    calls += 1;
    const now = () => sendJson(response, 200, { output: `heard ${input}` });
    if (holds) held.push(now);
    else now();
  };
  const agent = createServer(async (request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`;
    if (!isKnown) return sendJson(response, 401, {});
    if (request.url === '/ping') return sendJson(response, 200, { status: 'HealthyBusy' });
    if (request.url !== '/invocations') return sendJson(response, 404, {});
    return answer(response, JSON.parse(await readBody(request)));
  });

  before(async () => {
    cloud = await AgentCorePeer.start();
    cloud.agent = answer;
    const server = await listen(agent);
    const engine = await startManyEngine([server.port]);
    closers.push(() => cloud.stop(), server.close, engine.close);
    platform = await gatewayPlatform();
    await connectCloud(platform, cloud.url);
    const aws = { endpoint_url_bedrock_agentcore: cloud.url };
    expectStatus(await platform.admin('POST', AWS, aws), 200, '[aws]');
    const client = new ContainerClient(platform);
    expectStatus(await client.save({ ...engine.connection, api_token: TOKEN }), 200, 'a connection');
    await client.data();
    engine.belongsTo(await client.installation());
    expect((await client.data()).json.config['model-0'].protocol).to.equal('agent');
    const inContainer = { name: 'inbox', runtime_type: 'CONTAINER', runtime: { container: 'model-0' }, acl: SHARED };
    expectStatus(await platform.ml('anna', 'POST', '/agents', inContainer), 200, 'inbox');
    expectStatus(await platform.ml('anna', 'POST', '/agents', { name: 'triage', acl: SHARED }), 200, 'triage');
    const state = async () => (await platform.ml('anna', 'GET', '/agents/triage')).json.config.state;
    await eventually(async () => (await state()) === 'Available', 60_000);
  });
  after(async () => {
    for (const one of held) one();
    await platform?.dispose();
    await Promise.all(closers.map((close) => close()));
  });
  beforeEach(() => {
    calls = 0;
    holds = false;
  });

  const runs = (method: string, path: string, body?: object): Promise<Reply> =>
    platform.call('bob', method, `${MOUNT}/runs${path}`, body);
  const start = async (name: string, more: object = {}): Promise<Reply['json']> => {
    const reply = await runs('POST', '', { agent: name, input: 'question', ...more });
    expectStatus(reply, 200, 'a run');
    return reply.json;
  };

  for (const name of ['inbox', 'triage']) {
    it(`${name}: are worked by a search of their user, in one step`, async () => {
      const { run_id, state, output, config } = await start(name, { wait_s: 25 });
      expect([state, output], JSON.stringify(config)).to.deep.equal(['succeeded', 'heard question']);
      const job = await finished(platform, 'bob', config.job_id);
      expect(job.isFailed, JSON.stringify(job.messages)).to.equal(false);
      const rows = await results(platform, 'bob', config.job_id);
      expect(rows.map(({ run_id: id, kind, step_state }) => [id, kind, step_state])).to.deep.equal([
        [run_id, 'invoke', 'done'],
      ]);
      expect(calls).to.equal(1);
    });

    it(`${name}: are called once, though the driver dies meanwhile, and wait for a person`, async () => {
      holds = true;
      const { run_id } = await start(name, { worker: 'caller' });
      const step = runs('POST', `/${run_id}/step`);
      await eventually(() => calls === 1, 20_000);
      for (const pid of platform.drivers('ml_gateway.mjs')) process.kill(pid, 'SIGKILL');
      await step.catch(() => undefined);
      holds = false;
      // The lease of the dead process ends after ten seconds.
      const stepped = async () => (await runs('POST', `/${run_id}/step`)).json.state;
      await eventually(async () => (await stepped()) === 'waiting_for_approval', 30_000);
      const { json } = await runs('GET', `/${run_id}`);
      expect(json.config.steps[0]).to.include({ kind: 'invoke', state: 'unknown', input: 'question' });
      expect(await stepped()).to.equal('waiting_for_approval');
      expect(calls, 'calls of the agent').to.equal(1);
      expectStatus(await runs('POST', `/${run_id}/approve`, { step: 0, decision: 'approve' }), 200, 'an approval');
      expect(await stepped()).to.equal('succeeded');
      expect((await runs('GET', `/${run_id}`)).json.config.steps[0]).to.include({ state: 'done', decided_by: 'bob' });
      expect(calls, 'calls of the agent').to.equal(2);
    });
  }

  it('triage: stop their session there when they are cancelled, whoever makes the call', async () => {
    holds = true;
    cloud.calls.length = 0;
    const { run_id } = await start('triage', { wait_s: 0 });
    await eventually(() => calls === 1, 20_000);
    expectStatus(await runs('POST', `/${run_id}/cancel`), 200, 'a cancellation');
    const stops = () => cloud.calls.filter(({ operation }) => operation === 'stop');
    await eventually(() => stops().length === 1, 20_000);
    holds = false;
    expect((await runs('GET', `/${run_id}`)).json.state).to.equal('cancelled');
    expect(stops()[0]?.session).to.equal(cloud.calls.find(({ operation }) => operation === 'invoke')?.session);
  });

  it('keep a large answer whole', async () => {
    const part = 'é\u0001"\\ \ud83d\ude00'.repeat(1000);
    const large = part.repeat(Math.floor((3.9 * 1024 * 1024) / Buffer.byteLength(part)));
    cloud.agent = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${large}\n\n`);
    };
    try {
      const { run_id, state, output, config } = await start('triage', { wait_s: 25 });
      expect([state, config.message]).to.deep.equal(['succeeded', undefined]);
      expect(output === large, `${output.length} of ${large.length} characters`).to.equal(true);
      const { json } = await runs('GET', `/${run_id}`);
      expect(json.output === large).to.equal(true);
      expect(json.config.steps[0].output).to.match(new RegExp(`\\[cut: ${Buffer.byteLength(large)} bytes in all\\]$`));
    } finally {
      cloud.agent = answer;
    }
  });

  it('answer MCP clients, whose runs are worked by a search', async () => {
    const call = async (name: string, args: object) => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
      const headers = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' };
      return (await platform.call('bob', 'POST', `${MOUNT}/mcp`, message, headers)).json.result;
    };
    const { isError, content, structuredContent } = await call('agent__inbox', { input: 'hello' });
    expect([isError, content]).to.deep.equal([false, [{ type: 'text', text: 'heard hello' }]]);
    const { run_id } = structuredContent;
    expect((await runs('GET', `/${run_id}`)).json.config).to.include({
      agent: 'inbox',
      user: 'bob',
      state: 'succeeded',
    });
    expect((await call('agent_result', { run_id })).structuredContent).to.deep.equal(structuredContent);
  });

  it('answer rows of a search', async () => {
    const text =
      '| makeresults count=3 | streamstats count as n | mlagent agent=inbox input="row {n}" | table n answer';
    const { rows } = await searched(platform, 'bob', text);
    expect(rows).to.deep.equal(['1', '2', '3'].map((n) => ({ n, answer: `heard row ${n}` })));
  });

  it('an agent in a container is available, as agentstatus says in one row', async () => {
    for (const options of ['action=create', '']) {
      const text = `| agentstatus agent_name=inbox ${options} | table agent_name state done outcome error_code`;
      const { rows } = await searched(platform, 'bob', text);
      const all = { agent_name: 'inbox', state: 'Available', done: '1', outcome: 'success', error_code: '' };
      expect(rows, options).to.deep.equal([all]);
    }
  });

  it('are in usage and the audit trail, and show no credential', async () => {
    await Promise.all(['inbox', 'triage'].map((name) => start(name, { wait_s: 25 })));
    const used = async () => (await platform.ml('anna', 'GET', '/usage?by=operation,provider')).json.result;
    await eventually(async () => (await used()).length >= 2, 20_000);
    expect(
      (await used()).map(({ operation, provider }: Record<string, string>) => `${operation} ${provider}`).sort(),
    ).to.deep.equal(['invoke_agent CLOUD_AGENT_CORE', 'invoke_agent container']);
    const { json, text } = await platform.ml('anna', 'GET', '/audit?family=runs&action=run');
    expect(new Set(json.result.map(({ name }: { name: string }) => name))).to.deep.equal(new Set(['inbox', 'triage']));
    expect(text, 'a prompt').to.not.contain('question');
    const list = await runs('GET', '?count=0');
    for (const shown of [text, list.text]) {
      for (const secret of [TOKEN, CLOUD_KEYS.secret_access_key]) expect(shown).to.not.contain(secret);
    }
  });
});
