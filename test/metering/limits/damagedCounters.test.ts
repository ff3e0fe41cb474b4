import { expect } from 'chai';
import { CAPABILITIES } from '../../../src/contract/capabilities.ts';
import { ask, gatewayApp } from '../../gateway/gatewayApp.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';

const COUNTERS = 'ml_usage_counters';

describe('damaged documents of usage counters', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
    app.user('boss', { capabilities: Object.keys(CAPABILITIES) });
    const limit = { name: 'Daily', window: 'day', requests: 4, tokens: 100_000, per: 'all' };
    expect((await app.call('boss', 'POST', '/usage_limits', limit)).status).to.equal(200);
    expect((await ask(app, {})).status).to.equal(200);
    await app.gateway.usage.flush();
  });

  const stored = (kind: string): Json => app.site.records.all(COUNTERS).find((doc) => doc.kind === kind) as Json;
  let keys = 0;
  const put = (doc: Json) => {
    keys += 1;
    const _key = `${doc.counter}.damaged${keys}`;
    app.site.records.collection(COUNTERS).set(_key, JSON.stringify({ ...doc, _key }));
  };

  it('are left out and logged: uses go on, and the limit holds', async () => {
    const [shard, block] = [stored('shard'), stored('block')];
    for (const field of Object.keys(shard).filter(
      (name) => !['_key', 'kind', 'counter', 'limit', 'ends'].includes(name),
    )) {
      for (const value of [undefined, null, 'x', -1, { from: 1 }, [5], [{}]]) put({ ...shard, [field]: value });
    }
    put({ ...shard, returned: [{ from: 1, to: 1e12, generation: 1 }] });
    put({ ...shard, open: [{ tokens: 1e300, cost: 'x', until: 1e15 }] });
    for (const field of ['position', 'size']) {
      for (const value of [undefined, null, 'x', -1, 1.5, 1e300]) put({ ...block, [field]: value });
    }
    const statuses: number[] = [];
    for (let time = 0; time < 5; time += 1) statuses.push((await ask(app, {})).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429, 429]);
    await app.gateway.usage.flush();
    expect(app.site.log.text()).to.include(`"collection":"${COUNTERS}"`);
    const { status, json } = await app.call('boss', 'GET', '/usage_limits/Daily');
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.config.status.used.requests).to.equal(4);
    expect((await app.call('boss', 'GET', '/usage_limits/status')).status).to.equal(200);
    expect((await app.call('boss', 'GET', '/connection_health')).status).to.equal(200);
    expect(app.site.log.text()).to.not.include('usage_counters_not_written');
  });

  it('of other kinds are no obstacle either', async () => {
    const { counter, ends, limit } = stored('shard');
    for (const kind of ['claim', 'message', 'prediction', 'other', 5, undefined]) put({ counter, ends, limit, kind });
    put({});
    expect((await ask(app, {})).status).to.equal(200);
    await app.gateway.usage.flush();
    await app.gateway.usage.close();
    expect(app.site.log.text()).to.not.include('not_written').and.to.not.include('not_given_back');
  });
});
