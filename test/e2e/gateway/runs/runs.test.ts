import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../../support/e2e/platform.ts';
import { type Scripted, type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { rpcResult, type ScriptedPeer, startAnswering } from '../../../support/peers/mcp/scripted.ts';
import { eventually } from '../../../support/time.ts';
import { finished, results, searched } from '../../agents/agentSupport.ts';
import { completionOf, configure, gatewayPlatform, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

const TOOL = {
  name: 'restart',
  description: 'Restarts a host',
  inputSchema: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
};
const DEFINITION = {
  runtime_type: 'BUILT_IN',
  llm: { model: 'up/m' },
  mcps: [{ name: 'Desk' }],
  approve_tools: 'never',
};

/** A request for a call of the tool; after its result the answer. */
function answerTo(body: { messages: { role: string; content: string }[]; tools?: { function: { name: string } }[] }) {
  const last = body.messages.at(-1);
  if (last?.role === 'tool') return completionOf(`it said ${last.content}`);
  return toolCallsOf([[body.tools?.[0]?.function.name, { host: 'web1' }]]);
}

describe('runs on the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let provider: ScriptedProvider;
  let server: ScriptedPeer;
  /** Calls of the tool that are held back. */
  const held: (() => void)[] = [];
  let holds = false;
  let calls = 0;

  before(async () => {
    provider = await startProvider(({ body }): Scripted => ({ status: 200, body: answerTo(body as never) }));
    server = await startAnswering(
      'tools/call',
      (response: ServerResponse, message) => {
        calls += 1;
        const answer = () => {
          response.setHeader('content-type', 'application/json');
          response.end(JSON.stringify(rpcResult(message, { content: [{ type: 'text', text: 'restarted' }] })));
        };
        if (holds) held.push(answer);
        else answer();
      },
      [TOOL],
    );
    platform = await gatewayPlatform();
    await configure(platform, 'up', provider.url);
    const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
    const body = { name: 'Desk', type: 'PLATFORM', details: { url: server.url }, acl };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, 'a connection');
    const agent = { name: 'helper', acl, ...DEFINITION };
    expectStatus(await platform.ml('anna', 'POST', '/agents', agent), 200, 'an agent');
  });
  after(async () => {
    for (const answer of held) answer();
    await platform?.dispose();
    await Promise.all([provider?.close(), server?.close()]);
  });
  beforeEach(() => {
    calls = 0;
    holds = false;
  });

  const runs = (method: string, path: string, body?: object, user = 'bob'): Promise<Reply> =>
    platform.call(user, method, `${MOUNT}/runs${path}`, body);
  const start = async (more: object = {}): Promise<Reply['json']> => {
    const reply = await runs('POST', '', { agent: 'helper', input: 'Restart web1', ...more });
    expectStatus(reply, 200, 'a run');
    return reply.json;
  };

  it('are worked by a search of their user', async () => {
    const { run_id, state, output, config } = await start({ wait_s: 25 });
    expect([state, output]).to.deep.equal(['succeeded', 'it said restarted']);
    expect(config.steps.map(({ kind, state: end }: { kind: string; state: string }) => [kind, end])).to.deep.equal([
      ['model', 'done'],
      ['tool', 'done'],
      ['model', 'done'],
    ]);
    expect(calls).to.equal(1);
    const job = await finished(platform, 'bob', config.job_id);
    expect(job.isFailed, JSON.stringify(job.messages)).to.equal(false);
    const rows = await results(platform, 'bob', config.job_id);
    expect(rows.map(({ run_id: id, kind }) => [id, kind])).to.deep.equal(
      ['model', 'tool', 'model'].map((kind) => [run_id, kind]),
    );
  });

  it('take inputs that the store refuses as documents, and get no second search from somebody who cannot see the first', async () => {
    holds = true;
    const input = { $ref: 'web1', 'a.b': { $gt: 5 } };
    const { run_id } = await start({ input, wait_s: 0 });
    await eventually(() => held.length > 0, 30_000);
    // Writes the agent, and may not see searches of others.
    const read = async () => (await runs('GET', `/${run_id}`, undefined, 'anna')).json.config;
    const { job_id } = await read();
    for (let look = 0; look < 3; look += 1) expect((await read()).job_id).to.equal(job_id);
    holds = false;
    for (const answer of held.splice(0)) answer();
    await eventually(async () => (await read()).state === 'succeeded', 60_000);
    expect((await read()).input).to.deep.equal(input);
    expect(calls).to.equal(1);
  });

  it('call a tool with effects once, though the driver dies meanwhile, and wait for a person', async () => {
    holds = true;
    const { run_id } = await start({ worker: 'caller' });
    await runs('POST', `/${run_id}/step`);
    const step = runs('POST', `/${run_id}/step`);
    await eventually(() => held.length === 1, 20_000);
    for (const pid of platform.drivers('ml_gateway.mjs')) process.kill(pid, 'SIGKILL');
    await step.catch(() => undefined);
    holds = false;
    // The lease of the dead process ends after ten seconds.
    await eventually(async () => (await runs('POST', `/${run_id}/step`)).json.state === 'waiting_for_approval', 30_000);
    const { json } = await runs('GET', `/${run_id}`);
    expect(json.config.steps[1]).to.include({ kind: 'tool', state: 'unknown' });
    expect(calls, 'calls of the tool').to.equal(1);
    const given = { step: 1, decision: 'approve', result: 'it was restarted, I looked' };
    expectStatus(await runs('POST', `/${run_id}/approve`, given), 200, 'a result');
    await runs('POST', `/${run_id}/step`);
    expect((await runs('GET', `/${run_id}`)).json).to.include({ output: 'it said it was restarted, I looked' });
    expect(calls, 'calls of the tool').to.equal(1);
  });

  it('take no step twice, with ten callers at once', async () => {
    const { run_id } = await start({ worker: 'caller' });
    for (let round = 0; round < 12; round += 1) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => runs('POST', `/${run_id}/step`)));
      for (const { status } of replies) expect([200, 429]).to.include(status);
      if (replies.some(({ json }) => json.state === 'succeeded')) break;
    }
    const { json } = await runs('GET', `/${run_id}`);
    expect(json.config.state).to.equal('succeeded');
    expect(json.config.usage.requests).to.equal(2);
    expect(calls).to.equal(1);
  });

  it('answer rows of a search, in order', async () => {
    const { rows } = await searched(
      platform,
      'bob',
      '| makeresults count=4 | streamstats count as n | mlagent agent=helper input="Restart {n}" | table n answer answer_state answer_steps',
    );
    expect(rows).to.deep.equal(
      ['1', '2', '3', '4'].map((n) => ({
        n,
        answer: 'it said restarted',
        answer_state: 'succeeded',
        answer_steps: '3',
      })),
    );
    expect(calls).to.equal(4);
  });

  it('are in the audit trail and in usage, without contents', async () => {
    await start({ wait_s: 25 });
    const read = async () => (await platform.ml('anna', 'GET', '/audit?family=runs')).json.result;
    await eventually(async () => {
      const actions = (await read()).map(({ action }: { action: string }) => action);
      return actions.includes('run') && actions.includes('execute_tool');
    }, 20_000);
    expect(JSON.stringify(await read())).to.not.contain('web1');
  });
});
