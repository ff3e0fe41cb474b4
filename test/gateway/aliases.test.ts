import { expect } from 'chai';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { ALIAS_DEFAULTS, FALLBACK_CODES } from '../../src/contract/families/modelAliases.ts';
import { unlessAborted } from '../../src/domain/async/deadline.ts';
import type { HttpCall } from '../../src/ports/llm/http.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, configure, gatewayApp, hello, lastText, sent } from './gatewayApp.ts';

const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
const UP = target('up', 'm1');
const OTHER = target('other', 'm2');
const THIRD = target('third', 'm3');
const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

type Failing = { status?: number; headers?: Record<string, string>; json?: Json; fails?: OutboundError };
const FAILURES: Readonly<Record<string, Failing>> = {
  rate_limited: { status: 429, json: {} },
  quota_exceeded: { status: 429, json: { error: { code: 'insufficient_quota' } } },
  timeout: { fails: new OutboundError('timeout', 'no answer in time') },
  upstream_error: { status: 500, json: {} },
  connection_refused: { fails: new OutboundError('connection_refused', 'refused') },
  connection_reset: { fails: new OutboundError('connection_reset', 'reset') },
  dns_failed: { fails: new OutboundError('dns_failed', 'unknown host') },
  model_not_found: { status: 404, json: { error: { code: 'model_not_found' } } },
  auth_failed: { status: 401, json: {} },
  bad_request: { status: 400, json: {} },
};

const connectionOf = ({ url }: HttpCall): string => new URL(String(url)).hostname.replace('.example', '');

describe('gateway aliases', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    await configure(app, 'third', 'm3');
    app.llm.calls.length = 0;
  });

  const alias = async (name: string, more: Json = {}) => {
    const body = { name, targets: [UP, OTHER], acl: EVERYONE, ...more };
    const { status, json } = await app.call('llm', 'POST', '/model_aliases', body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  /** What the providers of these connections answer; all others answer well. */
  const fail = (failures: Readonly<Record<string, Failing | undefined>>) => {
    app.llm.answer = (call) => {
      const { fails, ...answer } = failures[connectionOf(call)] ?? { json: completionOf(`echo ${lastText(call)}`) };
      if (fails) throw new OutboundError(fails.code, fails.message);
      return answer;
    };
  };
  /** Ends all cooldowns. */
  const rested = () => app.site.process().records.removeWhere('ml_llm_cooldowns', {});
  /** The connections asked since the last call. */
  const asked = (): string[] => app.llm.calls.splice(0).map(connectionOf);

  it('ask the first target, and answer under their own name', async () => {
    await alias('fast');
    const { status, json } = await ask(app, { model: 'FAST' });
    expect([status, json.model, json.ml.connection_name, json.ml.attempts]).to.deep.equal([200, 'FAST', 'up', 1]);
    expect(asked()).to.deep.equal(['up']);
  });

  it('begin with any target where the strategy is spread, and ask the rest in order', async () => {
    await alias('wide', { targets: [UP, OTHER, THIRD], strategy: 'spread' });
    const down = FAILURES.upstream_error;
    fail({ up: down, other: down, third: down });
    const orders = new Set<string>();
    for (let turn = 0; turn < 60; turn += 1) {
      await ask(app, { model: 'wide' });
      orders.add(asked().join(' '));
    }
    expect([...orders].sort()).to.deep.equal(['other up third', 'third up other', 'up other third']);
  });

  for (const code of FALLBACK_CODES) {
    it(`ask the next target after ${code} only if fallback_on names it`, async () => {
      await alias('named', { fallback_on: [code] });
      await alias('unnamed', { fallback_on: FALLBACK_CODES.filter((one) => one !== code) });
      fail({ up: FAILURES[code] });
      const { status, json } = await ask(app, { model: 'named' });
      const first = asked().filter((connection) => connection === 'up').length;
      expect([status, json.ml?.connection_name, json.ml?.attempts]).to.deep.equal([200, 'other', first + 1]);
      await rested();
      const failed = await ask(app, { model: 'unnamed' });
      expect(failed.json).to.deep.include({ error_code: code, attempts: [{ model: 'up/m1', error_code: code }] });
      expect(asked()).not.to.include('other');
    });
  }

  it('fall back on all codes but model_not_found by default, and never on others', async () => {
    await alias('usual');
    for (const [code, failure] of Object.entries(FAILURES)) {
      await rested();
      fail({ up: failure });
      const { json } = await ask(app, { model: 'usual' });
      const falls = ALIAS_DEFAULTS.fallback_on.some((one) => one === code);
      expect([json.ml?.connection_name, json.error_code], code).to.deep.equal(
        falls ? ['other', undefined] : [undefined, code],
      );
    }
  });

  it('answer the code and the status of the first failure, and name every attempt', async () => {
    await alias('lost', { targets: [UP, OTHER, THIRD] });
    fail({ up: FAILURES.timeout, other: FAILURES.upstream_error, third: FAILURES.auth_failed });
    const { status, json } = await ask(app, { model: 'lost' });
    expect([status, json.error_code, json.error.code]).to.deep.equal([504, 'timeout', 'timeout']);
    expect(json.attempts).to.deep.equal([
      { model: 'up/m1', error_code: 'timeout' },
      { model: 'other/m2', error_code: 'upstream_error' },
      { model: 'third/m3', error_code: 'auth_failed' },
    ]);
  });

  it('stay within the deadline of the request', async () => {
    await alias('slow');
    app.slots.deadline = 50;
    app.llm.answer = ({ deadline }) => unlessAborted(new Promise<never>(() => {}), deadline.signal);
    const { status, json } = await ask(app, { model: 'slow' });
    expect([status, json.attempts]).to.deep.equal([504, [{ model: 'up/m1', error_code: 'timeout' }]]);
    expect(asked()).to.deep.equal(['up']);
  });

  it('ask nobody after a failure that comes when the deadline has passed', async () => {
    await alias('late');
    app.slots.deadline = 50;
    app.llm.answer = ({ deadline }) => {
      // So busy a process has not seen the deadline pass.
      while (deadline.remaining() > 0);
      return { status: 500, json: {} };
    };
    const { json } = await ask(app, { model: 'late' });
    expect(json.attempts).to.deep.equal([{ model: 'up/m1', error_code: 'upstream_error' }]);
    expect(asked()).to.deep.equal(['up']);
  });

  it('add their defaults to calls that do not set their own, up to the maximum of the configuration', async () => {
    const defaults = { temperature: 0.5, max_tokens: 30, system_prompt: 'Be brief.' };
    await alias('mild', { defaults });
    await alias('large', { defaults: { max_tokens: 5000 } });
    const own = { role: 'system', content: 'Speak French.' };
    await ask(app, { model: 'mild', messages: [own, ...hello] });
    await ask(app, { model: 'mild', temperature: 0, max_tokens: 40 });
    await ask(app, { model: 'large' });
    const [plain, set, large] = sent(app);
    expect(plain).to.deep.include({
      temperature: 0.5,
      max_completion_tokens: 30,
      messages: [{ role: 'system', content: 'Be brief.' }, own, ...hello],
    });
    expect(set).to.include({ temperature: 0, max_tokens: 40 });
    expect(large).to.include({ temperature: 0.25, max_completion_tokens: 100 });
  });

  it('show the system prompt in a dry run', async () => {
    await alias('mild', { defaults: { system_prompt: 'Be brief.' } });
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', {
      operation: 'chat',
      items: [{ id: 'a', model: 'mild', messages: hello }],
      dry_run: true,
    });
    expect(json.result[0].response).to.include({ model: 'up/m1', prompt: 'Be brief.\nhello' });
  });

  it('lend their targets to callers who may not list configurations', async () => {
    await alias('lent');
    expect((await ask(app, { model: 'lent' }, 'aliases only')).json.ml).to.include({ connection_name: 'up' });
    expect((await ask(app, { model: 'up/m1' }, 'aliases only')).status).to.equal(404);
    const { json } = await app.call('aliases only', 'GET', '/ai_gateway/v1/models');
    expect(json.data.map(({ id }: { id: string }) => id)).to.deep.equal(['lent']);
    // By whatever reference; a user who may list configurations reaches them by all of these.
    for (const model of ['up/m1', 'UP/m1', 'General_Chat/up/m1', 'm1', 'other/m2', 'm2']) {
      expect((await ask(app, { model }, 'aliases only')).json.error_code, model).to.equal('not_found');
      expect((await ask(app, { model })).status, model).to.equal(200);
      const batch = { operation: 'chat', common: { model }, items: [{ id: 'a', messages: hello }] };
      const { json: items } = await app.call('aliases only', 'POST', '/ai_gateway/batch', batch);
      expect(items.result[0].error_code, model).to.equal('not_found');
      const embedding = { model, input: 'x' };
      expect((await app.call('aliases only', 'POST', '/ai_gateway/v1/embeddings', embedding)).status, model).to.equal(
        404,
      );
      expect((await app.call('aliases only', 'GET', `/ai_gateway/v1/models/${model}`)).status, model).to.equal(404);
    }
  });

  it('are absent for callers who may not read them', async () => {
    await alias('hidden', { acl: { sharing: 'user' } });
    const [hidden, absent] = [await ask(app, { model: 'hidden' }), await ask(app, { model: 'absent' })];
    expect([hidden.status, hidden.json.message]).to.deep.equal([404, absent.json.message.replace('absent', 'hidden')]);
    expect(asked()).to.deep.equal([]);
  });

  it('answer requests without a model under the name default', async () => {
    const without = await ask(app, { model: undefined });
    expect([without.status, without.json.error.param]).to.deep.equal([404, 'model']);
    await alias('default', { targets: [OTHER] });
    const { json } = await ask(app, { model: undefined });
    expect([json.model, json.ml.connection_name]).to.deep.equal(['default', 'other']);
  });

  it('are ambiguous beside a model of the same name', async () => {
    await alias('m2');
    const { status, json } = await ask(app, { model: 'm2' });
    expect([status, json.error_code]).to.deep.equal([400, 'ambiguous_reference']);
    expect((await ask(app, { model: 'other/m2' })).status).to.equal(200);
  });

  it('go on with the next target when a configuration was deleted', async () => {
    await alias('old');
    const gone = await app.call('llm', 'DELETE', '/aicommander/General_Chat/up/m1?force=true');
    expect(gone.status, JSON.stringify(gone.json)).to.equal(200);
    expect((await ask(app, { model: 'old' })).json.ml).to.include({ connection_name: 'other' });
  });

  it('are listed before models, and found by their id', async () => {
    await alias('zeta');
    await alias('Beta');
    const { json } = await app.call('asker', 'GET', '/ai_gateway/v1/models');
    expect(json.data.map(({ id, owned_by }: Json) => `${id} ${owned_by}`)).to.deep.equal([
      'Beta alias',
      'zeta alias',
      'other/m2 General_Chat',
      'third/m3 General_Chat',
      'up/m1 General_Chat',
    ]);
    const one = await app.call('asker', 'GET', '/ai_gateway/v1/models/zeta');
    expect(one.json).to.include({ id: 'zeta', object: 'model', owned_by: 'alias' });
  });
});
