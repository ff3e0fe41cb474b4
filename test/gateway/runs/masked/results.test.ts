import { expect } from 'chai';
import { uploadedModels } from '../../../../src/app/dependencies/models/onnx.ts';
import { createProcess } from '../../../../src/app/gateway/gatewayScope.ts';
import { mcpServer } from '../../../../src/app/gateway/mcpServer.ts';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { ALL, applyPolicies } from '../../masking/policies.ts';
import { type RunsApp, statesOf } from '../runsApp.ts';
import { maskedRuns, seenByModel, wordOf } from './maskedRuns.ts';

const HOST = 'db7.corp.example';
const CARD = '4111111111111111';
const echo = (text: string) => [{ name: 'Desk__echo', args: { text } }];

describe('results and answers of masked runs', () => {
  let runs: RunsApp;
  const result = (text: string) => {
    runs.app.peers.result = () => ({ content: [{ type: 'text', text }] });
  };
  const refuseCards = async () => {
    runs = await maskedRuns({ kinds: { ...ALL, card: 'refuse' } });
  };
  beforeEach(async () => {
    runs = await maskedRuns();
  });

  it('reach the model without values, and people with them', async () => {
    result(`host=${HOST} is down`);
    runs.turns.push(echo('x'), (body) => `Restart ${wordOf('host', body)}`);
    const run = await runs.work(await runs.start());
    expect(run.steps[1].output).to.equal(`host=${HOST} is down`);
    expect(seenByModel(runs))
      .to.match(/host=host-[a-z0-9]{10} is down/)
      .and.not.include(HOST);
    expect(run.output).to.equal(`Restart ${HOST}`);
  });

  it('are withheld where a policy refuses a kind in them, and the run goes on', async () => {
    await refuseCards();
    result(`card ${CARD}`);
    runs.turns.push(echo('x'), 'done');
    const run = await runs.work(await runs.start());
    expect([run.state, run.output]).to.deep.equal(['succeeded', 'done']);
    expect(runs.asked[1].messages.at(-1)).to.deep.include({
      role: 'tool',
      content: 'content_refused: A masking policy refuses content of these kinds: card (1)',
    });
    expect(seenByModel(runs)).to.not.include(CARD);
    expect(run.steps[1]).to.include({ state: 'done', output: `card ${CARD}` });
  });

  for (const [where, more] of [
    ['the input', { input: `card ${CARD}` }],
    ['a prompt', { system_prompt: `card ${CARD}` }],
  ] as const) {
    it(`are none where a policy refuses a kind in ${where}`, async () => {
      await refuseCards();
      const { input = 'question', ...definition } = { ...more } as { input?: string };
      const run = await runs.work(await runs.start({ input }, definition));
      expect(run).to.include({ state: 'failed', error_code: 'content_refused' });
      expect(run.message).to.include('card (1)');
      expect(runs.app.llm.calls).to.deep.equal([]);
    });
  }

  it('are none of a result that says what the input says', async () => {
    await refuseCards();
    result(`card ${CARD}`);
    runs.turns.push(echo('x'), 'done');
    const run = await runs.work(await runs.start({ input: `card ${CARD}` }));
    expect(run).to.include({ state: 'failed', error_code: 'content_refused' });
  });

  it('are none where masking fails: the step fails, and nothing is sent', async () => {
    const applying = async () => {
      throw new Fault('masking_failed', 'The request was not sent, since masking failed', { should_retry: false });
    };
    runs.app.gateway.masking.policies = { applying } as unknown as typeof runs.app.gateway.masking.policies;
    const run = await runs.work(await runs.start());
    expect(run).to.include({ state: 'failed', error_code: 'masking_failed' });
    expect(statesOf(run)).to.deep.equal(['model failed']);
    expect(runs.app.llm.calls).to.deep.equal([]);
  });

  it('are checked for evidence by their values', async () => {
    result(`host=${HOST} failed 17 times`);
    runs.turns.push(echo('x'), (body) => `${wordOf('host', body)} failed 17 times, other9.corp.example did not`);
    const run = await runs.work(await runs.start());
    const entities = run.evidence.entities.map(({ text, status }: { text: string; status: string }) => [text, status]);
    expect(entities).to.deep.include([HOST, 'backed']);
    expect(entities).to.deep.include(['other9.corp.example', 'unverified']);
  });

  it('have the same placeholders after a crash, in another process', async () => {
    result(`host=${HOST}`);
    runs.turns.push(echo('x'), echo('y'), 'done');
    const id = await runs.start({ input: `Look at ${HOST}` });
    await runs.step(id);
    Object.assign(runs.app.gateway, createProcess(mcpServer(), uploadedModels()));
    applyPolicies(runs.app, { kinds: ALL, operations: ['chat'] });
    expect((await runs.work(id)).state).to.equal('succeeded');
    const words = runs.app.llm.calls.map(({ body = '' }) => new Set(body.match(/host-[a-z0-9]{10}/g)));
    expect(words).to.have.length(3);
    expect(new Set(words.flatMap((each) => [...each])).size).to.equal(1);
  });

  it('have other placeholders in another run', async () => {
    for (let count = 0; count < 2; count += 1) await runs.work(await runs.start({ input: `Look at ${HOST}` }));
    const [first = '', second = ''] = runs.app.llm.calls.map(({ body = '' }) => wordOf('host', body));
    expect(first).to.not.equal(second);
  });
});
