import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AlertState } from '../../src/alerts/runs/alertState.ts';
import type { SavedRun, SavedSearchRunner } from '../../src/alerts/runs/runner.ts';
import { Scheduler } from '../../src/alerts/runs/scheduler.ts';
import type { SavedSearch } from '../../src/alerts/saved/savedSearch.ts';
import type { PlatformCaller } from '../../src/http/request.ts';
import { MemoryLog } from '../support/fakeDriver.ts';
import { eventually } from '../support/patience.ts';
import { temporaryFolder } from '../support/platform.ts';

const saved = (name: string, keys: Record<string, string>): SavedSearch => ({
  name,
  app: 'a',
  owner: 'ann',
  isPrivate: true,
  keys: { enableSched: '1', cron_schedule: '* * * * *', realtime_schedule: '1', ...keys },
});

describe('the timer of scheduled searches', () => {
  const folder = temporaryFolder();
  const state = new AlertState(join(folder, 'alerts.sqlite'));
  const log = new MemoryLog();
  after(() => {
    state.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A scheduler whose clock stands shortly before a minute, and the runs that it begins. */
  const started = (searches: SavedSearch[]) => {
    const minute = Math.ceil(Date.now() / 60_000) * 60_000;
    const began = performance.now();
    let ahead = 0;
    const runs: SavedRun[] = [];
    const endings: (() => void)[] = [];
    const runner = {
      start: async (run: SavedRun) => void runs.push(run),
      finish: () => new Promise<void>((resolve) => endings.push(resolve)),
    } as unknown as SavedSearchRunner;
    const scheduler = new Scheduler({
      searches: () => searches,
      ownerOf: () => ({ user: 'ann', system: true }) as PlatformCaller,
      runner,
      state,
      log,
      now: () => minute - 100 + ahead + performance.now() - began,
    });
    return {
      scheduler,
      minute: minute / 1000,
      /** Name and minutes from the first one. */
      runs: () => runs.map(({ search, time }) => [search.name, (time - minute / 1000) / 60]),
      pause: (minutes: number) => {
        ahead += minutes * 60_000;
      },
      end: async () => {
        scheduler.stop();
        for (const ending of endings.splice(0)) ending();
        await scheduler.settled();
      },
    };
  };

  it('runs a search at its minute, without a wait for others', async () => {
    const timer = started([saved('one', {}), saved('two', {}), saved('off', { disabled: '1' })]);
    timer.scheduler.start();
    expect(timer.runs()).to.deep.equal([]);
    await eventually(() => timer.runs().length === 2);
    expect(timer.runs()).to.deep.equal([
      ['one', 0],
      ['two', 0],
    ]);
    await timer.end();
  });

  it('makes up for the last run alone after a pause, or for all where the search wants that', async () => {
    const timer = started([
      saved('last', {}),
      saved('every', { realtime_schedule: '0', cron_schedule: '*/1 * * * *' }),
    ]);
    timer.pause(3);
    timer.scheduler.start();
    await eventually(() => timer.runs().length >= 2);
    // The others of `every` are left out here, since its first run does not end.
    expect(timer.runs()).to.have.deep.members([
      ['every', 0],
      ['last', 3],
    ]);
    expect(
      log.lines.filter((line) => line.includes('ann;a;last') && line.includes('a later run is due')),
    ).to.have.length(3);
    expect(
      log.lines.some((line) => line.includes('ann;a;every') && line.includes('The maximum number of concurrent')),
    ).to.equal(true);
    await timer.end();
  });

  it('runs nothing after it was stopped', async () => {
    const timer = started([saved('never', {})]);
    timer.scheduler.start();
    timer.scheduler.stop();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(timer.runs()).to.deep.equal([]);
    expect(await timer.scheduler.runUpTo()).to.deep.equal([]);
  });
});
