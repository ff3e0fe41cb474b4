import { expect } from 'chai';
import { RUNS } from '../../../src/gateway/runs/documents/stored.ts';
import { RunRetention } from '../../../src/gateway/runs/retention.ts';
import { RunStore } from '../../../src/gateway/runs/runStore.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { runsApp } from './runsApp.ts';

describe('the retention of runs', () => {
  it('counts those that have ended', async () => {
    const site = new MemoryPlatform();
    const now = site.clock.seconds();
    for (const [key, state] of [
      ...['a', 'b', 'c'].map((name) => [name, 'succeeded']),
      ...['d', 'e', 'f'].map((name) => [name, 'running']),
    ] as const) {
      const times = state === 'running' ? {} : { ended_at: now };
      const run = { _key: key, run_id: key, state, started_at: now, ...times };
      site.records.collection(RUNS).set(key as string, JSON.stringify(run));
    }
    const clear = (most: number) => {
      const stores = site.process();
      return new RunRetention().clear(stores, new RunStore(stores), { days: 30, most }, async () => {});
    };
    await clear(3);
    expect(site.records.all(RUNS).length).to.equal(6);
    await clear(2);
    expect(site.records.all(RUNS).map(({ state }) => state)).to.include('running');
    expect(site.records.all(RUNS).length).to.equal(5);
  });

  it('ends runs that their callers left, and removes them a day later', async () => {
    const { app, start, step, stored, turns } = await runsApp();
    turns.push([{ name: 'Desk__echo', args: { text: 'hello' } }], [{ name: 'Desk__delete', args: { id: 1 } }]);
    const [left, waiting] = [await start(), await start()];
    await step(left);
    await step(waiting);
    expect((await step(waiting)).json.state).to.equal('waiting_for_approval');
    app.site.clock.advance(3_601_000);
    const next = await start();
    const stateOf = (id: string) => stored(RUNS).find(({ _key }) => _key === id);
    expect(stateOf(left)).to.include({ state: 'failed', error_code: 'timeout' });
    expect(stateOf(waiting)).to.include({ state: 'waiting_for_approval' });
    expect(stateOf(next)).to.include({ state: 'queued' });
    app.site.clock.advance(86_401_000);
    await start();
    expect(stateOf(left)).to.equal(undefined);
    expect(stateOf(waiting)).to.include({ state: 'waiting_for_approval' });
  });
});
