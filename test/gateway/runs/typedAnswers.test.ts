import { expect } from 'chai';
import type { Json } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type RunsApp, runsApp, statesOf } from './runsApp.ts';

const SCHEMA = {
  type: 'object',
  properties: { severity: { enum: ['low', 'high'] }, count: { type: 'integer' } },
  required: ['severity'],
};
const TYPED = { output_schema: SCHEMA };
const FITS = '{"severity": "high", "count": 3}';
const WRONG = '{"severity": "odd"}';

describe('a run whose agent has a schema of its answers', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const work = async (more: Json = {}) => runs.work(await runs.start({}, { ...TYPED, ...more }));
  const lastMessages = (asked: number, count: number) =>
    runs.asked[asked].messages.slice(-count).map(({ role, content }: Json) => [role, content]);

  it('ends with the object; the model is asked for it, with the tools', async () => {
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'x' } }], FITS);
    const run = await work();
    expect(run).to.deep.include({ state: 'succeeded', output: { severity: 'high', count: 3 } });
    for (const { response_format, tools } of runs.asked) {
      expect(response_format).to.deep.equal({ type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA } });
      expect(tools).to.have.length(2);
    }
    expect(run.steps.at(-1).output).to.equal(FITS);
    expect(run.definition.output_schema).to.deep.equal(SCHEMA);
    const { json } = await runs.call('GET', `/${run.run_id}`);
    expect(json.output).to.deep.equal({ severity: 'high', count: 3 });
    const list = (await runs.call('GET', '')).json.result;
    expect(list[0].output).to.deep.equal({ severity: 'high', count: 3 });
    // The store restricts the names and the depth of fields.
    const [stored] = runs.stored('ml_runs') as unknown as [Json];
    expect(stored.output).to.be.a('string');
    expect((stored.definition as Json).output_schema).to.be.a('string');
  });

  it('reads the one block of code that the JSON stands in', async () => {
    runs.turns.push(`Here it is:\n\`\`\`json\n${FITS}\n\`\`\`\n`);
    expect((await work()).output).to.deep.equal({ severity: 'high', count: 3 });
    expect(runs.asked).to.have.length(1);
  });

  it('keeps all digits of an integer', async () => {
    runs.turns.push('{"severity": "low", "count": 9007199254740993}');
    const run = await work();
    expect(JSON.parse(String(run.steps[0].output).replace(/\d+/, '0'))).to.include({ severity: 'low' });
    expect(run.output.count).to.equal(9_007_199_254_740_993n);
  });

  it('asks once more, with the problems, and counts the request', async () => {
    runs.turns.push(WRONG, FITS);
    const run = await work();
    expect(run).to.deep.include({ state: 'succeeded', output: { severity: 'high', count: 3 } });
    expect(statesOf(run)).to.deep.equal(['model done', 'model done']);
    expect(run.usage).to.include({ requests: 2, input_tokens: 20 });
    const [answer, request] = lastMessages(1, 2);
    expect(answer).to.deep.equal(['assistant', WRONG]);
    expect(request[0]).to.equal('user');
    expect(request[1]).to.contain('severity').and.to.contain('Answer again with JSON that matches it');
    expect(runs.asked[1].tools).to.have.length(2);
  });

  it('may call tools before it answers again, and is not asked a third time', async () => {
    runs.turns.push('no JSON', [{ name: 'Desk__echo', args: { text: 'x' } }], WRONG, 'never asked');
    const run = await work();
    expect(run).to.include({ state: 'failed', error_code: 'invalid_structured_output' });
    expect(run).to.not.have.property('output');
    expect(run.message).to.contain('severity').and.to.contain('asked twice');
    expect(statesOf(run)).to.deep.equal(['model done', 'model done', 'tool Desk__echo done', 'model done']);
    expect(lastMessages(1, 1)[0][1]).to.contain('is not JSON');
  });

  it('says of an empty answer that there was none', async () => {
    runs.turns.push('', FITS);
    expect((await work()).state).to.equal('succeeded');
    expect(lastMessages(1, 2)[0]).to.deep.equal(['assistant', '(no answer)']);
  });

  for (const [limit, more] of [
    ['max_steps', { max_steps: 1 }],
    ['max_tokens_per_run', { max_tokens_per_run: 15 }],
  ] as const) {
    it(`is asked nothing again where ${limit} is reached`, async () => {
      runs.turns.push(WRONG, FITS);
      const run = await work(more);
      expect(run).to.include({ state: 'failed', error_code: 'invalid_structured_output' });
      expect(run.message).to.contain(limit);
      expect(runs.asked).to.have.length(1);
    });
  }

  it('is asked nothing again when its time is over', async () => {
    runs.turns.push(WRONG, FITS);
    const id = await runs.start({}, { ...TYPED, agent_timeout: 60 });
    await runs.step(id);
    runs.app.site.clock.advance(61_000);
    expect(await runs.work(id)).to.include({ state: 'failed', error_code: 'invalid_structured_output' });
    expect(runs.asked).to.have.length(1);
  });

  it('is asked again in the last step without tools', async () => {
    runs.turns.push(WRONG, FITS);
    const run = await work({ max_steps: 2 });
    expect(run.state).to.equal('succeeded');
    expect(runs.asked[1]).to.not.have.property('tools');
  });

  for (const mode of ['refused', 'lost'] as const) {
    it(`is asked again once, whatever access to the store is ${mode} between the answer and the repeat`, async () => {
      for (let at = 1; ; at += 1) {
        runs.asked.length = 0;
        runs.turns.splice(0, runs.turns.length, WRONG);
        const id = await runs.start({}, TYPED);
        const faults = new FaultPlan(at, mode);
        await runs.step(id, faults).catch(() => undefined);
        runs.app.site.clock.advance(11_000);
        // A request whose answer was lost is made once more, with the same answer.
        const { steps } = await runs.read(id);
        if (steps[0]?.state !== 'done') runs.turns.splice(0, runs.turns.length, WRONG);
        runs.turns.push(FITS);
        const run = await runs.work(id);
        expect([run.state, run.steps.length], faults.trace.join(', ')).to.deep.equal(['succeeded', 2]);
        if (faults.calls < at) break;
      }
    });
  }

  it('continues a session with what was answered', async () => {
    runs.turns.push(WRONG, FITS, FITS);
    await runs.work(await runs.start({ session_id: 's' }, TYPED));
    await runs.work(await runs.start({ session_id: 's' }, TYPED));
    const roles = runs.asked[2].messages.map(({ role }: Json) => role);
    expect(roles).to.deep.equal(['user', 'assistant', 'user', 'assistant', 'user']);
    runs.turns.push(FITS);
    await runs.work(await runs.start({ session_id: 't' }, TYPED));
    runs.turns.push(FITS);
    await runs.work(await runs.start({ session_id: 't' }, TYPED));
    const earlier = runs.asked.at(-1).messages.find(({ role }: Json) => role === 'assistant');
    expect(JSON.parse(earlier.content)).to.deep.equal({ severity: 'high', count: 3 });
  });

  it('goes on without a check where the answer is refused by a filter', async () => {
    runs.app.llm.answer = () => ({
      json: { choices: [{ index: 0, message: { role: 'assistant', content: '' }, finish_reason: 'content_filter' }] },
    });
    expect(await work()).to.include({ state: 'failed', error_code: 'content_filtered' });
  });
});
