import { expect } from 'chai';
import type { Answer } from '../../support/memory/app.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

const MOST = 2000;
/** Of one scripted answer of the model. */
const USED = 15;

describe('a run whose limit is reserved by calls under way', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    runs.app.user('keeper', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'few', window: 'hour', per: 'all', tokens: MOST };
    const made = await runs.app.call('keeper', 'POST', '/usage_limits', limit);
    expect(made.status, JSON.stringify(made.json)).to.equal(200);
  });

  /** Reserves tokens of the limit until the returned function is called. */
  async function reserve(tokens: number): Promise<() => Promise<void>> {
    const { app } = runs;
    const { answer } = app.llm;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    app.llm.answer = async () => {
      app.llm.answer = answer;
      asked.resolve();
      await answered.promise;
      const usage = { prompt_tokens: 1, completion_tokens: 1 };
      return { json: { choices: [{ message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }], usage } };
    };
    const body = { model: 'up/m1', messages: [{ role: 'user', content: 'abc' }], max_tokens: tokens - 1 };
    const reply: Promise<Answer> = app.call('other', 'POST', '/ai_gateway/v1/chat/completions', body);
    await Promise.race([asked.promise, reply]);
    return async () => {
      answered.resolve();
      expect((await reply).status).to.equal(200);
    };
  }

  const refusal = ({ status, json, headers }: Answer) => [status, json.error_code, headers['x-should-retry']];
  const REFUSED = [429, 'limit_exceeded', 'true'];

  it('goes on once they have ended, and until then a step leaves no record', async () => {
    const id = await runs.start();
    const end = await reserve(MOST);
    runs.turns.push('answer');
    for (let time = 0; time < 5; time += 1) {
      const reply = await runs.call('POST', `/${id}/step`);
      expect(refusal(reply)).to.deep.equal(REFUSED);
      expect(reply.json.limit.reserved).to.be.greaterThan(0);
      expect(Number(reply.headers['Retry-After'])).to.be.within(1, 5);
    }
    expect(await runs.read(id)).to.deep.include({ state: 'running', steps: [] });
    await end();
    expect(await runs.work(id)).to.include({ state: 'succeeded', output: 'answer' });
    expect(runs.asked).to.have.length(1);
  });

  for (const [what, tool] of Object.entries({
    calls: { name: 'Desk__echo', args: { text: 'x' } },
    'approved calls': { name: 'Desk__delete', args: { id: 1 } },
  })) {
    it(`makes its ${what} of tools once they have ended`, async () => {
      const id = await runs.start();
      runs.turns.push([tool]);
      await runs.call('POST', `/${id}/step`);
      if (what === 'approved calls') {
        const decided = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
        expect(decided.status, JSON.stringify(decided.json)).to.equal(200);
      }
      const before = (await runs.read(id)).steps;
      const end = await reserve(MOST - USED);
      for (let time = 0; time < 3; time += 1) {
        expect(refusal(await runs.call('POST', `/${id}/step`))).to.deep.equal(REFUSED);
      }
      expect((await runs.read(id)).steps).to.deep.equal(before);
      await end();
      runs.turns.push('answer');
      const run = await runs.work(id);
      expect(run).to.include({ state: 'succeeded', output: 'answer' });
      expect(run.steps[1]).to.include({ kind: 'tool', state: 'done' });
    });
  }

  it('ends with its time', async () => {
    const id = await runs.start({}, { agent_timeout: 60 });
    const end = await reserve(MOST);
    expect(refusal(await runs.call('POST', `/${id}/step`))).to.deep.equal(REFUSED);
    runs.app.site.clock.advance(61_000);
    expect((await runs.call('POST', `/${id}/step`)).json).to.include({ state: 'failed' });
    expect(await runs.read(id)).to.include({ state: 'failed', error_code: 'timeout' });
    await end();
  });

  it('fails where the limit is used up', async () => {
    const id = await runs.start({}, { llm: { model: 'up/m1', max_tokens: MOST + 1 } });
    await runs.call('POST', `/${id}/step`);
    const run = await runs.read(id);
    expect(run).to.include({ state: 'failed', error_code: 'limit_exceeded' });
    expect(run.steps).to.have.length(1);
    expect(run.steps[0]).to.include({ kind: 'model', state: 'failed', error_code: 'limit_exceeded' });
    expect(runs.asked).to.deep.equal([]);
  });
});
