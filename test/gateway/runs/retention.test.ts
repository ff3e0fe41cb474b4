import { expect } from 'chai';
import { RUNS } from '../../../src/families/runs/public.ts';
import { sweepRuns } from '../../../src/gateway/runs/retention.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

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
    await sweepRuns(site.process(), 30, 3);
    expect(site.records.all(RUNS).length).to.equal(6);
    await sweepRuns(site.process(), 30, 2);
    expect(site.records.all(RUNS).map(({ state }) => state)).to.include('running');
    expect(site.records.all(RUNS).length).to.equal(5);
  });
});
