import { expect } from 'chai';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { completionOf, gatewayApp, lastText } from './gatewayApp.ts';

const item = (id: string, content = id) => ({ id, messages: [{ role: 'user', content }] });

describe('gateway batch', () => {
  let app: MemoryApp;
  const batch = (body: Json, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/batch', { operation: 'chat', common: { model: 'up/m1' }, ...body });
  beforeEach(async () => {
    app = await gatewayApp();
  });

  it('answers each item in order, and counts each call once', async () => {
    const { status, json } = await batch({ items: [item('a'), item('b', 'same'), item('c', 'same')] });
    expect([status, json.status]).to.deep.equal([200, 'success']);
    expect(json.result.map(({ id, status }: Json) => [id, status])).to.deep.equal([
      ['a', 'done'],
      ['b', 'done'],
      ['c', 'done'],
    ]);
    expect(json.result[1].response.choices[0].message.content).to.equal('echo same');
    expect(json.result[1].response).not.to.have.any.keys('status', 'message');
    expect(app.llm.calls).to.have.length(2);
    expect(json.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: 14, total_tokens: 24 });
    await batch({ items: [item('b', 'same'), item('c', 'same')], dedup: false });
    expect(app.llm.calls).to.have.length(4);
  });

  it('asks models with numbers, however large', async () => {
    const seed = '9007199254740993';
    const items = `[{"id": "a", "seed": ${seed}, "messages": [{"role": "user", "content": "hi"}], "deep": ${'['.repeat(50)}${seed}${']'.repeat(50)}}]`;
    const text = `{"operation": "chat", "common": {"model": "up/m1"}, "items": ${items}}`;
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', text);
    expect(json.result[0].status, JSON.stringify(json)).to.equal('done');
  });

  it('leaves equal items of a large answer for the next batch', async () => {
    app.llm.answer = () => ({ json: completionOf('x'.repeat(5 * 1024 * 1024)) });
    const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => item(id, 'same'));
    const { json } = await batch({ items });
    const states = json.result.map(({ status }: Json) => status);
    expect(states).to.deep.equal(['done', 'done', 'done', 'done', 'not_reached', 'not_reached']);
    expect(app.llm.calls).to.have.length(1);
  });

  it('fails invalid items alone, and refuses ids that are missing or used twice', async () => {
    const { json } = await batch({ items: [item('a'), { id: 'b', messages: [] }, { ...item('c'), model: 'none' }] });
    expect(json.result.map(({ status, error_code }: Json) => [status, error_code])).to.deep.equal([
      ['done', undefined],
      ['failed', 'validation_failed'],
      ['failed', 'not_found'],
    ]);
    expect(json.result[1].should_retry).to.equal(false);
    for (const [items, field] of [
      [[{ messages: [] }], 'items.0.id'],
      [[item('a'), item('a')], 'items.1.id'],
      [
        [{ ...item('a'), ...Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, 1])) }],
        'items.0',
      ],
    ] as const) {
      const refused = await batch({ items });
      expect([refused.status, refused.json.errors[0].field]).to.deep.equal([400, field]);
    }
  });

  it('asks `parallel` at a time', async () => {
    let now = 0;
    let most = 0;
    app.llm.answer = async (call) => {
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setTimeout(resolve, 10));
      now -= 1;
      return { json: completionOf(lastText(call)) };
    };
    const items = Array.from({ length: 12 }, (_, index) => item(String(index)));
    await batch({ items, parallel: 3 });
    expect(most).to.equal(3);
  });

  it('begins nothing after begin_within_s, and fails what is under way at the deadline', async () => {
    app.llm.answer = async (call) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { json: completionOf(lastText(call)) };
    };
    const { json } = await batch({ items: [item('a'), item('b')], parallel: 1, begin_within_s: 0.2 });
    expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['done', 'not_reached']);
    app.llm.answer = () => new Promise(() => {});
    const late = await batch({ items: [item('a'), item('b')], parallel: 1, deadline_s: 1 });
    expect(late.json.result.map(({ status, error_code }: Json) => [status, error_code])).to.deep.equal([
      ['failed', 'timeout'],
      ['not_reached', undefined],
    ]);
  });

  it('waits as a provider asks, and leaves what it cannot begin', async () => {
    let rejections = 1;
    app.llm.answer = (call) =>
      rejections-- > 0
        ? { status: 429, headers: { 'retry-after': '1' }, json: {} }
        : { json: completionOf(lastText(call)) };
    const { json } = await batch({ items: [item('a'), item('b'), item('c')], parallel: 1 });
    expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['done', 'done', 'done']);
    app.llm.answer = () => ({ status: 429, headers: { 'retry-after': '30' }, json: {} });
    const left = await batch({ items: [item('a'), item('b')], parallel: 1, deadline_s: 2 });
    expect(left.json.result).to.deep.equal([
      {
        id: 'a',
        status: 'failed',
        error_code: 'rate_limited',
        message: 'The provider answered 429: {}',
        should_retry: true,
        retry_after: 30,
      },
      { id: 'b', status: 'not_reached' },
    ]);
  });

  it('waits also when all targets of an alias ask to wait', async () => {
    const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
    const targets = [target('up', 'm1'), target('other', 'm2')];
    const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
    await app.call('llm', 'POST', '/model_aliases', { name: 'both', targets, acl });
    let rejections = 2;
    app.llm.answer = (call) =>
      rejections-- > 0
        ? { status: 429, headers: { 'retry-after': '1' }, json: {} }
        : { json: completionOf(lastText(call)) };
    const { json } = await batch({ common: { model: 'both' }, items: [item('a')] });
    expect(json.result.map(({ status }: Json) => status)).to.deep.equal(['done']);
    expect(json.result[0].response.ml.attempts).to.equal(3);
  });

  it('tells the requests and the time of all tries of an item', async () => {
    const waitMs = 60;
    for (const [operation, ask] of [
      ['chat', item('a')],
      ['embed', { id: 'a', input: 'a' }],
    ] as const) {
      app.llm.calls.length = 0;
      app.llm.answer = async () => {
        const isRefused = app.llm.calls.length <= 2;
        await new Promise((resolve) => setTimeout(resolve, waitMs));
        const answer = operation === 'chat' ? completionOf('a') : { data: [{ index: 0, embedding: [1] }] };
        return isRefused ? { status: 429, headers: { 'retry-after': '0' }, json: {} } : { json: answer };
      };
      const { json, headers } = await batch({ operation, items: [ask] });
      const { ml } = json.result[0].response;
      expect([app.llm.calls.length, ml.attempts]).to.deep.equal([3, 3]);
      // A timer may fire a fraction of a millisecond early.
      const least = 3 * (waitMs - 1);
      expect([ml.upstream_ms, Number(headers['x-ml-upstream-ms'])].every((ms) => ms >= least)).to.equal(true);
    }
  });

  it('asks nobody in a dry run', async () => {
    const { json } = await batch({ items: [item('a', '1234567')], dry_run: true });
    expect(json.result).to.deep.equal([
      { id: 'a', status: 'done', response: { model: 'up/m1', prompt: '1234567', tokens_estimated: 2 } },
    ]);
    expect(app.llm.calls).to.have.length(0);
  });

  it('takes one slot', async () => {
    app.slots.max = 2;
    const { json } = await batch({ items: Array.from({ length: 8 }, (_, index) => item(String(index))) });
    expect(json.result.every(({ status }: Json) => status === 'done')).to.equal(true);
  });

  it('embeds', async () => {
    app.llm.answer = ({ body }) => ({
      json: {
        data: (JSON.parse(body ?? '{}').input as string[]).map((text, index) => ({
          index,
          embedding: [text.length, 0.5],
        })),
        usage: { prompt_tokens: 3 },
      },
    });
    const { json } = await batch({
      operation: 'embed',
      items: [
        { id: 'a', input: 'xy' },
        { id: 'b', input: '' },
      ],
    });
    expect(json.result[0].response.data).to.deep.equal([{ object: 'embedding', index: 0, embedding: [2, 0.5] }]);
    expect(json.result[1]).to.include({ status: 'failed', error_code: 'validation_failed' });
    expect(json.usage).to.deep.equal({ prompt_tokens: 3, completion_tokens: 0, total_tokens: 3 });
  });
});
