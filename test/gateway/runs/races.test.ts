import { expect } from 'chai';
import { RUNS, STEPS } from '../../../src/gateway/runs/documents/stored.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type RunsApp, runsApp, statesOf } from './runsApp.ts';

const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];
/** Reads of a lease until the copy of a member has caught up. */
const BEHIND = 3;

describe('runs that several processes see at once', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const storedRun = (id: string) => runs.stored(RUNS).find(({ _key }) => _key === id);

  /** A process on a member whose copy of the store is older than its own lease at first. */
  function onMemberBehind(old: Map<string, unknown[]>): FaultPlan {
    const faults = new FaultPlan();
    const { call } = faults;
    let reads = 0;
    faults.call = async <T>(name: string, effect: () => T): Promise<T> => {
      const [verb = '', collection = ''] = name.split(' ');
      const isBehind = reads < BEHIND && verb !== 'insert' && verb !== 'replace' && verb !== 'remove';
      if (isBehind && name === 'get ml_leases') reads += 1;
      const answer = await call.call(faults, name, effect);
      if (!isBehind) return answer as T;
      if (name === 'get ml_leases') return undefined as T;
      const docs = old.get(collection);
      if (!docs) return answer as T;
      return structuredClone(verb === 'get' ? docs[0] : docs) as T;
    };
    return faults;
  }

  it('keep the outcome of a call that a member still sees as begun', async () => {
    runs.turns.push(DELETE, 'deleted');
    const id = await runs.start({}, { approve_tools: 'never' });
    await runs.step(id);
    await runs.step(id);
    const begun = runs.stored(STEPS).map((step) => {
      const { output: _output, ended_at: _ended, ...rest } = step;
      return step.index === 1 ? { ...rest, state: 'started' } : step;
    });
    const late = await runs.step(id, onMemberBehind(new Map([[STEPS, begun]])));
    expect(late.json.state).to.equal('succeeded');
    expect(statesOf(await runs.read(id))).to.deep.equal(['model done', 'tool Desk__delete done', 'model done']);
  });

  it('stay ended, though a member still sees them under way', async () => {
    runs.turns.push(DELETE, 'deleted');
    const id = await runs.start();
    await runs.work(id);
    const old = new Map([RUNS, STEPS].map((name) => [name, runs.stored(name)]));
    await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'reject' });
    await runs.work(id);
    const ended = storedRun(id);
    expect(ended?.state).to.equal('succeeded');
    await runs.step(id, onMemberBehind(old));
    expect(storedRun(id)).to.deep.equal(ended);
  });

  for (const [what, turn] of [
    ['waits for a person', DELETE],
    ['goes on', [{ name: 'Desk__echo', args: { text: 'hello' } }]],
  ] as const) {
    it(`are cancelled during a step after which the run ${what}, whenever that is`, async function () {
      this.timeout(60_000);
      const early = new Set<unknown>();
      for (let at = 1; ; at += 1) {
        runs = await runsApp();
        runs.turns.push([...turn], 'done');
        const id = await runs.start();
        const faults = new FaultPlan(at, () => runs.call('POST', `/${id}/cancel`));
        await runs.step(id, faults);
        if (faults.calls < at) break;
        const state = storedRun(id)?.state;
        early.add(state);
        expect(state, faults.trace.slice(0, at).join(', ')).to.equal('cancelled');
      }
      expect([...early]).to.deep.equal(['cancelled']);
    });
  }
});

describe('runs of a machine whose slots are taken', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });

  it('stay as they are', async () => {
    const id = await runs.start();
    const before = runs.stored(RUNS);
    runs.app.slots.max = 0;
    const refused = await runs.step(id);
    expect([refused.status, refused.json.error_code]).to.deep.equal([429, 'too_many_requests']);
    expect(runs.stored(RUNS)).to.deep.equal(before);
    expect(runs.stored(STEPS)).to.deep.equal([]);
    runs.app.slots.max = 16;
    runs.turns.push('answer');
    expect(await runs.work(id)).to.include({ state: 'succeeded', output: 'answer' });
  });

  for (const [what, lose] of [
    ['the model', () => runs.app.user('asker', { capabilities: ['use_ai_gateway', 'run_agents', 'edit_agents'] })],
    ['the tools', () => runs.app.call('root', 'DELETE', '/mcp_connection/Desk')],
  ] as const) {
    it(`end where their user may no longer use ${what}`, async () => {
      const id = await runs.start();
      runs.app.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', 'edit_agent_connections'] });
      await lose();
      runs.app.slots.max = 0;
      expect((await runs.step(id)).json.state).to.equal('failed');
      expect(await runs.read(id)).to.include({ error_code: 'unknown_reference' });
      expect(runs.asked).to.deep.equal([]);
    });
  }
});

describe('runs whose stores fail before a call', () => {
  for (const approve_tools of ['never', 'always'] as const) {
    it(`say nothing of it to the model, and can be stepped again (approval: ${approve_tools})`, async function () {
      this.timeout(60_000);
      let kept = 0;
      for (let at = 1; ; at += 1) {
        const runs = await runsApp();
        runs.turns.push(DELETE, 'deleted');
        const id = await runs.start({}, { approve_tools });
        if (approve_tools === 'always') {
          await runs.work(id);
          await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
        } else await runs.step(id);
        const before = runs.stored(STEPS);
        const faults = new FaultPlan(at, 'refused');
        const answer = await runs.step(id, faults);
        if (faults.calls < at) break;
        const where = faults.trace.slice(0, at).join(', ');
        const calls = runs.app.peers.calls.length;
        if (answer.status !== 200 && calls === 0 && !/insert ml_run_(steps|claims)/.test(where)) {
          kept += 1;
          expect(answer.json.error_code, where).to.equal('store_unavailable');
          expect(runs.stored(STEPS), where).to.deep.equal(before);
          expect(await runs.work(id), where).to.include({ state: 'succeeded' });
          expect(runs.app.peers.calls.length, where).to.equal(1);
        }
        await runs.work(id);
        expect(JSON.stringify(runs.asked), where).to.not.contain('store_unavailable');
      }
      expect(kept).to.be.greaterThan(5);
    });
  }
});
