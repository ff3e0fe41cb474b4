import { expect } from 'chai';
import { ToolListings } from '../../../src/gateway/tools/toolListings.ts';
import type { Answer, Json, MemoryApp } from '../../support/memory/app.ts';
import { type RunsApp, runsApp, statesOf, type Turn } from './runsApp.ts';

describe('runs of agents that are built in', () => {
  let app: MemoryApp;
  let asked: Answer['json'][];
  let call: RunsApp['call'];
  let start: RunsApp['start'];
  let work: RunsApp['work'];
  let answer: (...turns: Turn[]) => void;

  beforeEach(async () => {
    const runs = await runsApp();
    ({ app, asked, call, start, work } = runs);
    answer = (...turns) => void runs.turns.splice(0, Number.POSITIVE_INFINITY, ...turns);
  });

  it('answers without tools', async () => {
    answer('the answer');
    const run = await work(await start({}, { system_prompt: 'Be short.', task_prompt: 'Answer.' }));
    expect(run).to.include({ state: 'succeeded', output: 'the answer', user: 'asker' });
    expect(run.usage).to.deep.equal({ requests: 1, input_tokens: 10, output_tokens: 5 });
    expect(statesOf(run)).to.deep.equal(['model done']);
    expect(asked[0]?.messages).to.deep.equal([
      { role: 'system', content: 'Be short.\n\nAnswer.' },
      { role: 'user', content: 'question' },
    ]);
  });

  it('calls tools by their names at the gateway, and goes on with their results', async () => {
    answer([{ name: 'Desk__echo', args: { text: 'hello' } }], 'it said hello');
    const run = await work(await start());
    expect(run.output).to.equal('it said hello');
    expect(statesOf(run)).to.deep.equal(['model done', 'tool Desk__echo done', 'model done']);
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
    answer([{ name: 'Desk__delete', args: { id: 1 } }], 'deleted');
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
    const { status, json } = await call('POST', `/${id}/approve`, edited);
    expect([status, json.config.steps[1].state, json.config.steps[1].decided_by]).to.deep.equal([
      200,
      'waiting',
      'asker',
    ]);
    expect((await call('POST', `/${id}/approve`, edited)).json.error_code).to.equal('invalid_state');
    const run = await work(id);
    expect(run).to.include({ state: 'succeeded', output: 'deleted' });
    expect(run.steps[1]).to.include({ state: 'done', decided_by: 'asker' });
    expect(run.steps[1].input).to.deep.equal({ id: 2 });
  });

  it('is awaited once the last call that waits is decided', async () => {
    answer([{ name: 'Desk__delete', args: { id: 1 } }], 'deleted');
    const id = await start();
    await work(id);
    await call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
    const [{ json }] = await Promise.all([call('GET', `/${id}?wait_s=20`), work(id)]);
    expect(json).to.include({ state: 'succeeded', output: 'deleted' });
  });

  it('tells the model of a rejection, with the comment', async () => {
    answer([{ name: 'Desk__delete', args: { id: 1 } }], 'I did not');
    const id = await start();
    await work(id);
    await call('POST', `/${id}/approve`, { step: 1, decision: 'reject', comment: 'not this one' });
    const run = await work(id);
    expect(statesOf(run)).to.deep.equal(['model done', 'tool Desk__delete rejected', 'model done']);
    expect(asked[1]?.messages.at(-1).content).to.contain('not this one');
  });

  it('gives wrong calls back to the model', async () => {
    answer(
      [
        { name: 'Desk__none' },
        { name: 'Desk__echo', args: 'no json' },
        { name: 'Desk__echo', args: { text: 1 } },
        { name: 'Desk__echo', args: { text: 'x'.repeat(1024 * 1024) } },
      ],
      'sorry',
    );
    const run = await work(await start());
    const codes = ['tool_not_found', 'validation_failed', 'validation_failed', 'validation_failed'];
    expect(run.steps.slice(1, 5).map(({ state, error_code }: Json) => [state, error_code])).to.deep.equal(
      codes.map((code) => ['failed', code]),
    );
    expect(run.state).to.equal('succeeded');
    const results = JSON.stringify(asked[1]?.messages.slice(-4));
    for (const code of codes) expect(results).to.include(code);
    expect(JSON.stringify(asked[1]).length, 'what was too long is not sent back').to.be.below(10_000);
    expect(app.peers.calls).to.deep.equal([]);
  });

  it('makes calls of one turn four at a time, and answers them in order', async () => {
    const { callTool } = app.peers.client;
    const waiting: (() => void)[] = [];
    let most = 0;
    app.peers.client.callTool = async (...call) => {
      const passed = new Promise<void>((resolve) => waiting.push(resolve));
      most = Math.max(most, waiting.length);
      // Time for a fifth call to arrive.
      if (waiting.length === 4) setTimeout(() => waiting.splice(0).forEach((pass) => void pass()), 20);
      await passed;
      return callTool(...call);
    };
    app.peers.result = ({ arguments: { text } }) => ({ content: [{ type: 'text', text: `saw ${text}` }] });
    const hosts = Array.from({ length: 8 }, (_, n) => `host-${n}`);
    answer(
      hosts.map((text) => ({ name: 'Desk__echo', args: { text } })),
      'seen',
    );
    const run = await work(await start());
    expect(run.steps.slice(1, 9).map(({ output }: Json) => output)).to.deep.equal(hosts.map((host) => `saw ${host}`));
    expect(asked[1]?.messages.slice(-8).map(({ content }: Json) => content)).to.deep.equal(
      hosts.map((host) => `saw ${host}`),
    );
    expect(most).to.equal(4);
  });

  it('ends after three equal calls that fail', async () => {
    answer(...Array(5).fill([{ name: 'Desk__echo', args: { text: 1 } }]));
    const run = await work(await start());
    expect(run).to.include({ state: 'failed', error_code: 'no_progress' });
    expect(run.message).to.contain('Desk__echo').and.to.contain('Its steps say why');
    expect(run.usage.requests).to.equal(3);
  });

  it('ends at its limits', async () => {
    const echo: Turn = [{ name: 'Desk__echo', args: { text: 'again' } }];
    answer(...Array(5).fill(echo));
    const steps = await work(await start({}, { max_steps: 2 }));
    expect(steps).to.include({ state: 'failed', error_code: 'step_limit' });
    expect(steps.message).to.contain('max_steps');
    expect(asked.at(-1)?.tool_choice).to.equal('none');
    answer(...Array(5).fill(echo));
    const tokens = await work(await start({}, { max_tokens_per_run: 20 }));
    expect(tokens).to.include({ state: 'failed', error_code: 'token_limit' });
  });

  it('fails with the code of the provider', async () => {
    app.llm.answer = () => ({ status: 401, json: { error: { message: 'no' } } });
    expect(await work(await start())).to.include({ state: 'failed', error_code: 'auth_failed' });
  });

  it('fails with the words of a refusal', async () => {
    const refuse = (message: Json, finish_reason: string) => {
      app.llm.answer = () => ({ json: { choices: [{ message: { role: 'assistant', ...message }, finish_reason }] } });
    };
    refuse({ content: null, refusal: 'I cannot.' }, 'stop');
    const refused = await work(await start());
    expect(refused).to.include({ state: 'failed', error_code: 'content_filtered' });
    expect(refused.message).to.match(/ It said: I cannot\.$/);
    refuse({ content: 'I will not go on.' }, 'content_filter');
    expect((await work(await start())).message).to.match(/ It said: I will not go on\.$/);
    refuse({ content: '' }, 'content_filter');
    expect((await work(await start())).message).to.match(/the prompts or the model\.$/);
    refuse({ content: null, refusal: 'x'.repeat(100_000) }, 'stop');
    expect((await work(await start())).message.length).to.be.below(2000);
  });

  it('fails when the answer was refused, and counts its tokens', async () => {
    app.llm.answer = () => ({
      json: {
        choices: [{ index: 0, message: { role: 'assistant', content: 'The first' }, finish_reason: 'content_filter' }],
        usage: { prompt_tokens: 10, completion_tokens: 5 },
      },
    });
    const run = await work(await start());
    expect(run).to.include({ state: 'failed', error_code: 'content_filtered' });
    expect(run.message).to.contain('Change the input');
    expect(run.usage).to.include({ requests: 1, input_tokens: 10, output_tokens: 5 });
  });

  it('says that an answer is empty', async () => {
    answer('');
    const run = await work(await start());
    expect(run).to.include({ state: 'succeeded', output: '' });
    expect(run.message).to.contain('empty').and.to.contain('max_tokens');
  });

  it('is cancelled', async () => {
    answer([{ name: 'Desk__delete', args: { id: 1 } }]);
    const id = await start();
    await work(id);
    expect((await call('POST', `/${id}/cancel`)).json.state).to.equal('cancelled');
    expect((await call('POST', `/${id}/cancel`)).json.error_code).to.equal('invalid_state');
    expect((await call('POST', `/${id}/approve`, { step: 1, decision: 'approve' })).json.error_code).to.equal(
      'invalid_state',
    );
  });

  it('continues a session', async () => {
    answer('first answer', 'second answer');
    await work(await start({ session_id: 's', input: 'first' }));
    await work(await start({ session_id: 's', input: 'second' }));
    expect(asked[1]?.messages.map(({ content }: Json) => content)).to.deep.equal(['first', 'first answer', 'second']);
  });

  it('continues a session with calls and their results, of this agent only', async () => {
    const ECHO = { name: 'Desk__echo', args: { text: 'x' } };
    const own = { session_id: 's' };
    answer([ECHO], 'first answer', ...Array(24).fill([ECHO, ECHO]), 'long answer', 'last answer');
    await work(await start({ ...own, input: 'first' }));
    app.site.clock.advance(1000);
    // More messages than a session takes.
    await work(await start({ ...own, input: 'long' }, { max_steps: 30 }));
    app.site.clock.advance(1000);
    asked.length = 0;
    await work(await start({ ...own, input: 'last' }));
    const messages = asked[0]?.messages as Json[];
    expect(messages.length).to.be.at.most(51);
    expect(messages.length).to.be.greaterThan(45);
    expect(messages[0]).to.deep.equal({ role: 'user', content: 'long' });
    const roles = messages.map(({ role }) => role);
    expect(roles.slice(1, 5)).to.deep.equal(['assistant', 'tool', 'tool', 'assistant']);
    expect(messages.at(-2)).to.deep.equal({ role: 'assistant', content: 'long answer' });
    const made = messages.flatMap(({ tool_calls = [] }) => tool_calls as Json[]);
    expect(roles.filter((role) => role === 'tool').length).to.equal(made.length);
  });

  it('takes edited arguments only if they can be checked and are not too long', async () => {
    answer([{ name: 'Desk__delete', args: { id: 1 } }], 'done');
    const id = await start();
    await work(id);
    const edit = (args: Json) => call('POST', `/${id}/approve`, { step: 1, decision: 'approve', arguments: args });
    const long = await edit({ id: 2, more: 'x'.repeat(70_000) });
    expect([long.status, long.json.error_code]).to.deep.equal([400, 'validation_failed']);
    app.gateway.listings = new ToolListings();
    app.peers.fail('timeout');
    const unknown = await edit({ id: 'x' });
    expect([unknown.status, unknown.json.error_code]).to.deep.equal([400, 'validation_failed']);
    app.gateway.listings = new ToolListings();
    app.peers.failure = undefined;
    expect((await edit({ id: 2 })).status).to.equal(200);
  });

  it('is seen by its user, administrators and nobody else', async () => {
    answer('x');
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
});
