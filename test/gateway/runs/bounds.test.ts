import { expect } from 'chai';
import { RUNS } from '../../../src/gateway/runs/documents/stored.ts';
import { RunRetention } from '../../../src/gateway/runs/retention.ts';
import { RunStore } from '../../../src/gateway/runs/runStore.ts';
import type { Json } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

const DAY_MS = 86_400_000;
const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];

describe('bounds of the runs of a user', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });

  const begin = (more: Json = {}, user = 'asker') => {
    const llm = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
    const definition = { runtime_type: 'BUILT_IN', llm };
    return runs.call('POST', '', { definition, input: 'x', worker: 'caller', ...more }, user);
  };

  it('are 20 that their caller steps and that have not ended', async () => {
    const began = await Promise.all(Array.from({ length: 25 }, () => begin()));
    const refused = began.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, json }) => [status, json.error_code])).to.deep.equal(
      Array(5).fill([429, 'too_many_runs']),
    );
    expect(refused[0]?.headers['x-should-retry']).to.equal('false');
    expect((await begin({}, 'other')).status, 'of another user').to.equal(200);
    expect((await begin({ worker: 'job', wait_s: 0 })).status).to.equal(200);
    const [first] = began.filter(({ status }) => status === 200);
    await runs.call('POST', `/${first?.json.run_id}/cancel`);
    expect((await begin()).status).to.equal(200);
  });

  it('are 100 in all that have not ended', async () => {
    for (let run = 0; run < 100; run += 1) {
      const { status, json } = await begin({ worker: 'job', wait_s: 0 });
      expect(status, JSON.stringify(json)).to.equal(200);
    }
    for (const worker of ['job', 'caller']) {
      expect((await begin({ worker, wait_s: 0 })).json.error_code, worker).to.equal('too_many_runs');
    }
    expect(runs.stored(RUNS)).to.have.length(100);
  });

  it('are not more when they are started at once', async () => {
    const began = await Promise.all(Array.from({ length: 110 }, () => begin({ worker: 'job', wait_s: 0 })));
    const codes = began.filter(({ status }) => status !== 200).map(({ json }) => json.error_code);
    expect(new Set(codes)).to.deep.equal(new Set(['too_many_runs']));
    expect(runs.stored(RUNS)).to.have.length(110 - codes.length);
    expect(110 - codes.length).to.be.within(80, 100);
  });

  it('leave one entry in the audit trail, however often they refuse', async () => {
    for (let run = 0; run < 25; run += 1) await begin();
    runs.app.user('auditor', { capabilities: ['list_ml_audit'] });
    const { json } = await runs.app.call('auditor', 'GET', '/audit?family=runs&error_code=too_many_runs');
    expect(json.result.map(({ count }: Json) => count)).to.deep.equal([5]);
  });

  it('are not asked for by counting all ended runs at each start', async () => {
    await runs.work((await begin()).json.run_id);
    const plans = Array.from({ length: 20 }, () => new FaultPlan());
    for (const faults of plans) {
      const body = Buffer.from(
        JSON.stringify({ definition: { llm: { model: 'up/m1' } }, input: 'x', worker: 'caller' }),
      );
      const request = { method: 'POST', path: '/ai_gateway/runs', body, sessionToken: 'asker' };
      const { status, json } = await runs.app.request(request, faults);
      expect(status, JSON.stringify(json)).to.equal(200);
      await runs.call('POST', `/${json.run_id}/cancel`);
    }
    const counted = plans.filter(({ trace }) => trace.includes(`count ${RUNS}`));
    expect(counted.length).to.be.lessThan(3);
  });
});

describe('ended runs beyond max_runs', () => {
  const kept = (site: MemoryPlatform) => {
    const all = site.records.all(RUNS).map(({ _key }) => _key);
    return all.sort();
  };
  const siteWith = (counts: Readonly<Record<string, number>>) => {
    const site = new MemoryPlatform();
    const now = site.clock.seconds();
    let at = 0;
    for (const [user, count] of Object.entries(counts)) {
      for (let run = 0; run < count; run += 1) {
        const key = `${user}${String(run).padStart(3, '0')}`;
        const times = { started_at: now - 1000 + at++, ended_at: now };
        site.records
          .collection(RUNS)
          .set(key, JSON.stringify({ _key: key, run_id: key, user, state: 'failed', ...times }));
      }
    }
    return site;
  };
  const clear = async (site: MemoryPlatform, most: number, times = 20) => {
    const retention = new RunRetention();
    const stores = site.process();
    const store = new RunStore(stores);
    for (let time = 0; time < times; time += 1)
      await retention.clear(stores, store, { days: 30, most }, async () => {});
  };

  it('are the oldest of who keeps more than a fifth of it', async () => {
    // The oldest of all are those of bob, and he keeps few.
    const site = siteWith({ bob: 5, ann: 60, eve: 3 });
    await clear(site, 40);
    expect(kept(site).filter((key) => key.startsWith('bob'))).to.have.length(5);
    expect(kept(site).filter((key) => key.startsWith('eve'))).to.have.length(3);
    const own = kept(site).filter((key) => key.startsWith('ann'));
    expect([own.length, own[0]]).to.deep.equal([32, 'ann028']);
  });

  it('are the oldest of all if nobody keeps more than a fifth', async () => {
    const site = siteWith({ a: 4, b: 4, c: 4, d: 4, e: 4, f: 4 });
    await clear(site, 20);
    expect(kept(site)).to.have.length(20);
    expect(kept(site).filter((key) => key.startsWith('a'))).to.deep.equal([]);
  });

  it('are as many as the setting says', async () => {
    const runs = await runsApp();
    runs.app.settings.stanzas = { agents: { max_runs: '3' } };
    for (let run = 0; run < 8; run += 1) {
      const id = await runs.start();
      await runs.call('POST', `/${id}/cancel`);
      runs.app.site.clock.advance(1000);
    }
    expect(runs.stored(RUNS).length).to.be.at.most(4);
  });
});

describe('runs that nobody looks at', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const waiting = async () => {
    runs.turns.push(DELETE);
    const id = await runs.start();
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
    return id;
  };
  const stateOf = (id: string) => runs.stored(RUNS).find(({ _key }) => _key === id)?.state;

  for (const [who, look] of [
    ['reads it', (id: string) => runs.call('GET', `/${id}`)],
    ['lists it', () => runs.call('GET', '')],
    ['steps it', (id: string) => runs.call('POST', `/${id}/step`)],
    ['starts another', () => runs.start()],
  ] as const) {
    it(`end 30 days after they began to wait, by who ${who}`, async () => {
      const id = await waiting();
      runs.app.site.clock.advance(30 * DAY_MS - 1000);
      await look(id);
      expect(stateOf(id)).to.equal('waiting_for_approval');
      runs.app.site.clock.advance(2000);
      const { json } = (await look(id)) as { json: Json };
      expect(stateOf(id)).to.equal('cancelled');
      if (who === 'lists it') expect((json.result as Json[])[0]).to.include({ state: 'cancelled' });
      const { config } = (await runs.call('GET', `/${id}`)).json;
      expect(config.message).to.contain('30 days');
    });
  }

  it('cannot be approved after that', async () => {
    const id = await waiting();
    runs.app.site.clock.advance(30 * DAY_MS + 1000);
    const { status, json } = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
    expect([status, json.error_code]).to.deep.equal([400, 'invalid_state']);
    expect(stateOf(id)).to.equal('cancelled');
  });

  it('end, though many others cannot be ended', async () => {
    const site = new MemoryPlatform();
    const started_at = site.clock.seconds() - 86_400;
    for (let run = 0; run < 250; run += 1) {
      const key = `run${String(run).padStart(3, '0')}`;
      site.records.collection(RUNS).set(key, JSON.stringify({ _key: key, run_id: key, state: 'running', started_at }));
    }
    const ended = new Set<string>();
    const retention = new RunRetention();
    const end = async (id: string) => {
      if (id < 'run240') throw new Error('it cannot be ended');
      ended.add(id);
    };
    const stores = site.process();
    const store = new RunStore(stores);
    for (let time = 0; time < 5; time += 1) await retention.clear(stores, store, { days: 30, most: 100 }, end);
    expect(ended.size).to.equal(10);
  });
});

describe('the calls of one turn', () => {
  const many = (count: number) => Array.from({ length: count }, (_, id) => ({ name: 'Desk__none', args: { id } }));

  it('are 256 at most; more of them go back to the model, and none is made', async () => {
    const runs = await runsApp();
    runs.turns.push(many(256), many(257), many(60_000), 'fewer');
    const run = await runs.work(await runs.start());
    expect(run).to.include({ state: 'succeeded', output: 'fewer' });
    expect(run.steps).to.have.length(1 + 256 + 2 + 2 + 1);
    for (const [index, count] of [
      [258, 257],
      [260, 60_000],
    ]) {
      const step = run.steps[index as number];
      expect(step).to.include({ state: 'failed', error_code: 'validation_failed' });
      expect(step.output).to.contain(String(count)).and.to.contain('256');
    }
    const said = runs.asked[3]?.messages.slice(-2);
    expect(said[0].tool_calls).to.have.length(1);
    expect(said[1].content).to.contain('60000 calls');
  });

  it('are not stored on after a cancellation', async () => {
    const runs = await runsApp();
    runs.turns.push(many(200), 'done');
    const id = await runs.start();
    let cancelled = false;
    const set = Map.prototype.set;
    const steps = runs.app.site.records.collection('ml_run_steps');
    steps.set = (key, text) => {
      if (steps.size === 40 && !cancelled) {
        cancelled = true;
        // As another process would, while the lease is held; the time makes the holder renew its lease.
        const doc = {
          _key: `${id}.cancel`,
          run_id: id,
          index: -1,
          round: 0,
          decision: 'cancel',
          decided_by: 'x',
          decided_at: 0,
        };
        runs.app.site.records.collection('ml_run_decisions').set(doc._key, JSON.stringify(doc));
        runs.app.site.clock.advance(9500);
      }
      return set.call(steps, key, text) as Map<string, string>;
    };
    const { json } = await runs.step(id);
    expect(json.state).to.equal('cancelled');
    expect(steps.size).to.be.lessThan(100);
  });
});
