import { expect } from 'chai';
import { STEPS } from '../../../../src/gateway/runs/documents/stored.ts';
import type { Json } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { type RunsApp, runsApp, statesOf } from '../runsApp.ts';

const LOOK = [{ name: 'Desk__echo', args: { text: 'hosts' } }];
const ROWS = [{ src: '198.51.100.7', user: 'anna', count: 42 }];
const TRUE = 'The source is 198.51.100.7.';
const MADE_UP = 'The source is 203.0.113.9.';
/** Longer than a lease. */
const LATER_MS = 11_000;

describe('the claims of the answer of a run', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    await begin();
  });
  async function begin(): Promise<void> {
    runs = await runsApp();
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: JSON.stringify(ROWS) }] });
  }
  const work = async (more: Json = {}, start: Json = {}) => runs.work(await runs.start(start, more));
  const statusesOf = (run: Json) =>
    (run.evidence as Json & { entities: Json[] }).entities.map(({ text, status, by }) => [text, status, by]);

  it('are found in the results of its steps, with their field, and in its input', async () => {
    runs.turns.push(LOOK, 'From 198.51.100.7, of db-3.corp.example: 42 events, and 203.0.113.9 too.');
    const run = await work({}, { input: 'What is it with db-3.corp.example?' });
    expect(run.state).to.equal('succeeded');
    expect(statusesOf(run)).to.deep.equal([
      ['203.0.113.9', 'unverified', []],
      ['198.51.100.7', 'backed', [{ step: 1, field: 'src' }]],
      ['db-3.corp.example', 'backed', [{ input: true }]],
      ['42', 'backed', [{ step: 1, field: 'count' }]],
    ]);
    expect(run.evidence).to.include({ checked: 4, backed: 3, derived: 0, unverified: 1 });
    expect((await runs.call('GET', '')).json.result[0].evidence).to.deep.equal({
      ...{ checked: 4, backed: 3, derived: 0, unverified: 1 },
    });
  });

  it('are not found in what the model wrote, nor in a call that failed', async () => {
    runs.app.peers.result = () => ({ content: [{ type: 'text', text: 'no host 203.0.113.9' }], isError: true });
    runs.turns.push([{ name: 'Desk__echo', args: { text: '203.0.113.8' } }], 'Seen: 203.0.113.8 and 203.0.113.9.');
    expect((await work()).evidence).to.include({ checked: 2, unverified: 2 });
  });

  it('are found in the results of earlier runs of the session, and not in their answers', async () => {
    runs.turns.push(LOOK, MADE_UP, `${TRUE} ${MADE_UP}`);
    const first = await work({}, { session_id: 's' });
    const second = await work({}, { session_id: 's' });
    expect(statusesOf(second)).to.deep.equal([
      ['203.0.113.9', 'unverified', []],
      ['198.51.100.7', 'backed', [{ run_id: first.run_id, step: 1, field: 'src' }]],
    ]);
  });

  it('may stand in the part of a result that the model did not see', async () => {
    const text = `${'x '.repeat(20_000)} 203.0.113.9`;
    runs.app.peers.result = () => ({ content: [{ type: 'text', text }] });
    runs.turns.push(LOOK, MADE_UP);
    const [entity] = ((await work()).evidence as { entities: Json[] }).entities;
    expect(entity).to.include({ status: 'unverified' });
    expect(entity?.why).to.contain('cut');
  });

  it('are looked up where the agent can look at something, unless the agent says otherwise', async () => {
    const checked = async (more: Json) => {
      runs.turns.push(MADE_UP);
      return 'evidence' in (await work(more));
    };
    expect(await checked({})).to.equal(true);
    expect(await checked({ mcps: [] })).to.equal(false);
    expect(await checked({ mcps: [], check_evidence: true })).to.equal(true);
    expect(await checked({ check_evidence: false })).to.equal(false);
    expect(await checked({ check_evidence: null })).to.equal(true);
  });

  it('of a typed answer are those of its JSON', async () => {
    const schema = { type: 'object', properties: { src: { type: 'string' } }, required: ['src'] };
    runs.turns.push(LOOK, '{"src": "203.0.113.9"}');
    const run = await work({ output_schema: schema, on_unverified: 'fail' });
    expect(run).to.deep.include({ state: 'failed', error_code: 'unverified_claims', output: { src: '203.0.113.9' } });
    expect(run.evidence).to.include({ unverified: 1 });
  });

  it('fail the run with its answer, where the agent says so', async () => {
    runs.turns.push(LOOK, MADE_UP, LOOK, TRUE);
    const run = await work({ on_unverified: 'fail' });
    expect(run).to.include({ state: 'failed', error_code: 'unverified_claims', output: MADE_UP });
    expect(run.message).to.contain('203.0.113.9');
    expect(await work({ on_unverified: 'fail' })).to.include({ state: 'succeeded', output: TRUE });
  });

  it('are asked for once more, with the list and the tools, and marked then', async () => {
    runs.turns.push(MADE_UP, LOOK, `${TRUE} ${MADE_UP}`, 'never asked');
    const run = await work({ on_unverified: 'ask_again' });
    expect(run.state).to.equal('succeeded');
    expect(statesOf(run)).to.deep.equal(['model done', 'model done', 'tool Desk__echo done', 'model done']);
    expect(run.usage).to.include({ requests: 3 });
    const { messages, tools } = runs.asked[1];
    expect(messages.at(-2)).to.deep.equal({ role: 'assistant', content: MADE_UP });
    expect(messages.at(-1)).to.include({ role: 'user' });
    expect(messages.at(-1).content).to.contain('"203.0.113.9"').and.to.contain('give the whole answer again');
    expect(tools).to.have.length(2);
    expect(run.evidence).to.include({ checked: 2, backed: 1, unverified: 1 });
    // The step that was asked again shows its answer.
    expect(run.steps[0].output).to.equal(MADE_UP);
  });

  it('are asked for once more beside the schema, each once', async () => {
    const schema = { type: 'object', properties: { src: { type: 'string' } }, required: ['src'] };
    runs.turns.push('no JSON', '{"src": "203.0.113.9"}', '{"source": 1}', 'never asked');
    const run = await work({ output_schema: schema, on_unverified: 'ask_again' });
    expect(run).to.include({ state: 'failed', error_code: 'invalid_structured_output' });
    expect(run).to.not.have.property('evidence');
    expect(runs.asked).to.have.length(3);
  });

  for (const [limit, more] of [
    ['max_steps', { max_steps: 1 }],
    ['max_tokens_per_run', { max_tokens_per_run: 15 }],
  ] as const) {
    it(`are marked without a further request where ${limit} is reached`, async () => {
      runs.turns.push(MADE_UP, 'never asked');
      expect(await work({ on_unverified: 'ask_again', ...more })).to.include({ state: 'succeeded', output: MADE_UP });
      expect(runs.asked).to.have.length(1);
    });
  }

  for (const policy of ['mark', 'ask_again', 'fail']) {
    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`are checked by the next reader after a ${mode} of any access to the store (${policy})`, async function () {
        this.timeout(60_000);
        for (let at = 1; ; at += 1) {
          await begin();
          runs.turns.push(MADE_UP, TRUE, TRUE);
          const id = await runs.start({}, { on_unverified: policy });
          const faults = new FaultPlan(at, mode);
          await runs.step(id, faults).catch(() => undefined);
          runs.app.site.clock.advance(LATER_MS);
          const [before] = runs.stored(STEPS);
          const isAnswered = before?.state === 'done' && before.output === MADE_UP;
          await Promise.all([runs.read(id), runs.read(id), runs.call('GET', `/${id}`)]);
          const run = policy === 'ask_again' || !isAnswered ? await runs.work(id) : await runs.read(id);
          const which = `${at}: ${faults.trace.join(', ')}`;
          expect(run.state, which).to.equal(policy === 'fail' ? 'failed' : 'succeeded');
          if (isAnswered) {
            expect(run.evidence, which).to.include({ checked: 1, unverified: 1 });
            expect(run.steps, which).to.have.length(policy === 'ask_again' ? 2 : 1);
          }
          if (faults.calls < at) break;
        }
      });
    }
  }

  it('are checked once by several readers, of a run that was killed before the check', async () => {
    let tested = 0;
    for (let at = 1; tested === 0; at += 1) {
      await begin();
      let checks = 0;
      const { evidence } = runs.app.gateway;
      const check: typeof evidence.check = async (request) => {
        checks += 1;
        return evidence.check(request);
      };
      Object.assign(runs.app.gateway, { evidence: { check } });
      runs.turns.push(MADE_UP);
      const id = await runs.start({}, { on_unverified: 'fail' });
      await runs.step(id, new FaultPlan(at)).catch(() => undefined);
      runs.app.site.clock.advance(LATER_MS);
      const [step] = runs.stored(STEPS);
      if (step?.state !== 'done' || checks > 0) continue;
      await Promise.all([1, 2, 3].map(() => runs.read(id)));
      expect(await runs.read(id)).to.include({ state: 'failed', output: MADE_UP });
      expect(checks).to.equal(1);
      tested += 1;
    }
  });

  it('end with the answer marked as not compared, if the check takes too long', async () => {
    Object.assign(runs.app.gateway, { evidence: { check: async () => ({ error_code: 'timeout' }) } });
    runs.turns.push(LOOK, MADE_UP);
    const run = await work({ on_unverified: 'fail' });
    expect(run).to.deep.include({ state: 'succeeded', output: MADE_UP, evidence: { error_code: 'timeout' } });
  });
});
