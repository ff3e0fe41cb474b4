import { expect } from 'chai';
import { CLAIMS, STEPS } from '../../../src/gateway/runs/documents/stored.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type RunsApp, runsApp, statesOf } from './runsApp.ts';

/** Longer than a lease. */
const LATER_MS = 11_000;
const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];

describe('runs whose processes die or whose stores fail', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const called = () => runs.app.peers.calls.map(({ name, arguments: args }) => [name, args]);
  const approve = (id: string, more: object = {}) =>
    runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve', ...more });
  /** A process that dies leaves its lease, and its connection ends. */
  async function failing(id: string, faults: FaultPlan): Promise<void> {
    await runs.step(id, faults).catch(() => undefined);
    runs.app.site.clock.advance(LATER_MS);
  }

  /** Answers of one member that still has the steps and claims of an earlier moment. */
  async function withStale<T>(stale: Map<string, ReturnType<RunsApp['stored']>>, work: () => Promise<T>): Promise<T> {
    const { records } = runs.app.site;
    const all = records.all.bind(records);
    records.all = (name) => structuredClone(stale.get(name)) ?? all(name);
    try {
      return await work();
    } finally {
      records.all = all;
    }
  }

  it('make an approved call once, though a member reads an old copy of its step', async () => {
    runs.turns.push(DELETE, 'deleted');
    const id = await runs.start();
    await runs.work(id);
    expect((await approve(id)).status).to.equal(200);
    const stale = new Map([STEPS, CLAIMS].map((name) => [name, runs.stored(name)]));
    expect((await runs.step(id)).json.step.state).to.equal('done');
    const late = await withStale(stale, () => runs.step(id));
    expect([late.status, late.json.error_code]).to.deep.equal([503, 'store_unavailable']);
    expect(called()).to.deep.equal([['delete', { id: 1 }]]);
    expect(await runs.work(id)).to.include({ state: 'succeeded', output: 'deleted' });
  });

  it('repeat a call that only reads with the arguments that a person edited', async function () {
    this.timeout(60_000);
    let repeated = 0;
    for (let at = 1; ; at += 1) {
      runs = await runsApp();
      runs.turns.push([{ name: 'Desk__echo', args: { text: 'hello' } }], 'done', 'done', 'done');
      const id = await runs.start({}, { approve_tools: 'always' });
      await runs.work(id);
      await approve(id, { arguments: { text: 'edited' } });
      const faults = new FaultPlan(at);
      await failing(id, faults);
      if (faults.calls < at) break;
      const run = await runs.work(id);
      expect(statesOf(run), faults.trace.join(', ')).to.deep.equal([
        'model done',
        'tool Desk__echo done',
        'model done',
      ]);
      expect(new Set(called().map(([, args]) => JSON.stringify(args)))).to.deep.equal(new Set(['{"text":"edited"}']));
      if (called().length > 1) repeated += 1;
    }
    expect(repeated).to.be.greaterThan(0);
  });

  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`make a call with effects at most once, whatever call of the store fails (${mode})`, async function () {
      this.timeout(60_000);
      let reached = 0;
      for (let at = 1; ; at += 1) {
        runs = await runsApp();
        runs.turns.push(DELETE, 'deleted', 'deleted', 'deleted');
        const id = await runs.start();
        await runs.work(id);
        await approve(id, { arguments: { id: 2 } });
        const faults = new FaultPlan(at, mode);
        await failing(id, faults);
        if (faults.calls < at) break;
        reached = at;
        let run = await runs.work(id);
        const wasAsked = run.state === 'waiting_for_approval';
        // Nobody but a person knows whether it was made.
        if (wasAsked) {
          expect(statesOf(run)[1], faults.trace.join(', ')).to.equal('tool Desk__delete unknown');
          expect((await approve(id, { result: 'I looked' })).status).to.equal(200);
          run = await runs.work(id);
        }
        expect(run.state, faults.trace.join(', ')).to.equal('succeeded');
        expect(called().length, faults.trace.join(', ')).to.be.at.most(1);
        if (statesOf(run)[1] === 'tool Desk__delete done' && !wasAsked) {
          expect(called()).to.deep.equal([['delete', { id: 2 }]]);
        }
      }
      expect(reached).to.be.greaterThan(10);
    });
  }
});
