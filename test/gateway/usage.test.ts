import { expect } from 'chai';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { USAGE } from '../../src/metering/usage/sums.ts';
import type { UseRecord } from '../../src/metering/usage/useRecord.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, gatewayApp, hello, lastText } from './gatewayApp.ts';

const CANARY = 'canary-of-a-prompt';
const ANSWER = 'canary-of-an-answer';
interface Recorded extends UseRecord {
  content?: { input: object[]; output: string & { content?: string } };
}

const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });

describe('usage of the gateway', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  /** The events of the uses so far. */
  async function uses(): Promise<Recorded[]> {
    await app.gateway.usage.flush();
    return app.events.splice(0).map(({ event }) => event as Recorded);
  }
  const alias = async () => {
    const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
    const targets = [target('up', 'm1'), target('other', 'm2')];
    const made = await app.call('llm', 'POST', '/model_aliases', { name: 'Fast', targets, acl });
    expect(made.status).to.equal(200);
  };

  it('has no rows from a time that has not come, unless it ends before', async () => {
    await ask(app, {});
    await app.gateway.usage.flush();
    const future = 4_000_000_000;
    for (const range of [
      `earliest=${future}`,
      `earliest=${future}&interval=hour`,
      `earliest=${future}&latest=${future + 1}`,
    ]) {
      const { status, json } = await app.call('asker', 'GET', `/usage?by=model&${range}`);
      expect([status, json.result, json.total.requests], range).to.deep.equal([200, [], 0]);
    }
    const wrong = await app.call('asker', 'GET', `/usage?by=model&earliest=${future}&latest=${future - 1}`);
    expect([wrong.status, wrong.json.errors[0].field]).to.deep.equal([400, 'earliest']);
    app.user('auditor', { capabilities: ['list_ml_audit', 'use_ai_gateway', 'run_agents'] });
    for (const path of [`/audit?earliest=${future}`, `/ai_gateway/runs?earliest=${future}`]) {
      const { status, json } = await app.call('auditor', 'GET', path);
      expect([status, json.result, json.pagination.total], path).to.deep.equal([200, [], 0]);
    }
  });

  it('is one event a use, with our names and those of OpenTelemetry', async () => {
    await ask(app, { messages: [{ role: 'user', content: CANARY }] });
    const [event, ...more] = await uses();
    expect(more).to.deep.equal([]);
    const { usage_id, time, request_id, upstream_ms, overhead_ms, ...facts } = event as object as Json;
    expect(Object.keys(event as object)[0]).to.equal('time');
    expect([typeof usage_id, typeof request_id]).to.deep.equal(['string', 'string']);
    for (const number of [time, upstream_ms, overhead_ms]) expect(number).to.be.at.least(0);
    expect(JSON.parse(JSON.stringify(facts))).to.deep.equal({
      user: 'asker',
      via: 'openai',
      operation: 'chat',
      provider: 'General_Chat',
      connection: 'up',
      model: 'm1',
      input_tokens: 5,
      output_tokens: 7,
      outcome: 'success',
      attempts: 1,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'm1',
      'gen_ai.response.model': 'm1',
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 7,
    });
  });

  it('goes to the index of the settings, or to none', async () => {
    await ask(app, {});
    await app.gateway.usage.flush();
    expect(app.events.splice(0).map(({ index, sourcetype }) => [index, sourcetype])).to.deep.equal([
      ['_internal', 'ml_extension:usage'],
    ]);
    app.settings.stanzas = { gateway: { usage_index: ' main ' } };
    await ask(app, {});
    await app.gateway.usage.flush();
    expect(app.events.splice(0)[0]?.index).to.equal('main');
    app.settings.stanzas = { gateway: { usage_index: '' } };
    await ask(app, {});
    expect(await uses()).to.deep.equal([]);
  });

  it('is summed, and reported to its user and to those who may read all', async () => {
    app.user('auditor', { capabilities: ['list_ml_usage'] });
    await ask(app, {});
    await ask(app, { model: 'other/m2' }, 'llm');
    app.llm.answer = () => ({ status: 500, json: {} });
    await ask(app, {});
    await app.gateway.usage.flush();
    const report = async (user: string) => (await app.call(user, 'GET', '/usage?by=user,model')).json;
    const own = await report('asker');
    expect(own.result).to.have.length(1);
    expect(own.result[0]).to.deep.include({ user: 'asker', model: 'm1', requests: 2, failed: 1, input_tokens: 5 });
    expect(own.result[0]).to.deep.include({ output_tokens: 7, unpriced: 2 });
    expect(own.total).to.deep.include({ requests: 2, failed: 1 });
    const all = await report('auditor');
    expect(all.result.map(({ user, requests }: Json) => [user, requests])).to.deep.equal([
      ['asker', 2],
      ['llm', 1],
    ]);
    expect((await report('reader')).result).to.deep.equal([]);
  });

  it('has one record for an item of a batch, of the search that sent it, and none for its duplicate', async () => {
    const items = ['a', 'b', 'b'].map((text, index) => ({
      id: String(index),
      messages: [{ role: 'user', content: text }],
    }));
    await app.request({
      method: 'POST',
      path: '/ai_gateway/batch',
      sessionToken: 'asker',
      headers: [
        ['x-ml-via', 'search'],
        ['X-ML-Sid', 'sid_1.2'],
      ],
      body: Buffer.from(JSON.stringify({ operation: 'chat', common: { model: 'up/m1' }, items })),
    });
    await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'embed',
      common: { model: 'up/m1' },
      items: [{ id: 'x', input: 'text' }],
    });
    expect((await uses()).map(({ operation, via, sid }) => [operation, via, sid])).to.deep.equal([
      ['chat', 'search', 'sid_1.2'],
      ['chat', 'search', 'sid_1.2'],
      ['embeddings', 'rest', undefined],
    ]);
  });

  it('counts all tries of an item that was asked to wait as one use', async () => {
    let asked = 0;
    app.llm.answer = (call) => {
      asked += 1;
      return asked < 3
        ? { status: 429, headers: { 'retry-after': '0.01' }, json: {} }
        : { json: completionOf(lastText(call)) };
    };
    const items = [{ id: 'a', messages: hello }];
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      common: { model: 'up/m1' },
      items,
    });
    expect(json.result[0].response.ml.attempts).to.equal(3);
    expect((await uses()).map(({ outcome, attempts }) => [outcome, attempts])).to.deep.equal([['success', 3]]);
  });

  it('of an alias names who answered, and adds what a call that timed out may have cost', async () => {
    await alias();
    app.llm.answer = (call) => {
      if (String(call.url).includes('//up.')) throw new OutboundError('timeout', 'late');
      return { json: completionOf(lastText(call)) };
    };
    const { json } = await ask(app, { model: 'fast', messages: [{ role: 'user', content: 'x'.repeat(350) }] });
    expect([json.ml.attempts, json.usage.prompt_tokens]).to.deep.equal([2, 5]);
    const [use] = await uses();
    expect(use).to.deep.include({ alias: 'Fast', connection: 'other', model: 'm2', outcome: 'success', attempts: 2 });
    expect(use).to.deep.include({
      input_tokens: 105,
      output_tokens: 7,
      estimated: true,
      'gen_ai.request.model': 'Fast',
    });
  });

  it('of a failure names the first target and the code, and estimates only what may have been processed', async () => {
    await alias();
    app.llm.answer = () => ({ status: 401, json: {} });
    await ask(app, { model: 'fast' });
    app.llm.answer = () => {
      throw new OutboundError('timeout', 'late');
    };
    await ask(app, { messages: [{ role: 'user', content: 'x'.repeat(35) }] });
    const [refused, late] = await uses();
    expect(refused).to.deep.include({ connection: 'up', model: 'm1', outcome: 'fail', error_code: 'auth_failed' });
    expect(refused?.input_tokens).to.equal(undefined);
    expect(late).to.deep.include({ error_code: 'timeout', input_tokens: 10, output_tokens: 0, estimated: true });
  });

  it('adds both answers of a use that had to be asked again for its schema', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const response_format = { type: 'json_schema', json_schema: { name: 's', schema } };
    app.llm.answer = () => ({ json: completionOf('no json') });
    const { json } = await ask(app, { response_format });
    expect(json.error_code).to.equal('invalid_structured_output');
    const [use] = await uses();
    expect(use).to.deep.include({ attempts: 2, input_tokens: 10, output_tokens: 14, outcome: 'fail' });
  });

  describe('costs', () => {
    const M = 1_000_000;
    const priced: [string, Json, number][] = [
      [
        'cached input apart',
        { prompt_tokens: M, completion_tokens: 0, prompt_tokens_details: { cached_tokens: M / 2 } },
        1.1,
      ],
      [
        'reasoning as output',
        { prompt_tokens: 1, completion_tokens: M, completion_tokens_details: { reasoning_tokens: M / 2 } },
        8 + 2 / M,
      ],
      ['input and output', { prompt_tokens: 3, completion_tokens: 2 }, (3 * 2 + 2 * 8) / M],
    ];
    beforeEach(() => {
      app.prices.stanzas = {
        'General_Chat/m*': { input_per_million: '2', cached_input_per_million: '0.2', output_per_million: '8' },
      };
    });
    for (const [title, usage, cost] of priced) {
      it(title, async () => {
        app.llm.answer = () => ({ json: completionOf('x', usage) });
        const { json } = await ask(app, {});
        const [use] = await uses();
        expect([json.ml.cost, use?.cost, use?.price_version]).to.deep.equal([cost, cost, 'conf']);
        const { total } = (await app.call('asker', 'GET', '/usage?by=model')).json;
        expect([total.cost, total.unpriced]).to.deep.equal([cost, 0]);
      });
    }

    it('of a call that failed without tokens are nothing, which is a price', async () => {
      app.llm.answer = () => ({ status: 500, json: {} });
      await ask(app, {});
      const [use] = await uses();
      expect(use).to.deep.include({ outcome: 'fail', cost: 0, price_version: 'conf' });
      const { total } = (await app.call('asker', 'GET', '/usage?by=model')).json;
      expect(total).to.deep.include({ requests: 1, failed: 1, cost: 0, unpriced: 0 });
    });

    it('of embeddings are those of their input', async () => {
      app.llm.answer = () => ({ json: { data: [{ index: 0, embedding: [1] }], usage: { prompt_tokens: M } } });
      await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/m1', input: 'text' });
      expect((await uses()).map(({ operation, cost }) => [operation, cost])).to.deep.equal([['embeddings', 2]]);
    });
  });

  it('keeps prompts and answers nowhere, unless log_content puts them into the event', async () => {
    app.llm.answer = () => ({ json: completionOf(ANSWER) });
    const failing = () => ({ status: 400, json: { error: { message: `never heard of ${CANARY}` } } });
    const asking = () => ask(app, { messages: [{ role: 'user', content: CANARY }] });
    const everywhere = () => `${JSON.stringify(app.events)}${app.site.records.dump()}${app.site.log.text()}`;
    await asking();
    app.llm.answer = failing;
    await asking();
    await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/m1', input: CANARY });
    await app.gateway.usage.flush();
    expect(everywhere()).not.to.match(/canary-of/);
    expect(app.site.records.all(USAGE)).to.have.length(1);
    app.events.length = 0;
    app.settings.stanzas = { gateway: { log_content: '1' } };
    app.llm.answer = () => ({ json: completionOf(ANSWER) });
    await asking();
    app.llm.answer = failing;
    await asking();
    const [answered, failed] = await uses();
    expect(answered?.content?.input[0]).to.deep.include({ role: 'user', content: CANARY });
    expect(answered?.content?.output.content).to.equal(ANSWER);
    expect(failed?.content?.output).to.contain(CANARY);
    expect(`${app.site.records.dump()}${app.site.log.text()}`).not.to.match(/canary-of/);
  });

  it('loses neither reply nor sums when the index refuses events', async () => {
    app.eventFailure = new Error('the index is full');
    expect((await ask(app, {})).status).to.equal(200);
    await app.gateway.usage.flush();
    expect(app.site.log.events('warn')).to.include('usage_events_not_sent');
    expect((await app.call('asker', 'GET', '/usage?by=model')).json.total.requests).to.equal(1);
  });
});
