import { expect } from 'chai';
import { COLLECTION } from '../../../src/domain/locks/remoteClocks.ts';
import { CLAIMS, RUNS, STEPS } from '../../../src/gateway/runs/documents/stored.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];
const JOB = { worker: 'job', wait_s: 0 };

describe('the workers of runs', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const dispatched = () => runs.app.searches.dispatched.length;
  const get = (id: string, user?: string) => runs.call('GET', `/${id}`, undefined, user);
  const approve = (id: string, step = 1) => runs.call('POST', `/${id}/approve`, { step, decision: 'approve' });
  const steps = async (id: string, count: number) => {
    for (let taken = 0; taken < count; taken += 1) await runs.step(id);
  };

  it('are started once, and noted though a step is under way', async () => {
    const id = await runs.start(JOB);
    expect(dispatched()).to.equal(1);
    expect((await get(id)).json.config.job_id).to.equal('sid-1');
    await Promise.all([get(id), get(id), get(id)]);
    expect(dispatched()).to.equal(1);
    runs.app.searches.active.clear();
    await Promise.all([get(id), get(id), get(id)]);
    expect(dispatched(), 'of three readers at once').to.equal(2);
    expect((await get(id)).json.config.job_id).to.equal('sid-2');
    await runs.step(id);
    expect((await runs.call('GET', '')).json.result[0].job_id).to.equal('sid-2');
  });

  it('cost a reader one reading of the history', async () => {
    runs.turns.push([{ name: 'Desk__echo', args: { text: 'x' } }], 'echoed');
    const id = await runs.start(JOB);
    await runs.step(id);
    const faults = new FaultPlan();
    const request = { method: 'GET', path: `/ai_gateway/runs/${id}`, sessionToken: 'asker' };
    const { json } = await runs.app.request(request, faults);
    expect(json.state).to.equal('running');
    expect(json.config.steps).to.have.length(1);
    expect(faults.trace.filter((call) => call === `find ${STEPS}`)).to.have.length(1);
  });

  it('are started by the next reader if a decision could not', async () => {
    runs.turns.push(DELETE, 'deleted');
    const id = await runs.start(JOB);
    await steps(id, 2);
    runs.app.searches.failure = 'too many searches';
    runs.app.site.clock.advance(1000);
    const decided = await approve(id);
    expect(decided.json.config.state).to.equal('waiting_for_approval');
    expect(decided.json.warnings[0]).to.contain('too many searches');
    runs.app.searches.failure = undefined;
    await get(id);
    expect(dispatched()).to.equal(2);
  });

  it('are not started while a person has to decide, nor while agents are switched off', async () => {
    runs.turns.push([...DELETE, ...DELETE], 'deleted');
    const id = await runs.start(JOB);
    await steps(id, 2);
    runs.app.searches.active.clear();
    await approve(id, 1);
    await get(id);
    expect(dispatched()).to.equal(1);
    runs.app.settings.stanzas = { feature_flags: { agent_builder: 'false' } };
    await approve(id, 2);
    await get(id);
    expect(dispatched()).to.equal(1);
    runs.app.settings.stanzas = {};
    expect((await approve(id, 2)).status).to.equal(200);
    expect(dispatched()).to.equal(2);
  });

  it('are asked for by the runs of a list', async () => {
    const [ofJob, ofCaller] = [await runs.start(JOB), await runs.start()];
    for (const [worker, id] of [
      ['job', ofJob],
      ['caller', ofCaller],
    ]) {
      const { json } = await runs.call('GET', `?worker=${worker}&state=queued`);
      expect(json.result.map(({ run_id }: { run_id: string }) => run_id)).to.deep.equal([id]);
    }
  });

  it('are never started for a run that its caller steps', async () => {
    runs.turns.push(DELETE, 'deleted');
    const id = await runs.start();
    await steps(id, 2);
    await approve(id);
    runs.app.site.clock.advance(120_000);
    await get(id);
    expect(dispatched()).to.equal(0);
    expect(await runs.work(id)).to.include({ state: 'succeeded' });
  });

  it('are not needed to end a run that was cancelled while a dead process held it', async () => {
    const id = await runs.start();
    const { clock, records } = runs.app.site;
    const lease = {
      _key: `runs.${id}`,
      owner: 'dead',
      domain: clock.domain,
      until: clock.monotonic() + 5000,
      ttl: 10_000,
    };
    records.collection(COLLECTION).set(lease._key, JSON.stringify(lease));
    expect((await runs.call('POST', `/${id}/cancel`)).json.state).to.equal('queued');
    clock.advance(6000);
    expect((await get(id)).json.state).to.equal('cancelled');
  });

  it('are waited for by few requests at a time', async () => {
    const id = await runs.start(JOB);
    runs.app.slots.waiting = 0;
    const from = runs.app.site.clock.now();
    expect((await runs.call('GET', `/${id}?wait_s=20`)).json.state).to.equal('queued');
    expect(runs.app.site.clock.now() - from).to.equal(0);
    runs.app.slots.waiting = 1;
    await runs.call('GET', `/${id}?wait_s=20`);
    expect(runs.app.site.clock.now() - from).to.be.at.least(20_000);
    expect(runs.app.slots.waiting, 'given back').to.equal(1);
  });

  it('leave nothing behind', async () => {
    const id = await runs.start(JOB);
    await runs.work(id);
    runs.app.site.clock.advance(3 * 86_400_000);
    await runs.start(JOB);
    expect(runs.stored(RUNS).length).to.equal(1);
    expect(runs.stored(CLAIMS).filter(({ run_id }) => run_id === id)).to.deep.equal([]);
  });
});

describe('the rights of a run', () => {
  let runs: RunsApp;
  const AGENT = { name: 'helper', runtime_type: 'BUILT_IN', mcps: [{ name: 'Desk' }] };
  const acl = (read: string[]) => ({ sharing: 'app', perms: { read, write: [] } });
  beforeEach(async () => {
    runs = await runsApp();
    runs.app.user('owner', {
      roles: ['admin'],
      capabilities: ['edit_agents', 'run_agents', 'list_ai_commander_config'],
    });
    const llm = { model: 'up/m1' };
    const made = await runs.app.call('owner', 'POST', '/agents', { ...AGENT, llm, acl: acl(['user']) });
    expect(made.status, JSON.stringify(made.json)).to.equal(200);
  });
  const start = () => runs.start({ agent: 'helper', definition: undefined });

  it('end with the right to read the agent', async () => {
    const id = await start();
    const closed = await runs.app.call('owner', 'PUT', '/agents', { name: 'helper', acl: acl(['admin']) });
    expect(closed.status, JSON.stringify(closed.json)).to.equal(200);
    expect(await runs.work(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
    expect(runs.asked).to.deep.equal([]);
  });

  it('are not those of another agent that has the name by now', async () => {
    const id = await start();
    expect((await runs.app.call('owner', 'DELETE', '/agents/helper')).status).to.equal(200);
    runs.app.site.clock.advance(1000);
    await runs.app.call('owner', 'POST', '/agents', { ...AGENT, llm: { model: 'up/m1' }, acl: acl(['*']) });
    expect(await runs.work(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
  });

  it('end with the capabilities of its user, whoever takes the step', async () => {
    const id = await start();
    runs.app.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', 'use_ai_gateway', 'run_agents'] });
    runs.app.user('asker', { capabilities: ['list_ai_commander_config', 'use_ai_gateway'] });
    const { json } = await runs.call('POST', `/${id}/step`, undefined, 'root');
    expect(json.state).to.equal('failed');
    const { config } = (await runs.call('GET', `/${id}`, undefined, 'root')).json;
    expect(config).to.include({ error_code: 'unknown_reference' });
    expect(config.message).to.contain('run_agents');
  });
});
