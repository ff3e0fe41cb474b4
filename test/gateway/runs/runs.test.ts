import { expect } from 'chai';
import type { HttpCall } from '../../../src/ports/llm/http.ts';
import type { Answer, Json, MemoryApp } from '../../support/memory/app.ts';
import { configure } from '../gatewayApp.ts';
import { connect, toolsApp } from '../tools/toolsApp.ts';

const LLM = { service: 'General_Chat', connection_name: 'up', model: 'm1' };

/** What a scripted model answers: a text, or calls of tools. */
type Turn = string | { name: string; args?: Json | string }[];

const completion = (turn: Turn) => {
  const calls = typeof turn === 'string' ? [] : turn;
  const message = {
    role: 'assistant',
    content: typeof turn === 'string' ? turn : null,
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ name, args = {} }, index) => ({
            id: `call_${index}`,
            type: 'function',
            function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
          })),
        }
      : {}),
  };
  return {
    choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  };
};

describe('runs of agents that are built in', () => {
  let app: MemoryApp;
  let turns: Turn[];
  const asked: Answer['json'][] = [];

  beforeEach(async () => {
    app = toolsApp();
    app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    app.user('asker', { capabilities: ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'] });
    app.user('other', { capabilities: ['list_ai_commander_config', 'use_ai_gateway', 'run_agents'] });
    await configure(app, 'up', 'm1');
    app.peers.tools = [
      ...app.peers.tools,
      {
        name: 'delete',
        description: 'Deletes it',
        input_schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
        annotations: { destructiveHint: true },
      },
    ];
    await connect(app, 'Desk');
    asked.length = 0;
    app.llm.answer = (call: HttpCall) => {
      asked.push(JSON.parse(call.body ?? '{}'));
      return { json: completion(turns.shift() ?? 'nothing more') };
    };
  });

  const call = (method: string, path: string, body?: Json, user = 'asker'): Promise<Answer> =>
    app.call(user, method, `/ai_gateway/runs${path}`, body);
  const definition = (more: Json = {}) => ({ runtime_type: 'BUILT_IN', llm: LLM, mcps: [{ name: 'Desk' }], ...more });
  async function start(more: Json = {}, definitionMore: Json = {}): Promise<string> {
    const body = { definition: definition(definitionMore), input: 'question', worker: 'caller', ...more };
    const { status, json } = await call('POST', '', body);
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.state).to.equal('queued');
    return json.run_id;
  }
  /** Takes steps until the run rests. */
  async function work(id: string): Promise<Answer['json']> {
    for (let step = 0; step < 50; step += 1) {
      const { status, json } = await call('POST', `/${id}/step`);
      expect(status, JSON.stringify(json)).to.equal(200);
      if (!['queued', 'running'].includes(json.state)) break;
    }
    const { json } = await call('GET', `/${id}`);
    return json.config;
  }
  const states = (run: Answer['json']) =>
    run.steps.map(({ kind, name, state }: Json) => [kind, ...(kind === 'model' ? [] : [name]), state].join(' '));

  it('answers without tools', async () => {
    turns = ['the answer'];
    const run = await work(await start({}, { system_prompt: 'Be short.', task_prompt: 'Answer.' }));
    expect(run).to.include({ state: 'succeeded', output: 'the answer', user: 'asker' });
    expect(run.usage).to.deep.equal({ requests: 1, input_tokens: 10, output_tokens: 5 });
    expect(states(run)).to.deep.equal(['model done']);
    expect(asked[0]?.messages).to.deep.equal([
      { role: 'system', content: 'Be short.\n\nAnswer.' },
      { role: 'user', content: 'question' },
    ]);
  });

  it('calls tools by their names at the gateway, and goes on with their results', async () => {
    turns = [[{ name: 'Desk__echo', args: { text: 'hello' } }], 'it said hello'];
    const run = await work(await start());
    expect(run.output).to.equal('it said hello');
    expect(states(run)).to.deep.equal(['model done', 'tool Desk__echo done', 'model done']);
    expect(asked[0]?.tools.map((tool: Answer['json']) => tool.function.name)).to.deep.equal([
      'Desk__delete',
      'Desk__echo',
    ]);
    expect(asked[1]?.messages.slice(-2).map(({ role }: Json) => role)).to.deep.equal(['assistant', 'tool']);
    await app.gateway.usage.flush();
    const uses = app.events.map(({ event }) => event as Json).filter(({ via }) => via === 'run');
    expect(uses.map(({ operation }) => operation)).to.deep.equal(['chat', 'execute_tool', 'chat']);
    expect(new Set(uses.map(({ run_id }) => run_id))).to.deep.equal(new Set([run.run_id]));
  });

  it('waits for approval of a destructive call, and makes it when a person approves', async () => {
    turns = [[{ name: 'Desk__delete', args: { id: 1 } }], 'deleted'];
    const id = await start();
    const waiting = await work(id);
    expect(waiting.state).to.equal('waiting_for_approval');
    expect(waiting.steps[1]).to.include({ state: 'waiting', name: 'Desk__delete' });
    expect(waiting.steps[1].input).to.deep.equal({ id: 1 });
    expect((await call('POST', `/${id}/approve`, { step: 0, decision: 'approve' })).json.error_code).to.equal(
      'invalid_state',
    );
    const unfit = { step: 1, decision: 'approve', arguments: { id: 'x' } };
    expect((await call('POST', `/${id}/approve`, unfit)).json.error_code).to.equal('validation_failed');
    const edited = { step: 1, decision: 'approve', arguments: { id: 2 } };
    expect((await call('POST', `/${id}/approve`, edited)).status).to.equal(200);
    expect((await call('POST', `/${id}/approve`, edited)).json.error_code).to.equal('invalid_state');
    const run = await work(id);
    expect(run).to.include({ state: 'succeeded', output: 'deleted' });
    expect(run.steps[1]).to.include({ state: 'done', decided_by: 'asker' });
    expect(run.steps[1].input).to.deep.equal({ id: 2 });
  });

  it('tells the model of a rejection, with the comment', async () => {
    turns = [[{ name: 'Desk__delete', args: { id: 1 } }], 'I did not'];
    const id = await start();
    await work(id);
    await call('POST', `/${id}/approve`, { step: 1, decision: 'reject', comment: 'not this one' });
    const run = await work(id);
    expect(states(run)).to.deep.equal(['model done', 'tool Desk__delete rejected', 'model done']);
    expect(asked[1]?.messages.at(-1).content).to.contain('not this one');
  });

  it('gives wrong calls back to the model', async () => {
    turns = [
      [{ name: 'Desk__none' }, { name: 'Desk__echo', args: 'no json' }, { name: 'Desk__echo', args: { text: 1 } }],
      'sorry',
    ];
    const run = await work(await start());
    expect(states(run).slice(1, 4)).to.deep.equal([
      'tool Desk__none failed',
      'tool Desk__echo failed',
      'tool Desk__echo failed',
    ]);
    expect(run.steps.slice(1, 4).map(({ error_code }: Json) => error_code)).to.deep.equal([
      'tool_not_found',
      'validation_failed',
      'validation_failed',
    ]);
    expect(run.state).to.equal('succeeded');
  });

  it('ends at its limits', async () => {
    const echo: Turn = [{ name: 'Desk__echo', args: { text: 'again' } }];
    turns = Array(5).fill(echo);
    const steps = await work(await start({}, { max_steps: 2 }));
    expect(steps).to.include({ state: 'failed', error_code: 'step_limit' });
    expect(asked.at(-1)?.tool_choice).to.equal('none');
    turns = Array(5).fill(echo);
    const tokens = await work(await start({}, { max_tokens_per_run: 20 }));
    expect(tokens).to.include({ state: 'failed', error_code: 'token_limit' });
  });

  it('fails with the code of the provider', async () => {
    app.llm.answer = () => ({ status: 401, json: { error: { message: 'no' } } });
    expect(await work(await start())).to.include({ state: 'failed', error_code: 'auth_failed' });
  });

  it('is cancelled', async () => {
    turns = [[{ name: 'Desk__delete', args: { id: 1 } }]];
    const id = await start();
    await work(id);
    expect((await call('POST', `/${id}/cancel`)).json.state).to.equal('cancelled');
    expect((await call('POST', `/${id}/cancel`)).json.error_code).to.equal('invalid_state');
    expect((await call('POST', `/${id}/approve`, { step: 1, decision: 'approve' })).json.error_code).to.equal(
      'invalid_state',
    );
  });

  it('continues a session', async () => {
    turns = ['first answer', 'second answer'];
    await work(await start({ session_id: 's', input: 'first' }));
    await work(await start({ session_id: 's', input: 'second' }));
    expect(asked[1]?.messages.map(({ content }: Json) => content)).to.deep.equal(['first', 'first answer', 'second']);
  });

  it('is seen by its user, administrators and nobody else', async () => {
    turns = ['x'];
    const id = await start();
    await work(id);
    app.user('root', { capabilities: ['admin_all_objects', 'use_ai_gateway', 'run_agents'] });
    for (const [user, status] of [
      ['other', 404],
      ['root', 200],
    ] as const) {
      expect((await call('GET', `/${id}`, undefined, user)).status, user).to.equal(status);
      expect((await call('POST', `/${id}/step`, undefined, user)).status, user).to.equal(status);
      expect((await call('GET', '', undefined, user)).json.result.length, user).to.equal(status === 200 ? 1 : 0);
    }
  });

  it('loses what its user may no longer read', async () => {
    turns = [[{ name: 'Desk__echo', args: { text: 'hello' } }], 'x'];
    const id = await start();
    await call('POST', `/${id}/step`);
    await app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', acl: { sharing: 'user' } });
    expect(await work(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
  });
});
