import { expect } from 'chai';
import { mlChat } from '../../src/search/gateway/mlChat.ts';
import type { Row } from '../../src/search/rows.ts';
import { runCommand } from '../search/gateway/fakeGateway.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, configure, gatewayApp } from './gatewayApp.ts';

const PRICES = {
  'General_Chat/m*': { input_per_million: '3', cached_input_per_million: '0.5', output_per_million: '15' },
};
const dated = 'gpt-4o-2024-08-06';

describe('cost of gateway uses', () => {
  let app: MemoryApp;
  const batch = (body: Json) =>
    app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'chat', common: { model: 'up/m1' }, ...body });
  const item = (id: string, more: Json = {}) => ({ id, messages: [{ role: 'user', content: `about ${id}` }], ...more });
  beforeEach(async () => {
    app = await gatewayApp();
  });

  it('is absent for models without a price', async () => {
    expect((await ask(app, {})).json.ml).not.to.have.property('cost');
    expect((await batch({ items: [item('a')] })).json.usage).not.to.have.property('cost');
    const dry = await batch({ items: [item('a')], dry_run: true });
    expect(dry.json.result[0].response).not.to.have.property('cost_estimated');
  });

  it('of a chat counts cached input and reasoning as the provider does', async () => {
    app.prices.stanzas = PRICES;
    const usage = {
      prompt_tokens: 2000,
      completion_tokens: 300,
      prompt_tokens_details: { cached_tokens: 1500 },
      completion_tokens_details: { reasoning_tokens: 250 },
    };
    app.llm.answer = () => ({ json: completionOf('x', usage) });
    expect((await ask(app, {})).json.ml.cost).to.equal((500 * 3 + 1500 * 0.5 + 300 * 15) / 1e6);
    const streamed = await ask(app, { stream: true });
    expect(String(streamed.json)).to.include('"cost":0.00675');
  });

  it('of a shipped model needs no settings, and follows a change of them', async () => {
    await configure(app, 'real', dated);
    app.llm.answer = () => ({ json: completionOf('x', { prompt_tokens: 1000, completion_tokens: 100 }) });
    expect((await ask(app, { model: `real/${dated}` })).json.ml.cost).to.equal(0.0035);
    app.prices.stanzas = { 'General_Chat/gpt-4o*': { input_per_million: '1', output_per_million: '0' } };
    expect((await ask(app, { model: `real/${dated}` })).json.ml.cost).to.equal(0.001);
  });

  it('of embeddings is that of their input', async () => {
    app.prices.stanzas = { 'General_Chat/m1': { input_per_million: '0.02' } };
    const vector = [{ index: 0, embedding: [1, 2] }];
    app.llm.answer = () => ({ json: { data: vector, usage: { prompt_tokens: 12_345, total_tokens: 12_345 } } });
    const { json } = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/m1', input: 'text' });
    expect(json.ml.cost).to.equal(0.0002469);
  });

  it('of a batch is the sum of its calls, those with a price', async () => {
    app.prices.stanzas = { 'General_Chat/m1': { input_per_million: '3', output_per_million: '15' } };
    const items = [item('a'), item('b'), item('c', { model: 'other/m2' }), { id: 'd', messages: [] }];
    const { json } = await batch({ items });
    expect(json.usage.cost).to.equal((2 * (5 * 3 + 7 * 15)) / 1e6);
    expect(json.result[0].response.ml.cost).to.equal(0.00012);
    expect(json.result[2].response.ml).not.to.have.property('cost');
    const dry = await batch({ items: [item('seven')], dry_run: true });
    expect(dry.json.result[0].response).to.include({ tokens_estimated: 4, cost_estimated: 0.000012 });
    expect(dry.json.usage).not.to.have.property('cost');
  });

  describe('in a search', () => {
    const rows = Array.from({ length: 20 }, (_, at): Row => ({ n: String(at) }));
    const search = (args: string) =>
      runCommand(mlChat, `prompt="{n}" model="up/m1" parallel=1 ${args}`, [rows], {
        clock: { now: () => performance.now(), sleep: (ms: number) => new Promise((done) => setTimeout(done, ms)) },
        tools: async () => ({ status: 200, body: {} }),
        indexDocuments: async () => ({ status: 200, body: {} }),
        deleteDocuments: async () => ({ status: 200, body: {} }),
        batch: async (request: object) => {
          const { status, json } = await app.call('asker', 'POST', '/ai_gateway/batch', request as Json);
          return { status, body: json };
        },
      });

    it('is shown by dryrun=true', async () => {
      app.prices.stanzas = PRICES;
      const found = await search('dryrun=true');
      expect(found.rows.map(({ answer_cost_estimated }) => answer_cost_estimated)).to.deep.equal(
        rows.map(() => 0.000003),
      );
      expect(app.llm.calls).to.have.length(0);
    });

    it('ends the questions at max_cost', async () => {
      app.prices.stanzas = PRICES;
      app.llm.answer = () => ({ json: completionOf('x', { prompt_tokens: 0, completion_tokens: 100_000 }) });
      const { rows: found, warnings } = await search('max_cost=4.5');
      expect(app.llm.calls).to.have.length.within(3, 4);
      const unasked = found.filter(({ answer_error }) => answer_error === 'max_cost');
      expect(unasked).to.have.length(20 - app.llm.calls.length);
      expect(warnings).to.have.length(1);
    });

    it('must be known for max_cost', async () => {
      const thrown = await search('max_cost=1').catch((error: Error) => error.message);
      expect(thrown).to.match(/^max_cost needs a model with a known price/);
      expect(app.llm.calls).to.have.length(0);
    });
  });
});
