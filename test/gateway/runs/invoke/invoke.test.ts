import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { type Answer, type Json, MemoryApp } from '../../../support/memory/app.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { eventually } from '../../../support/time.ts';
import { callContainers, countLooks, startContainers, TOKEN } from '../../containers/containerApp.ts';

const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };
const RIGHTS = ['list_ai_commander_config', 'list_containers', 'use_ai_gateway', 'run_agents', 'edit_agents'];

interface Asked {
  body: Json;
  session: string | undefined;
  authorization: string | undefined;
  accept: string | undefined;
}

describe('runs of agents that run elsewhere', () => {
  const peers = new Peers();
  let app: MemoryApp;
  let asked: Asked[];
  let ping: (response: ServerResponse) => unknown;
  let answer: (response: ServerResponse, body: Json) => unknown;

  const agent: RequestListener = async (request: IncomingMessage, response) => {
    if (request.url === '/ping') return ping(response);
    const { authorization, accept, 'x-amzn-bedrock-agentcore-runtime-session-id': session } = request.headers;
    const body = JSON.parse(await readBody(request));
    asked.push({ body, session: session as string, authorization, accept });
    return answer(response, body);
  };

  beforeEach(async () => {
    app = new MemoryApp();
    callContainers(app);
    asked = [];
    ping = (response) => sendJson(response, 200, { status: 'Healthy', time_of_last_update: 1 });
    answer = (response, { input }) => sendJson(response, 200, { output: `heard ${input}` });
    const port = Number(new URL(await peers.serve(agent)).port);
    await startContainers(app, { Helper: { port, protocol: 'agent' }, Scorer: { protocol: 'mlflow' } });
    for (const name of ['asker', 'other']) app.user(name, { capabilities: RIGHTS });
    app.user('maker', { capabilities: RIGHTS });
  });

  const call = (method: string, path: string, body?: Json, user = 'asker'): Promise<Answer> =>
    app.call(user, method, `/ai_gateway/runs${path}`, body);
  async function make(name: string, more: Json = {}): Promise<void> {
    const { status, json } = await app.call('maker', 'POST', '/agents', { name, acl: SHARED, ...more });
    expect(status, JSON.stringify(json)).to.equal(200);
  }
  const inContainer = (more: Json = {}) =>
    make('inbox', { runtime_type: 'CONTAINER', runtime: { container: 'Helper' }, ...more });
  async function inCloud(): Promise<void> {
    app.cloud.newborn = 'READY';
    await make('triage', { system_prompt: 'Be short.' });
    await app.call('maker', 'POST', '/agents/triage/status', { action: 'create' });
  }
  async function start(name: string, more: Json = {}, user = 'asker'): Promise<string> {
    const body = { agent: name, input: 'question', worker: 'caller', ...more };
    const { status, json } = await call('POST', '', body, user);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.run_id;
  }
  const step = async (id: string, user = 'asker') => {
    const { status, json } = await call('POST', `/${id}/step`, undefined, user);
    expect(status, JSON.stringify(json)).to.equal(200);
    return (await call('GET', `/${id}`, undefined, user)).json.config;
  };
  const ran = async (name: string, more: Json = {}, user = 'asker') => step(await start(name, more, user), user);
  const uses = async () => {
    await app.gateway.usage.flush();
    return app.events.map(({ event }) => event as Json).filter(({ operation }) => operation === 'invoke_agent');
  };

  it('in a container: one step, with the token, the session and what the agent needs', async () => {
    await inContainer({ system_prompt: 'Be short.', task_prompt: 'Sort it.' });
    const run = await ran('inbox');
    expect(run, JSON.stringify(run)).to.include({ state: 'succeeded', output: 'heard question' });
    expect(run.usage).to.deep.equal({ requests: 0, input_tokens: 0, output_tokens: 0 });
    expect(run.steps).to.have.length(1);
    expect(run.steps[0]).to.include({ kind: 'invoke', name: 'inbox', state: 'done', output: 'heard question' });
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({
      authorization: `Bearer ${TOKEN}`,
      accept: 'application/json, text/event-stream',
    });
    expect(asked[0]?.session).to.match(/^[0-9a-f]{64}$/);
    expect(asked[0]?.body).to.deep.equal({
      input: 'question',
      system_prompt: 'Be short.',
      task_prompt: 'Sort it.',
      llm: null,
      tools: { mcps: [], knowledge_bases: [] },
    });
    const [use, ...more] = await uses();
    expect(more).to.deep.equal([]);
    expect(use).to.include({ provider: 'container', connection: 'container', model: 'Helper', agent: 'inbox' });
    expect(use).to.include({ via: 'run', run_id: run.run_id, outcome: 'success', attempts: 1, user: 'asker' });
  });

  it('in the cloud: the runtime by its ARN, where it was created', async () => {
    await inCloud();
    const arns: string[] = [];
    const { answer: own } = app.cloud;
    app.cloud.answer = (arn, request) => {
      arns.push(arn);
      return own(arn, request);
    };
    expect(await ran('triage')).to.include({ state: 'succeeded', output: 'heard question' });
    expect(arns).to.deep.equal(['arn:runtime-1']);
    expect(app.cloud.locations.at(-1)).to.equal('eu-central-1');
    const [use] = await uses();
    expect(use).to.include({ provider: 'CLOUD_AGENT_CORE', connection: 'triage', model: 'triage', agent: 'triage' });
  });

  it('of a definition, in a container', async () => {
    const definition = { runtime_type: 'CONTAINER', runtime: { container: 'helper' } };
    const { json } = await call('POST', '', { definition, input: { a: 1 }, worker: 'caller' });
    const run = await step(json.run_id);
    expect(run.steps[0]).to.include({ name: 'Helper', state: 'done' });
    expect(run.steps[0].input).to.deep.equal({ a: 1 });
    expect(asked[0]?.body.input).to.deep.equal({ a: 1 });
  });

  it('keeps a session of its own for each user and agent', async () => {
    await inContainer();
    for (const [session_id, user] of [
      ['s', 'asker'],
      ['s', 'asker'],
      ['s', 'other'],
      [undefined, 'asker'],
      [undefined, 'asker'],
    ] as const) {
      await ran('inbox', session_id === undefined ? {} : { session_id }, user);
    }
    const [first, second, ...others] = asked.map(({ session }) => session);
    expect(second).to.equal(first);
    expect(new Set([first, ...others]).size).to.equal(4);
  });

  it('joins the data of an event stream', async () => {
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: "the "\n\ndata: "ans');
      response.end('wer"\n\n');
    };
    await inContainer();
    expect((await ran('inbox')).output).to.equal('the answer');
  });

  it('fails with the code of what failed, and shows no token', async () => {
    await inContainer();
    for (const [status, code, headers] of [
      [401, 'auth_failed', {}],
      [403, 'permission_denied', {}],
      [400, 'bad_request', {}],
      [404, 'upstream_error', {}],
      [500, 'upstream_error', {}],
      [429, 'rate_limited', { 'retry-after': '60' }],
    ] as const) {
      asked.length = 0;
      answer = (response) => sendJson(response, status, { error: `no, not with ${TOKEN}` }, headers);
      const run = await ran('inbox');
      expect(run, String(status)).to.include({ state: 'failed', error_code: code });
      expect(run.message).to.contain(`The agent in the container Helper answered ${status}`);
      expect(JSON.stringify(run)).to.not.contain(TOKEN);
      expect(asked, String(status)).to.have.length(1);
    }
    answer = (response) => sendJson(response, 200, { output: `your token is ${TOKEN}` });
    expect((await ran('inbox')).output).to.equal('your token is [redacted]');
    expect((await uses()).map(({ outcome }) => outcome)).to.deep.equal([...Array(6).fill('fail'), 'success']);
  });

  it('asks once more after a short throttle, and never after an answer', async () => {
    await inContainer();
    answer = (response) => {
      if (asked.length === 1) return sendJson(response, 429, {}, { 'retry-after': '0' });
      return sendJson(response, 200, { output: 'now' });
    };
    expect((await ran('inbox')).output).to.equal('now');
    expect((await uses())[0]).to.include({ attempts: 2 });
    for (const fails of [
      (response: ServerResponse) => response.socket?.destroy(),
      (response: ServerResponse) => sendJson(response, 503, {}, { 'retry-after': '0' }),
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{', () => response.socket?.destroy());
      },
    ]) {
      asked.length = 0;
      answer = fails;
      expect((await ran('inbox')).state).to.equal('failed');
      expect(asked).to.have.length(1);
    }
  });

  it('refuses an answer that is too large, of a stream of small events too', async () => {
    await inContainer();
    const event = `data: ${'x'.repeat(64 * 1024)}\n\n`;
    answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let at = 0; at < 80; at += 1) response.write(event);
      response.end();
    };
    const run = await ran('inbox');
    expect(run).to.include({ state: 'failed', error_code: 'upstream_error' });
    expect(run.message).to.contain('4 MiB');
  });

  it('asks nothing of a container that is not healthy', async () => {
    await inContainer();
    for (const [says, code] of [
      [(response: ServerResponse) => sendJson(response, 200, { status: 'Starting' }), 'upstream_error'],
      [(response: ServerResponse) => sendJson(response, 503, {}), 'upstream_error'],
      [(response: ServerResponse) => sendJson(response, 401, {}), 'auth_failed'],
    ] as const) {
      // It was Active when it was last looked at.
      ping = (response) => sendJson(response, 200, { status: 'HealthyBusy' });
      expect((await ran('inbox')).state).to.equal('succeeded');
      asked.length = 0;
      ping = says;
      const run = await ran('inbox');
      expect(run, JSON.stringify(run)).to.include({ state: 'failed', error_code: code });
      expect(asked).to.deep.equal([]);
    }
  });

  it('fails while its container is not Active, and leaves no step', async () => {
    await inContainer();
    ping = (response) => sendJson(response, 503, {});
    const run = await ran('inbox');
    expect(run).to.include({ state: 'failed', error_code: 'invalid_state' });
    expect(run.message).to.contain('Helper is not Active');
    expect([run.steps, asked, await uses()]).to.deep.equal([[], [], []]);
  });

  it('looks at its container only with a slot, but judges rights without one', async () => {
    await inContainer();
    const looks = countLooks(app);
    const [id, lost] = [await start('inbox'), await start('inbox')];
    app.slots.max = 0;
    const refused = await call('POST', `/${id}/step`);
    expect([refused.status, refused.json.error_code]).to.deep.equal([429, 'too_many_requests']);
    expect(looks.count).to.equal(0);
    app.slots.max = 16;
    expect(await step(id)).to.include({ state: 'succeeded' });
    app.slots.max = 0;
    app.user('asker', { capabilities: RIGHTS.filter((right) => right !== 'list_containers') });
    expect(await step(lost)).to.include({ state: 'failed', error_code: 'unknown_reference' });
  });

  it('takes what is left of agent_timeout, which cuts the call', async () => {
    await inContainer({ agent_timeout: 1 });
    let isGone = false;
    answer = (response) =>
      response.on('close', () => {
        isGone = true;
      });
    const run = await ran('inbox');
    expect(run).to.include({ state: 'failed', error_code: 'timeout' });
    expect(run.message).to.contain('longer than its 1 seconds');
    await eventually(() => isGone);
  });

  it('may take longer than other requests of the gateway', async () => {
    await inContainer();
    app.slots.deadline = 20;
    answer = (response) => setTimeout(() => sendJson(response, 200, 'at last'), 200);
    expect(await ran('inbox')).to.include({ state: 'succeeded', output: 'at last' });
  });

  it('is cancelled while the agent works', async () => {
    await inContainer();
    const { promise: isAsked, resolve } = Promise.withResolvers<void>();
    answer = () => resolve();
    const id = await start('inbox');
    const stepping = call('POST', `/${id}/step`);
    await isAsked;
    await call('POST', `/${id}/cancel`);
    expect((await stepping).json.state).to.equal('cancelled');
    const { json } = await call('GET', `/${id}`);
    expect(json.config.steps[0].output).to.contain('cancelled');
  }).timeout(20_000);

  it('is unknown after a crash, and waits for a person', async () => {
    await inCloud();
    const crashed = async () => {
      const id = await start('triage');
      // As a process leaves it that dies during the call.
      const begun = { run_id: id, index: 0, kind: 'invoke', name: 'triage', state: 'started', started_at: 1 };
      const stored = JSON.stringify({ ...begun, _key: `${id}.0000`, input: 'question' });
      app.site.records.collection('ml_run_steps').set(`${id}.0000`, stored);
      const run = await step(id);
      expect(run.state).to.equal('waiting_for_approval');
      expect(run.steps[0]).to.include({ kind: 'invoke', state: 'unknown', input: 'question' });
      return id;
    };
    const decide = (id: string, decision: Json) => call('POST', `/${id}/approve`, { step: 0, ...decision });
    const calls = () => app.cloud.calls.filter((operation) => operation === 'invoke').length;
    const repeated = await crashed();
    expect((await decide(repeated, { decision: 'approve', arguments: { a: 1 } })).json.error_code).to.equal(
      'validation_failed',
    );
    expect(calls()).to.equal(0);
    expect((await decide(repeated, { decision: 'approve' })).status).to.equal(200);
    const again = await step(repeated);
    expect(again).to.include({ state: 'succeeded', output: 'heard question' });
    expect(again.steps[0]).to.include({ decided_by: 'asker' });
    const replaced = await crashed();
    await decide(replaced, { decision: 'approve', result: 'it was done' });
    expect(await step(replaced)).to.include({ state: 'succeeded', output: 'it was done' });
    const rejected = await crashed();
    await decide(rejected, { decision: 'reject', comment: 'nobody knows' });
    const failed = await step(rejected);
    expect(failed).to.include({ state: 'failed' });
    expect(failed.message).to.contain('nobody knows');
    expect(calls()).to.equal(1);
  });

  it('refuses a container that is unknown, or that its user may not read, by name', async () => {
    await inContainer();
    const refused = async (name: string, user: string) =>
      (await call('POST', '', { agent: name, input: 'x', worker: 'caller' }, user)).json;
    const definition = { runtime_type: 'CONTAINER', runtime: { container: 'Nowhere' } };
    const lost = await call('POST', '', { definition, input: 'x', worker: 'caller' });
    expect(lost.json).to.include({ error_code: 'unknown_reference' });
    await make('scores', { runtime_type: 'CONTAINER', runtime: { container: 'scorer' } });
    expect(await refused('scores', 'asker')).to.include({ error_code: 'not_supported' });
    const id = await start('inbox');
    app.user('asker', { capabilities: RIGHTS.filter((one) => one !== 'list_containers') });
    const json = await refused('inbox', 'asker');
    expect(json.error_code).to.equal('unknown_reference');
    expect(json.message).to.contain('Helper');
    expect(await step(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
    expect(asked).to.deep.equal([]);
  });

  it('holds limits before it asks', async () => {
    await inContainer();
    app.user('admin', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'none', window: 'hour', requests: 0, applies_to: { operations: ['invoke_agent'] } };
    expect((await app.call('admin', 'POST', '/usage_limits', limit)).status).to.equal(200);
    const run = await ran('inbox');
    expect(run).to.include({ state: 'failed', error_code: 'limit_exceeded' });
    expect(asked).to.deep.equal([]);
    expect(await uses()).to.deep.equal([]);
  });

  it('fails where the cloud does, with its code', async () => {
    await inCloud();
    app.cloud.answer = () => {
      throw new OutboundError('permission_denied', 'not you', { httpStatus: 403 });
    };
    expect(await ran('triage')).to.include({ state: 'failed', error_code: 'permission_denied', message: 'not you' });
  });
});
