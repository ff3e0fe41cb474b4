import { expect } from 'chai';
import { OutboundError } from '../../src/contract/codes/outbound.ts';
import { unlessAborted } from '../../src/domain/async/deadline.ts';
import type { HttpCall } from '../../src/ports/llm/http.ts';
import type { Doc } from '../../src/ports/stores/recordStore.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { ask, completionOf, configure, gatewayApp, lastText } from './gatewayApp.ts';

const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };
const target = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
const TARGETS = [target('up', 'm1'), target('other', 'm2'), target('third', 'm3')];

type Failing = { status?: number; headers?: Record<string, string>; json?: Json; fails?: OutboundError['code'] };
const TIMEOUT: Failing = { fails: 'timeout' };
const limited = (seconds: number): Failing => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  json: {},
});

const connectionOf = ({ url }: HttpCall): string => new URL(String(url)).hostname.replace('.example', '');

describe('cooldowns of the targets of an alias', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    await configure(app, 'third', 'm3');
    await alias('fast', TARGETS);
    app.llm.calls.length = 0;
  });

  async function alias(name: string, targets: readonly object[], more: Json = {}): Promise<void> {
    const { status, json } = await app.call('llm', 'POST', '/model_aliases', { name, targets, acl: EVERYONE, ...more });
    expect(status, JSON.stringify(json)).to.equal(200);
  }
  /** What the providers of these connections answer; all others answer well. */
  const fail = (failures: Readonly<Record<string, Failing>>) => {
    app.llm.answer = (call) => {
      const { fails, ...answer } = failures[connectionOf(call)] ?? { json: completionOf(`echo ${lastText(call)}`) };
      if (fails) throw new OutboundError(fails, fails);
      return answer;
    };
  };
  /** Asks the alias. @returns the connections that were asked */
  const asked = async (model = 'fast'): Promise<string[]> => {
    app.llm.calls.length = 0;
    await ask(app, { model });
    return app.llm.calls.map(connectionOf);
  };
  const cooldowns = async (): Promise<Json[]> => {
    const { json } = await app.call('llm', 'GET', '/model_aliases/fast');
    return json.config.targets.map(({ cooldown }: Json) => cooldown);
  };
  const seconds = (count: number) => app.site.clock.advance(count * 1000);

  for (const code of ['connection_refused', 'dns_failed', 'timeout', 'quota_exceeded'] as const) {
    it(`begin with ${code}, for 10 s`, async () => {
      const quota: Failing = { status: 429, json: { error: { code: 'insufficient_quota' } } };
      fail({ up: code === 'quota_exceeded' ? quota : { fails: code } });
      expect((await asked()).at(-1)).to.equal('other');
      expect(await asked(), 'the next request').to.deep.equal(['other']);
      expect(await cooldowns()).to.deep.equal([
        { until: app.site.clock.seconds() + 10, reason: code },
        undefined,
        undefined,
      ]);
      seconds(9.9);
      expect(await asked()).to.deep.equal(['other']);
      seconds(0.2);
      expect((await asked())[0]).to.equal('up');
    });
  }

  it('do not begin with other failures', async () => {
    const failures: Failing[] = [{ status: 500, json: {} }, { status: 429, json: {} }, { fails: 'connection_reset' }];
    for (const failure of failures) {
      fail({ up: failure });
      await asked();
      expect((await asked())[0], JSON.stringify(failure)).to.equal('up');
    }
    expect(await cooldowns()).to.deep.equal([undefined, undefined, undefined]);
  });

  it('are twice as long each time the target fails again, up to five minutes', async () => {
    fail({ up: TIMEOUT });
    const lengths: number[] = [];
    for (let turn = 0; turn < 7; turn += 1) {
      await asked();
      const [{ until } = {}] = (await cooldowns()) as [Json?];
      lengths.push(Number(until) - app.site.clock.seconds());
      seconds(lengths.at(-1) as number);
    }
    expect(lengths).to.deep.equal([10, 20, 40, 80, 160, 300, 300]);
    seconds(3601);
    await asked();
    expect((await cooldowns())[0]?.until, 'after an hour without one').to.equal(app.site.clock.seconds() + 10);
  });

  it('last as a rate limit says, at most a minute', async () => {
    fail({ up: limited(2), other: limited(3600) });
    expect(await asked()).to.deep.equal(['up', 'other', 'third']);
    const now = app.site.clock.seconds();
    expect(await cooldowns()).to.deep.equal([
      { until: now + 2, reason: 'rate_limited' },
      { until: now + 60, reason: 'rate_limited' },
      undefined,
    ]);
    seconds(2.1);
    fail({});
    expect(await asked()).to.deep.equal(['up']);
  });

  it('put a target last, and the one that ends first before the others', async () => {
    fail({ up: limited(40), other: limited(20) });
    await asked();
    fail({ up: TIMEOUT, other: TIMEOUT, third: { status: 500, json: {} } });
    const { json } = await ask(app, { model: 'fast' });
    expect(json.attempts.map(({ model }: Json) => model)).to.deep.equal(['third/m3', 'other/m2', 'up/m1']);
    fail({});
    expect(await asked()).to.deep.equal(['third']);
  });

  it('leave a model that is named directly alone, and end with its success', async () => {
    fail({ up: TIMEOUT });
    await asked();
    expect(await asked('up/m1')).to.deep.equal(['up']);
    expect((await cooldowns())[0]?.reason).to.equal('timeout');
    fail({});
    expect(await asked('up/m1')).to.deep.equal(['up']);
    expect(await cooldowns()).to.deep.equal([undefined, undefined, undefined]);
    expect(await asked()).to.deep.equal(['up']);
  });

  it('end with a successful test of the model, a check or a save with verify, and not with a failed one', async () => {
    const body = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
    const tests: Record<string, () => Promise<{ status: number; text?: string }>> = {
      test: () => app.call('llm', 'POST', '/aicommander_metadata', { ...body, action: 'test' }),
      check: () => app.call('llm', 'POST', '/connection_health/check', { family: 'llm-providers', max_age_s: 0 }),
    };
    for (const [name, test] of Object.entries(tests)) {
      fail({ up: TIMEOUT });
      await asked();
      await test();
      expect((await cooldowns())[0]?.reason, `${name} that fails`).to.equal('timeout');
      fail({});
      app.llm.answer = (call) =>
        String(call.url).endsWith('/models')
          ? { json: { data: [{ id: 'm1' }] } }
          : { json: completionOf(`echo ${lastText(call)}`) };
      await test();
      expect((await cooldowns())[0], name).to.equal(undefined);
      seconds(3601);
    }
  });

  it('do not begin where the whole use ran out of time', async () => {
    app.slots.deadline = 50;
    app.llm.answer = ({ deadline }) => unlessAborted(new Promise<never>(() => {}), deadline.signal);
    expect((await ask(app, { model: 'fast' })).json.error_code).to.equal('timeout');
    expect(await cooldowns()).to.deep.equal([undefined, undefined, undefined]);
  });

  it('are shown by the connection health of the alias and of the connection', async () => {
    fail({ up: TIMEOUT });
    await asked();
    const { json } = await app.call('llm', 'GET', '/connection_health');
    const shown = json.result
      .filter(({ cooldown }: Json) => cooldown)
      .map(({ name, cooldown }: Json) => [name, cooldown]);
    const cooldown = { until: app.site.clock.seconds() + 10, reason: 'timeout', model: 'up/m1' };
    expect(shown).to.deep.equal([
      ['General_Chat/up', cooldown],
      ['fast', cooldown],
    ]);
  });

  it('count the items of a batch once, and hold for those that follow', async () => {
    fail({ up: TIMEOUT });
    const items = Array.from({ length: 20 }, (_, index) => ({
      id: String(index),
      messages: [{ role: 'user', content: `${index}` }],
    }));
    const batch = { operation: 'chat', common: { model: 'fast' }, parallel: 2, items };
    const { json } = await app.call('asker', 'POST', '/ai_gateway/batch', batch);
    expect(
      json.result.every(({ status }: Json) => status === 'done'),
      JSON.stringify(json.result[0]),
    ).to.equal(true);
    expect(app.llm.calls.map(connectionOf).filter((name) => name === 'up')).to.have.length.within(1, 2);
    expect((await cooldowns())[0]?.until).to.equal(app.site.clock.seconds() + 10);
  });

  it('that cannot be written or ended do not fail a chat', async () => {
    const chat = (model: string, faults: FaultPlan) => {
      const body = Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'hello' }] }));
      const path = '/ai_gateway/v1/chat/completions';
      return app.request({ method: 'POST', path, body, sessionToken: 'asker' }, faults);
    };
    /** @returns the status of a chat while its first call of this name fails */
    const statusWithout = async (call: string, model: string, prepare: () => Promise<unknown>) => {
      // The first chat reads the keys, which the process keeps.
      await chat(model, new FaultPlan());
      await prepare();
      const plan = new FaultPlan();
      await chat(model, plan);
      expect(plan.trace).to.include(call);
      await prepare();
      return (await chat(model, new FaultPlan(plan.trace.indexOf(call) + 1, 'refused'))).status;
    };
    const { records } = app.site.process();
    fail({ up: TIMEOUT });
    const none = () => records.removeWhere('ml_llm_cooldowns', {});
    expect(await statusWithout('insert ml_llm_cooldowns', 'fast', none)).to.equal(200);
    expect((await cooldowns())[0]).to.equal(undefined);
    const begun = async () => {
      fail({ up: TIMEOUT });
      await asked();
      fail({});
    };
    expect(await statusWithout('remove ml_llm_cooldowns', 'up/m1', begun)).to.equal(200);
    expect((await cooldowns())[0]?.reason).to.equal('timeout');
  });

  it('go with the model, and an hour after their end with the next one', async () => {
    const stored = async () =>
      (await app.site.process().records.find<Json & Doc>('ml_llm_cooldowns')).map(({ model }) => model);
    fail({ up: TIMEOUT, other: TIMEOUT });
    await asked();
    expect((await stored()).sort()).to.deep.equal(['m1', 'm2']);
    expect((await app.call('llm', 'DELETE', '/aicommander/General_Chat/up/m1?force=true')).status).to.equal(200);
    expect(await stored()).to.deep.equal(['m2']);
    seconds(3700);
    fail({ third: TIMEOUT });
    await asked('third/m3');
    expect(await stored()).to.deep.equal(['m3']);
  });

  it('of a member whose clock is ahead are not believed', async () => {
    fail({ up: TIMEOUT });
    await asked();
    const [document] = await app.site.process().records.find<Json & { _key: string }>('ml_llm_cooldowns');
    await app.site.process().records.replace('ml_llm_cooldowns', {
      ...document,
      _key: String(document?._key),
      until: app.site.clock.seconds() + 7200,
    });
    expect((await asked())[0]).to.equal('up');
  });
});
