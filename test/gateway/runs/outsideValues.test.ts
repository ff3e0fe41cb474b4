import { expect } from 'chai';
import { DECISIONS, RUNS, STEPS } from '../../../src/gateway/runs/documents/stored.ts';
import type { Json } from '../../support/memory/app.ts';
import { type RunsApp, runsApp, statesOf } from './runsApp.ts';

/** An object of so many levels, as JSON. */
const nestedText = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
const nested = (levels: number): Json => JSON.parse(nestedText(levels));

const ODD: readonly Json[] = [
  { $gt: 5 },
  { 'a.b': 1, '': [{ $or: [{ $ref: 'x' }] }] },
  { 'with\0null': { $$: [] } },
  nested(99),
];

describe('values from outside in runs', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    const object = { type: 'object', properties: { q: { type: 'object' } } };
    runs.app.peers.tools = [
      { name: 'read', description: 'reads', input_schema: object, annotations: { readOnlyHint: true } },
      { name: 'wipe', description: 'wipes', input_schema: object, annotations: { destructiveHint: true } },
    ];
  });

  const approve = (id: string, more: Json = {}) =>
    runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve', ...more });

  for (const odd of ODD) {
    const name = JSON.stringify(odd).slice(0, 40);
    it(`reach the tools that are called with them: ${name}`, async () => {
      const args = { q: odd };
      runs.turns.push([{ name: 'Desk__read', args }], [{ name: 'Desk__wipe', args }], 'done');
      const id = await runs.start();
      const waiting = await runs.work(id);
      expect(statesOf(waiting).slice(1)).to.deep.equal([
        'tool Desk__read done',
        'model done',
        'tool Desk__wipe waiting',
      ]);
      expect(waiting.steps[3].input).to.deep.equal(args);
      expect((await approve(id, { step: 3 })).status).to.equal(200);
      expect(await runs.work(id)).to.include({ state: 'succeeded' });
      expect(runs.app.peers.calls.map((call) => call.arguments)).to.deep.equal([args, args]);
      expect((await runs.read(id)).steps[1].input).to.deep.equal(args);
    });

    it(`are inputs and edited arguments: ${name}`, async () => {
      runs.turns.push([{ name: 'Desk__wipe', args: { q: {} } }], 'done', 'second');
      const id = await runs.start({ input: odd, session_id: 's' });
      expect((await runs.work(id)).input).to.deep.equal(odd);
      expect(runs.asked[0]?.messages[0].content).to.equal(JSON.stringify(odd));
      expect((await approve(id, { arguments: { q: odd } })).status).to.equal(200);
      expect(await runs.work(id)).to.include({ state: 'succeeded' });
      expect(runs.app.peers.calls[0]?.arguments).to.deep.equal({ q: odd });
      expect((await runs.call('GET', '')).json.result[0].input).to.deep.equal(odd);
      await runs.work(await runs.start({ input: 'again', session_id: 's' }));
      expect(runs.asked.at(-1)?.messages[0].content).to.equal(JSON.stringify(odd));
    });
  }

  it('are kept as the provider wants to see them again', async () => {
    const { answer } = runs.app.llm;
    const signature = { google: { thought_signature: 'abc', $odd: { 'a.b': 1 } } };
    runs.turns.push([{ name: 'Desk__read', args: {} }], 'done', 'second');
    runs.app.llm.answer = (call) => {
      const reply = answer(call) as { json: Json };
      const [{ message }] = reply.json.choices as [{ message: { tool_calls?: Json[] } }];
      for (const made of message.tool_calls ?? []) made.extra_content = signature;
      return reply;
    };
    expect(await runs.work(await runs.start({ session_id: 's' }))).to.include({ state: 'succeeded' });
    await runs.work(await runs.start({ session_id: 's' }));
    for (const index of [1, 2]) {
      const made = runs.asked[index]?.messages.find(({ tool_calls }: Json) => tool_calls);
      expect(made.tool_calls[0].extra_content, String(index)).to.deep.equal(signature);
    }
  });

  /** Adds fields to the messages and calls that the model answers with calls. */
  const answerWith = (message: Json, call: Json = {}) => {
    const { answer } = runs.app.llm;
    runs.app.llm.answer = (asked) => {
      const reply = answer(asked) as { json: Json };
      const [choice] = reply.json.choices as [{ message: { tool_calls?: Json[] } }];
      Object.assign(choice.message, message);
      for (const made of choice.message.tool_calls ?? []) Object.assign(made, call);
      return reply;
    };
  };

  for (const [what, message] of [
    ['reasoning_content', { reasoning_content: 'I should read.' }],
    ['details', { reasoning_content: 'I', reasoning_details: [{ type: 'reasoning.encrypted', $data: 'x', 'a.b': 2 }] }],
    ['blocks', { thinking_blocks: [{ type: 'thinking', thinking: 'I', signature: 'x' }] }],
  ] as const) {
    it(`have the reasoning before calls: ${what}`, async () => {
      runs.turns.push([{ name: 'Desk__read', args: {} }], [{ name: 'Desk__read', args: {} }], 'done', 'second');
      answerWith(message);
      expect(await runs.work(await runs.start({ session_id: 's' }))).to.include({ state: 'succeeded', output: 'done' });
      await runs.work(await runs.start({ session_id: 's' }));
      for (const [index, count] of [
        [1, 1],
        [2, 2],
        [3, 2],
      ] as const) {
        const turns = runs.asked[index]?.messages.filter(({ role }: Json) => role === 'assistant');
        const made = turns.filter((turn: Json) => turn.tool_calls);
        expect(made, String(index)).to.have.length(count);
        for (const turn of made) expect(turn).to.deep.include(message);
        for (const turn of turns.filter((one: Json) => !one.tool_calls))
          expect(turn).to.have.all.keys('role', 'content');
      }
    });
  }

  it('have at most 64 KB of reasoning, and no larger signed values', async () => {
    runs.turns.push([{ name: 'Desk__read', args: {} }], 'done');
    answerWith({ reasoning_content: 'é'.repeat(100_000), thinking_blocks: [{ signature: 'x'.repeat(70_000) }] });
    expect(await runs.work(await runs.start())).to.include({ state: 'succeeded' });
    const turn = runs.asked[1]?.messages.find(({ tool_calls }: Json) => tool_calls);
    expect(Buffer.byteLength(turn.reasoning_content)).to.be.within(65_000, 66_000);
    expect(turn).not.to.have.property('thinking_blocks');
  });

  it('may have large integers beside a call', async () => {
    runs.turns.push([{ name: 'Desk__read', args: {} }], 'done');
    answerWith({}, { extra_content: { id: 2 ** 60 } });
    expect(await runs.work(await runs.start())).to.include({ state: 'succeeded', output: 'done' });
  });

  it('are sent without reasoning to a provider that refuses it', async () => {
    runs.turns.push([{ name: 'Desk__read', args: {} }], 'done');
    answerWith({ reasoning_content: 'I should read.' });
    const { answer } = runs.app.llm;
    runs.app.llm.answer = (call) => {
      if (!call.body?.includes('reasoning_content')) return answer(call);
      const detail = [{ type: 'extra_forbidden', loc: ['body', 'messages', 1, 'assistant', 'reasoning_content'] }];
      return { status: 422, json: { detail } };
    };
    expect(await runs.work(await runs.start())).to.include({ state: 'succeeded', output: 'done' });
  });

  it('are refused beyond 100 levels: to the model, and to who sends them', async () => {
    for (const levels of [101, 5000]) {
      const text = `{"q":${JSON.stringify('x')},"p":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
      runs.turns.push(
        [
          { name: 'Desk__read', args: text },
          { name: 'nowhere', args: text },
        ],
        'sorry',
      );
      const run = await runs.work(await runs.start());
      expect(run, String(levels)).to.include({ state: 'succeeded', output: 'sorry' });
      expect(run.steps[1]).to.include({ state: 'failed', error_code: 'validation_failed' });
      expect(run.steps[1].output).to.contain('100 levels');
      expect(JSON.stringify(runs.asked.at(-1)).length).to.be.lessThan(levels * 2 + 3000);
    }
    const definition = { runtime_type: 'BUILT_IN' };
    runs.turns.push([{ name: 'Desk__wipe', args: {} }], 'done');
    const id = await runs.start();
    await runs.work(id);
    for (const levels of [101, 5000]) {
      const sent = [
        [`/${id}/approve`, 'arguments', { step: 1, decision: 'approve' }],
        ['', 'input', { definition }],
      ] as const;
      for (const [path, field, body] of sent) {
        // Too deep for JSON.stringify.
        const text = `${JSON.stringify(body).slice(0, -1)},"${field}":${nestedText(levels)}}`;
        const { status, json } = await runs.app.call('asker', 'POST', `/ai_gateway/runs${path}`, text);
        expect([status, json.error_code, json.errors[0].field]).to.deep.equal([400, 'validation_failed', field]);
      }
    }
    expect((await runs.read(id)).state).to.equal('waiting_for_approval');
  });

  it('of earlier versions, which are objects in the store, are read, and their runs go on', async () => {
    runs.turns.push([{ name: 'Desk__wipe', args: { q: { a: 1 } } }], 'done');
    const id = await runs.start({ input: { question: 1 } });
    await runs.work(id);
    await approve(id, { arguments: { q: { a: 2 } } });
    for (const collection of [RUNS, STEPS, DECISIONS]) {
      const docs = runs.app.site.records.collection(collection);
      for (const [key, text] of docs) {
        const { json = [], ...doc } = JSON.parse(text) as Json & { json?: string[] };
        for (const field of json) doc[field] = JSON.parse(String(doc[field]));
        docs.set(key, JSON.stringify(doc));
      }
    }
    expect((await runs.read(id)).input).to.deep.equal({ question: 1 });
    expect(await runs.work(id)).to.include({ state: 'succeeded' });
    expect(runs.app.peers.calls[0]?.arguments).to.deep.equal({ q: { a: 2 } });
  });
});

describe('a run whose step fails again and again', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });

  it('ends with the code after three equal failures that do not pass', async () => {
    const id = await runs.start();
    const listing = runs.app.schemas;
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'x' } }]);
    runs.app.schemas = {
      ...listing,
      check: () => {
        throw new RangeError('too deep');
      },
    };
    const statuses: number[] = [];
    for (let step = 0; step < 3; step += 1) {
      runs.turns.splice(0, 1, [{ name: 'Desk__echo', args: { text: 'x' } }]);
      statuses.push((await runs.call('POST', `/${id}/step`)).status);
    }
    expect(statuses).to.deep.equal([500, 500, 200]);
    const run = await runs.read(id);
    expect(run).to.include({ state: 'failed', error_code: 'internal_error' });
    expect(run.message).to.contain('3 times');
  });

  it('goes on after failures that pass, however many', async () => {
    const id = await runs.start();
    runs.app.slots.max = 0;
    for (let step = 0; step < 5; step += 1) expect((await runs.call('POST', `/${id}/step`)).status).to.equal(429);
    runs.app.slots.max = 16;
    runs.turns.push('answer');
    expect(await runs.work(id)).to.include({ state: 'succeeded' });
  });

  it('fails if its answer is larger than what the store takes', async () => {
    for (const text of ['x'.repeat(17 * 1024 * 1024), '\0'.repeat(3 * 1024 * 1024)]) {
      runs.turns.push(text);
      const run = await runs.work(await runs.start());
      expect(run).to.include({ state: 'failed', error_code: 'context_length_exceeded' });
      expect(run.usage).to.include({ requests: 1, output_tokens: 5 });
    }
  });
});
