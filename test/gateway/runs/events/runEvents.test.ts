import { expect } from 'chai';
import type { RunDoc } from '../../../../src/gateway/runs/documents/stored.ts';
import { runEvent } from '../../../../src/gateway/runs/runEvent.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];
const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };
const LLM = { service: 'General_Chat', connection_name: 'up', model: 'm1' };

describe('events of runs', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });

  /** All that were sent to an index. */
  async function sent() {
    await runs.app.gateway.usage.flush();
    return runs.app.events.filter(({ sourcetype }) => sourcetype === 'ml_extension:run');
  }
  const events = async () => (await sent()).map(({ event }) => event as Record<string, unknown>);
  const statesTold = async () => (await events()).map(({ state }) => state);
  const decide = (id: string, decision: string) => runs.call('POST', `/${id}/approve`, { step: 1, decision });

  it('tell each change of state, with its time, and nothing of the content', async () => {
    runs.turns.push([...DELETE, ...DELETE], 'deleted');
    const id = await runs.start({}, { approve_tools: 'always' });
    runs.app.site.clock.advance(1500);
    await runs.work(id);
    runs.app.site.clock.advance(60_000);
    await decide(id, 'reject');
    await runs.call('POST', `/${id}/approve`, { step: 2, decision: 'reject' });
    await runs.work(id);
    const { started_at, ended_at } = await runs.read(id);
    const own = { run_id: id, user: 'asker' };
    const waiting = [{ tool: 'Desk__delete' }, { tool: 'Desk__delete' }];
    expect(await events()).to.deep.equal([
      { ...own, time: started_at, state: 'queued' },
      { ...own, time: started_at + 1.5, state: 'running' },
      { ...own, time: started_at + 1.5, state: 'waiting_for_approval', waiting },
      { ...own, time: started_at + 61.5, state: 'running' },
      { ...own, time: ended_at, state: 'succeeded', unverified: 0 },
    ]);
    for (const event of await events()) expect(Object.keys(event)[0]).to.equal('time');
  });

  it('name the agent, and the code of a failure', async () => {
    const agent = { name: 'triage', runtime_type: 'BUILT_IN', llm: LLM, acl: SHARED };
    expect((await runs.app.call('asker', 'POST', '/agents', agent)).status).to.equal(200);
    runs.app.llm.answer = () => ({ status: 401, json: {} });
    const { json } = await runs.call('POST', '', { agent: 'triage', input: 'question', worker: 'caller' });
    await runs.work(json.run_id);
    const told = await events();
    expect(told.map(({ agent: name }) => name)).to.deep.equal(['triage', 'triage', 'triage']);
    expect(told.at(-1)).to.include({ state: 'failed', error_code: 'auth_failed' });
  });

  it('tell an end once, though several readers and a worker find it', async () => {
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'hello' } }]);
    const id = await runs.start();
    await runs.step(id);
    runs.app.site.clock.advance(3_600_000);
    const read = () => runs.call('GET', `/${id}`);
    await Promise.all([read(), read(), runs.step(id), read()]);
    await read();
    expect(await statesTold()).to.deep.equal(['queued', 'running', 'failed']);
    runs.app.events.length = 0;
    const cancelled = await runs.start();
    const cancel = () => runs.call('POST', `/${cancelled}/cancel`);
    await Promise.all([cancel(), cancel(), read()]);
    expect(await statesTold()).to.deep.equal(['queued', 'cancelled']);
  });

  it('tell nothing where nothing has changed', async () => {
    runs.turns.push(DELETE);
    const id = await runs.start();
    await runs.work(id);
    const before = await statesTold();
    await runs.work(id);
    await runs.read(id);
    await runs.call('GET', '');
    runs.app.peers.tools = runs.app.peers.tools.map((tool) => ({ ...tool, description: 'Another one' }));
    const { json } = await decide(id, 'approve');
    expect(json.warnings).to.have.length(1);
    expect(json.state).to.equal('waiting_for_approval');
    expect(await statesTold()).to.deep.equal(before);
  });

  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`are never told twice, whatever call of the store fails (${mode})`, async function () {
      this.timeout(60_000);
      for (let at = 1; ; at += 1) {
        runs = await runsApp();
        runs.turns.push('done', 'done', 'done');
        const id = await runs.start();
        const faults = new FaultPlan(at, mode);
        await runs.step(id, faults).catch(() => undefined);
        if (faults.calls < at) break;
        // Longer than a lease.
        runs.app.site.clock.advance(11_000);
        expect((await runs.work(id)).state).to.equal('succeeded');
        const told = await statesTold();
        const where = faults.trace.slice(0, at).join(', ');
        expect(new Set(told).size, where).to.equal(told.length);
        if (mode !== 'lost') expect(told, where).to.deep.equal(['queued', 'running', 'succeeded']);
      }
    });
  }

  it('go to the index of usage, or to none', async () => {
    runs.app.settings.stanzas = { gateway: { usage_index: 'main' } };
    const id = await runs.start();
    expect((await sent()).map(({ index }) => index)).to.deep.equal(['main']);
    runs.app.settings.stanzas = { gateway: { usage_index: '' } };
    await runs.work(id);
    expect(await statesTold()).to.deep.equal(['queued']);
  });

  it('are lost where the index refuses them, as a line of the log says, and the run goes on', async () => {
    runs.app.eventFailure = new Error('no');
    const id = await runs.start();
    expect(await events()).to.deep.equal([]);
    expect(runs.app.site.log.events('warn')).to.include('usage_events_not_sent');
    runs.app.eventFailure = undefined;
    expect((await runs.work(id)).state).to.equal('succeeded');
    expect(await statesTold()).to.deep.equal(['running', 'succeeded']);
  });

  it('tell how many claims of an ended run are unverified', () => {
    const run = { run_id: 'r', user: 'asker', state: 'succeeded', evidence: { unverified: 2 } } as RunDoc;
    expect(runEvent(run, 1)).to.deep.equal({ time: 1, run_id: 'r', user: 'asker', state: 'succeeded', unverified: 2 });
    expect(runEvent({ ...run, state: 'running' }, 1)).to.not.have.property('unverified');
  });
});
