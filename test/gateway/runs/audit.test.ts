import { expect } from 'chai';
import type { Json } from '../../support/memory/app.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

describe('runs in the audit trail', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    runs.app.user('auditor', { capabilities: ['list_ml_audit'] });
  });

  const entries = async (query = ''): Promise<Json[]> => {
    await runs.app.gateway.entries.flush();
    return (await runs.app.call('auditor', 'GET', `/audit?family=runs&count=0&${query}`)).json.result;
  };

  it('are one entry of a user and hour for definitions, and one for each agent', async () => {
    const first = await runs.start();
    expect((await entries())[0]).to.include({ action: 'run', name: '', outcome: 'success', run_id: first });
    for (let time = 0; time < 4; time += 1) await runs.start();
    for (const name of ['triage', 'other_agent']) {
      const llm = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
      const made = await runs.app.call('asker', 'POST', '/agents', { name, runtime_type: 'BUILT_IN', llm });
      expect(made.status, JSON.stringify(made.json)).to.equal(200);
      for (let time = 0; time < 2; time += 1)
        expect((await runs.call('POST', '', { agent: name, input: 'x', worker: 'caller' })).status).to.equal(200);
    }
    const facts = (await entries()).map(({ name, count, run_id }) => [name, count, run_id === undefined]);
    expect(facts).to.deep.equal([
      ['other_agent', 2, true],
      ['triage', 2, true],
      ['', 5, true],
    ]);
    runs.app.site.clock.advance(3_600_001);
    const later = await runs.start();
    expect((await entries())[0]).to.include({ action: 'run', run_id: later });
    expect(await entries()).to.have.length(4);
  });

  it('that fail are counted by their code', async () => {
    for (let time = 0; time < 3; time += 1)
      expect((await runs.call('POST', '', { agent: 'nowhere', input: 'x' })).json.error_code).to.equal(
        'unknown_reference',
      );
    await runs.start();
    const facts = (await entries()).map(({ name, count, outcome, error_code }) => [name, count, outcome, error_code]);
    expect(facts).to.deep.equal([
      ['', undefined, 'success', undefined],
      ['nowhere', 3, 'fail', 'unknown_reference'],
    ]);
  });

  it('have the run in entries of decisions and of calls of tools', async () => {
    runs.turns.push([
      { name: 'Desk__echo', args: { text: 'a' } },
      { name: 'Desk__delete', args: { id: 1 } },
    ]);
    const id = await runs.start();
    const waiting = await runs.work(id);
    const step = waiting.steps.find(({ state }: Json) => state === 'waiting').index;
    expect((await runs.call('POST', `/${id}/approve`, { step, decision: 'approve' })).status).to.equal(200);
    expect((await runs.call('POST', `/${id}/approve`, { step, decision: 'reject' })).status).to.equal(400);
    expect((await runs.call('POST', `/${id}/cancel`, {})).status).to.equal(200);
    const facts = (await entries()).map(({ action, tool, outcome, run_id }) => [action, tool, outcome, run_id]);
    expect(facts).to.have.deep.members([
      ['run', undefined, 'success', id],
      ['execute_tool', 'echo', 'success', id],
      ['approve', undefined, 'success', id],
      ['reject', undefined, 'fail', id],
      ['cancel', undefined, 'success', id],
    ]);
  });

  it('leave what others have done, whatever a user without a capability to edit does for a day', async () => {
    const { app } = runs;
    app.settings.stanzas = { audit: { max_entries: '100' } };
    for (let change = 0; change < 20; change += 1)
      await app.call('asker', 'POST', '/experiments', { title: `a${change}`, type: 'smart_forecast' });
    const ofAsker = async () => (await app.call('auditor', 'GET', '/audit?count=0&user=asker')).json.result;
    expect(await ofAsker()).to.have.length(20);
    const definition = {
      runtime_type: 'BUILT_IN',
      llm: { service: 'General_Chat', connection_name: 'up', model: 'm1' },
    };
    for (let hour = 0; hour < 24; hour += 1) {
      app.site.clock.advance(3_600_000);
      const started = await runs.call('POST', '', { definition, input: 'x', worker: 'caller' }, 'other');
      await runs.call('POST', `/${started.json.run_id}/cancel`, {}, 'other');
      await runs.call('POST', `/${started.json.run_id}/approve`, { step: 0, decision: 'approve' }, 'other');
      await runs.call('POST', '', { agent: `no ${hour}`, input: 'x' }, 'other');
      await runs.call('POST', '', { input: 5 }, 'other');
      await app.call('other', 'POST', '/experiments', { title: `e${hour}`, type: 'smart_forecast' });
      await app.call('other', 'DELETE', `/mcp_connection/c${hour}`);
    }
    const counts = (kept: Json[], names: readonly unknown[]) =>
      kept.filter(({ action }) => names.includes(action)).length;
    const kept = (await app.call('auditor', 'GET', '/audit?count=0&user=other')).json.result as Json[];
    expect(counts(kept, ['run'])).to.be.at.most(10 + 3);
    // A refused decision is a refusal, and those have a quota of their own.
    const done = kept.filter(({ outcome }) => outcome === 'success');
    expect(counts(done, ['cancel', 'create'])).to.equal(10);
    expect(kept.length).to.be.at.most(10 + 10 + 3);
    expect(await ofAsker()).to.have.length(20);
  });
});
