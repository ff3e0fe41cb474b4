import { expect } from 'chai';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { ask, gatewayApp, hello } from './gatewayApp.ts';

const PATH = '/usage_limits';

describe('the gateway with usage limits', () => {
  let app: MemoryApp;
  const limit = async (body: Json) => {
    const reply = await app.call('keeper', 'POST', PATH, { name: 'few', window: 'hour', ...body });
    expect(reply.status, JSON.stringify(reply.json)).to.equal(200);
  };
  const batch = (count: number, more: Json = {}) =>
    app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      common: { model: 'up/m1' },
      items: Array.from({ length: count }, (_, n) => ({ id: `${n}`, messages: [{ role: 'user', content: `${n}` }] })),
      ...more,
    });
  beforeEach(async () => {
    app = await gatewayApp();
    app.user('keeper', { capabilities: ['edit_usage_limits'] });
  });

  it('429 says which limit, what is used and when it resets, in both shapes', async () => {
    await limit({ requests: 1 });
    expect((await ask(app, {})).status).to.equal(200);
    const { status, json, headers } = await ask(app, {});
    const now = app.site.clock.seconds();
    expect(status).to.equal(429);
    expect(json).to.include({ status: 'fail', error_code: 'limit_exceeded', retry_after: 3600 });
    expect(json.limit).to.deep.equal({
      name: 'few',
      of: 'requests',
      window: 'hour',
      per: 'user',
      used: 1,
      most: 1,
      resets_at: now + 3600,
    });
    expect(json.error).to.include({ type: 'insufficient_quota', code: 'limit_exceeded', message: json.message });
    expect(headers).to.include({ 'Retry-After': '3600', 'x-should-retry': 'false' });
    expect(app.llm.calls).to.have.length(1);
    app.site.clock.advance(3_590_000);
    const later = await ask(app, {});
    expect(later.headers).to.include({ 'Retry-After': '10', 'x-should-retry': 'true' });
    app.site.clock.advance(10_000);
    expect((await ask(app, {})).status).to.equal(200);
  });

  it('429 asks to try again soon where only a call under way is in the way', async () => {
    await limit({ tokens: 2000, per: 'all', window: 'month' });
    const { answer } = app.llm;
    const asked = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<void>();
    app.llm.answer = async (call) => {
      asked.resolve();
      await answered.promise;
      return answer(call);
    };
    const first = ask(app, { model: 'other/m2', max_tokens: 1990 });
    await asked.promise;
    const { status, json, headers } = await ask(app, { max_tokens: 10 });
    expect([status, json.error_code]).to.deep.equal([429, 'limit_exceeded']);
    expect(json.limit.reserved).to.be.greaterThan(1989);
    expect(json.limit.used).to.equal(0);
    expect(Number(headers['Retry-After'])).to.be.within(1, 5);
    expect(headers['x-should-retry']).to.equal('true');
    const { result } = (await batch(1)).json;
    expect(result[0]).to.include({ error_code: 'limit_exceeded', should_retry: true });
    expect(result[0].retry_after).to.be.within(1, 5);
    answered.resolve();
    expect((await first).status).to.equal(200);
    expect((await ask(app, { max_tokens: 10 })).status).to.equal(200);
  });

  it('of a batch what fits is done, the rest fails with the limit', async () => {
    await limit({ requests: 3 });
    const { status, json } = await batch(5);
    expect(status).to.equal(200);
    const outcomes = json.result.map((item: Json) => item.error_code ?? item.status);
    expect(outcomes.filter((one: string) => one === 'done')).to.have.length(3);
    const failed = json.result.find((item: Json) => item.status === 'failed');
    expect(failed).to.include({ error_code: 'limit_exceeded', should_retry: false, retry_after: 3600 });
    expect(failed.message).to.contain('"few"');
  });

  it('equal items of a batch are one use, and a dry run is none', async () => {
    await limit({ requests: 1 });
    expect((await batch(3, { dry_run: true })).json.result.map(({ status }: Json) => status)).to.deep.equal(
      Array(3).fill('done'),
    );
    const items = ['a', 'b'].map((id) => ({ id, messages: hello }));
    expect((await batch(0, { items })).json.result.map(({ status }: Json) => status)).to.deep.equal(['done', 'done']);
    expect((await ask(app, {})).status).to.equal(429);
  });

  it('a use that fails before anything was asked takes nothing, one that was asked does', async () => {
    await limit({ requests: 2 });
    expect((await ask(app, { model: 'nobody/nothing' })).status).to.equal(404);
    expect((await ask(app, { messages: [] })).status).to.equal(400);
    app.llm.answer = () => ({ status: 400, json: { error: { message: 'no' } } });
    expect((await ask(app, {})).status).to.equal(400);
    expect((await ask(app, {})).status).to.equal(400);
    expect((await ask(app, {})).status).to.equal(429);
  });

  it('no role is exempt: administrators are held, by imported roles too', async () => {
    app.user('boss', {
      roles: ['admin'],
      capabilities: ['admin_all_objects', 'list_ai_commander_config', 'use_ai_gateway'],
    });
    app.roles.imported.set('admin', ['power']);
    await limit({ requests: 0, applies_to: { roles: ['power'] } });
    expect((await ask(app, {}, 'boss')).status).to.equal(429);
    expect((await ask(app, {})).status).to.equal(200);
    expect((await app.call('boss', 'GET', `${PATH}/status`)).json.result).to.have.length(1);
  });

  it('status shows what was used, as soon as it is written', async () => {
    await limit({ requests: 10, tokens: 1000 });
    await ask(app, {});
    await ask(app, {}, 'llm');
    await app.gateway.usage.flush();
    const { status } = (await app.call('keeper', 'GET', `${PATH}/few`)).json.config;
    expect(status).to.deep.include({ users: 2, used: { requests: 2, tokens: 24, cost: 0 } });
    expect(status.left).to.deep.equal({ requests: 9, tokens: 988 });
    expect(status.top.map(({ user }: Json) => user)).to.have.members(['asker', 'llm']);
    const own = (await app.call('asker', 'GET', `${PATH}/status`)).json.result[0];
    expect([own.used, own.left]).to.deep.equal([
      { requests: 1, tokens: 12, cost: 0 },
      { requests: 9, tokens: 988 },
    ]);
  });

  it('messages are posted at 80 % and when it is used up, once each, and name no user', async () => {
    await limit({ requests: 5 });
    for (let index = 0; index < 8; index++) await ask(app, {});
    for (let index = 0; index < 8; index++) await ask(app, {}, 'llm');
    expect(app.messages.map(({ severity, text }) => `${severity} ${text}`)).to.deep.equal([
      'warn The usage limit "few" of this hour is used to 80 % by at least one user. It resets at 2026-01-01T01:00:00Z.',
      'error The usage limit "few" of this hour is used up by at least one user. It resets at 2026-01-01T01:00:00Z.',
    ]);
    expect(new Set(app.messages.map(({ capability }) => capability))).to.deep.equal(new Set(['edit_usage_limits']));
    app.site.clock.advance(3_600_000);
    for (let index = 0; index < 5; index++) await ask(app, {});
    expect(app.messages).to.have.length(4);
  });

  it('health shows limits from 80 % on to those who may edit them', async () => {
    await limit({ requests: 5 });
    await limit({ name: 'off', requests: 0, is_enabled: false });
    await limit({ name: 'none', requests: 0, applies_to: { users: ['nobody'] } });
    const rows = async (user = 'keeper') => {
      await app.gateway.usage.flush();
      const { json } = await app.call(user, 'GET', '/connection_health?family=usage_limits');
      return json.result.map(({ name, state, error_code }: Json) => [name, state, error_code]);
    };
    const others = [
      ['none', 'failing', 'limit_exceeded'],
      ['off', 'ok', undefined],
    ];
    for (let index = 0; index < 3; index++) await ask(app, {});
    expect(await rows()).to.deep.equal([['few', 'ok', undefined], ...others]);
    await ask(app, {});
    expect(await rows()).to.deep.equal([['few', 'expiring', undefined], ...others]);
    await ask(app, {});
    expect(await rows()).to.deep.equal([['few', 'failing', 'limit_exceeded'], ...others]);
    expect(await rows('asker')).to.deep.equal([]);
    const check = await app.call('keeper', 'POST', '/connection_health/check', { family: 'usage_limits' });
    expect(check.json.result.map(({ checked }: Json) => checked)).to.deep.equal([false, false, false]);
    expect(check.json.warnings ?? []).to.deep.equal([]);
    app.site.clock.advance(3_600_000);
    expect((await rows())[0]).to.deep.equal(['few', 'ok', undefined]);
  });
});
