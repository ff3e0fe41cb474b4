import { expect } from 'chai';
import type { Json } from '../../../support/memory/app.ts';
import { type AlertsApp, alertsApp, outcomesOf, rowsOf } from './alertsApp.ts';

describe('runs that alerts start', () => {
  let alerts: AlertsApp;
  beforeEach(async () => {
    alerts = await alertsApp();
  });

  const advance = (seconds: number) => alerts.app.site.clock.advance(1000 * seconds);
  const perRow = (more: Json = {}) => ({ params: { per: 'row', input: 'Look into {user}', ...more } });

  it('are one for the whole alert, with its source, and have a worker', async () => {
    const reply = await alerts.alert(rowsOf(3), { row_count: 7, result_id: '2' });
    expect(outcomesOf(reply)).to.deep.equal(['started']);
    const { config, run_id, state, alert } = reply.json;
    expect([config.run_id, state]).to.deep.equal([run_id, 'queued']);
    expect(alert.outcomes).to.deep.equal([{ row: 0, outcome: 'started', run_id }]);
    const source = { kind: 'alert', search_name: 'Failed logins', sid: 'scheduler_1', result_id: '2', app: 'search' };
    expect(config).to.deep.include({ source, user: 'asker', agent: 'triage' });
    expect(config.input).to.contain('The alert has 7 rows. The first 3 follow');
    expect(config).to.not.have.property('result');
    const { json } = await alerts.call('GET', '');
    expect(json.result[0].source).to.deep.equal(source);
    expect(alerts.stored('ml_run_claims').map(({ kind, run_id: id }) => [kind, id])).to.deep.equal([['job', run_id]]);
    await alerts.app.gateway.usage.flush();
    const [event] = alerts.app.events.filter(({ sourcetype }) => sourcetype === 'ml_extension:run');
    expect(event?.event).to.deep.include({ state: 'queued', source });
  });

  it('are found by their saved search', async () => {
    await alerts.alert(rowsOf(1));
    await alerts.alert(rowsOf(1), { search_name: 'Other', sid: 's2' });
    const found = async (name: string) => (await alerts.call('GET', `?search_name=${encodeURIComponent(name)}`)).json;
    expect((await found('Failed logins')).pagination.total).to.equal(1);
    expect((await found('Other')).result[0].source.sid).to.equal('s2');
    expect((await found('None')).result).to.deep.equal([]);
  });

  it('are one for each row, and each is handed over once', async () => {
    expect(await alerts.outcomes(rowsOf(3), perRow())).to.deep.equal(['started', 'started', 'started']);
    expect(alerts.runs().map(({ input }) => String(input).split('\n')[0])).to.deep.equal(
      ['u0', 'u1', 'u2'].map((user) => `Look into <data>${user}</data>`),
    );
    const again = await alerts.alert(rowsOf(4), perRow());
    expect(outcomesOf(again)).to.deep.equal(['claimed', 'claimed', 'claimed', 'started']);
    expect(again.json.alert.outcomes[0].run_id).to.equal(alerts.runs()[0]?.run_id);
    expect(again.json).to.include({ run_id: again.json.alert.outcomes[3].run_id });
    expect(alerts.runs()).to.have.length(4);
    expect(alerts.reported()).to.deep.equal([]);
  });

  it('tell equal rows apart by their number among equal ones, and results by their id and their search', async () => {
    const same = [{ user: 'u' }, { user: 'u' }];
    expect(await alerts.outcomes(same, perRow())).to.deep.equal(['started', 'started']);
    expect(await alerts.outcomes([{ user: 'u' }], { ...perRow(), ordinals: [1] })).to.deep.equal(['claimed']);
    expect(await alerts.outcomes([{ user: 'u' }], { ...perRow(), ordinals: [2] })).to.deep.equal(['started']);
    expect(await alerts.outcomes([{ user: 'u' }], { ...perRow(), result_id: '1' })).to.deep.equal(['started']);
    expect(await alerts.outcomes([{ user: 'u' }], { ...perRow(), sid: 'rt_1.2' })).to.deep.equal(['started']);
    const reordered = [{ b: '2', a: '1' }];
    await alerts.alert([{ a: '1', b: '2' }], perRow());
    expect(await alerts.outcomes(reordered, perRow())).to.deep.equal(['claimed']);
  });

  it('are one, though the same alert comes ten times at once', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => alerts.alert(rowsOf(2))));
    expect(replies.flatMap(outcomesOf).sort()).to.deep.equal([...Array(9).fill('claimed'), 'started']);
    expect(new Set(replies.map(({ json }) => json.alert.outcomes[0].run_id)).size).to.equal(1);
    expect(alerts.runs()).to.have.length(1);
    const rows = await Promise.all(
      Array.from({ length: 10 }, () => alerts.alert(rowsOf(5), { ...perRow({ max_runs: '3' }), sid: 's2' })),
    );
    expect(rows.flatMap(outcomesOf).filter((outcome) => outcome === 'started')).to.have.length(3);
    expect(alerts.runs()).to.have.length(4);
  });

  it('are of nobody who hands over the alert of another', async () => {
    alerts.app.user('other', { capabilities: ['list_ai_commander_config', 'use_ai_gateway', 'run_agents'] });
    expect(outcomesOf(await alerts.alert(rowsOf(1), {}, undefined, 'other'))).to.deep.equal(['started']);
    expect(await alerts.outcomes(rowsOf(1))).to.deep.equal(['started']);
    expect(alerts.runs().map(({ user }) => user)).to.have.members(['other', 'asker']);
  });

  it('do not begin without any row', async () => {
    expect(await alerts.outcomes([])).to.deep.equal([]);
    expect(alerts.runs()).to.deep.equal([]);
  });

  it('are at most max_runs of a search, the first rows, and suppressed ones do not count', async () => {
    const more = perRow({ max_runs: '2', key: '{user}' });
    expect(await alerts.outcomes([{ user: 'a' }, { user: 'a' }, { user: 'b' }, { user: 'c' }], more)).to.deep.equal([
      'started',
      'suppressed',
      'started',
      'max_runs',
    ]);
    expect(await alerts.outcomes([{ user: 'd' }], more)).to.deep.equal(['max_runs']);
    expect(await alerts.outcomes([{ user: 'd' }], { ...more, sid: 's2' })).to.deep.equal(['started']);
    expect(alerts.reported().map(({ reason, rid, count }) => [reason, rid, count])).to.deep.equal([
      ['suppressed', '1', undefined],
      ['max_runs', '3', undefined],
      ['max_runs', '0', undefined],
    ]);
  });

  it('are at most max_runs over any number of processes', async () => {
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, at) => alerts.alert(rowsOf(2, 2 * at), perRow({ max_runs: '7' }))),
    );
    const outcomes = replies.flatMap(outcomesOf);
    expect(outcomes.filter((outcome) => outcome === 'started')).to.have.length(7);
    expect(outcomes.filter((outcome) => outcome === 'max_runs')).to.have.length(17);
    expect(alerts.runs()).to.have.length(7);
    expect(alerts.reported().reduce((sum, { count = 1 }) => sum + Number(count), 0)).to.equal(17);
  });

  it('suppress rows with the same key of the same saved search for a span', async () => {
    const more = { params: { key: '{user}', suppress: '10m' } };
    const start = (sid: string, user: string, other: Json = {}) =>
      alerts.outcomes([{ user }], { ...more, sid, ...other });
    expect(await start('s1', 'bob')).to.deep.equal(['started']);
    expect(await start('s2', 'bob')).to.deep.equal(['suppressed']);
    expect(await start('s3', 'eve')).to.deep.equal(['started']);
    expect(await start('s4', 'bob', { search_name: 'Other' })).to.deep.equal(['started']);
    expect(await start('s5', 'bob', { app: 'mine' })).to.deep.equal(['started']);
    expect(await start('s6', 'bob', { search_name: '' })).to.deep.equal(['started']);
    expect(await start('s7', 'bob', { search_name: '', app: 'mine' })).to.deep.equal(['suppressed']);
    advance(599);
    expect(await start('s8', 'bob')).to.deep.equal(['suppressed']);
    advance(2);
    expect(await start('s9', 'bob')).to.deep.equal(['started']);
    // From the last start, which a suppressed row is none of.
    advance(300);
    expect(await start('s10', 'bob')).to.deep.equal(['suppressed']);
    expect(await start('s2', 'bob')).to.deep.equal(['claimed']);
  });

  it('suppress nothing where none was started', async () => {
    const more = { params: { key: '{user}', agent: 'nobody' } };
    expect(await alerts.outcomes([{ user: 'bob' }], more)).to.deep.equal(['refused unknown_reference']);
    expect(await alerts.outcomes([{ user: 'bob' }], { params: { key: '{user}' } })).to.deep.equal(['started']);
    const full = { params: { key: '{user}', per: 'row', max_runs: '1' }, sid: 's2' };
    expect(await alerts.outcomes([{ user: 'eve' }, { user: 'ann' }], full)).to.deep.equal(['started', 'max_runs']);
    expect(await alerts.outcomes([{ user: 'ann' }], { params: { key: '{user}' }, sid: 's3' })).to.deep.equal([
      'started',
    ]);
  });

  it('are one for a key, though ten searches find it at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        alerts.alert([{ user: 'bob', at: `${at}` }], { params: { key: '{user}' }, sid: `s${at}` }),
      ),
    );
    expect(replies.flatMap(outcomesOf).sort()).to.deep.equal(['started', ...Array(9).fill('suppressed')]);
  });

  it('of a model have no tools', async () => {
    const { json } = await alerts.alert(rowsOf(1), { params: { agent: '', model: 'up/m1' } });
    expect(json.config).to.not.have.property('agent');
    expect(json.config.definition).to.deep.include({ runtime_type: 'BUILT_IN', mcps: [] });
    alerts.turns.push('nothing serious');
    expect(await alerts.work(json.run_id)).to.include({ state: 'succeeded', output: 'nothing serious' });
  });

  it('reject what needs approval where the alert says so, by nobody', async () => {
    alerts.turns.push([{ name: 'Desk__delete', args: { id: 1 } }], 'it was refused');
    const { json } = await alerts.alert(rowsOf(1), { params: { on_approval: 'reject' } });
    const run = await alerts.work(json.run_id);
    expect(run).to.include({ state: 'succeeded', output: 'it was refused' });
    expect(run.steps[1]).to.include({ state: 'rejected', name: 'Desk__delete' }).and.to.not.have.property('decided_by');
    expect(alerts.app.peers.calls.filter(({ name }: { name?: string }) => name === 'delete')).to.deep.equal([]);
    await alerts.app.gateway.usage.flush();
    const states = alerts.app.events.map(({ event }) => (event as Json).state);
    expect(states).to.not.include('waiting_for_approval');
  });

  it('do not say that a call was refused which had begun before its process died', async () => {
    alerts = await alertsApp({ approve_tools: 'never' });
    alerts.turns.push([{ name: 'Desk__delete', args: { id: 1 } }], 'perhaps it was deleted');
    const { json } = await alerts.alert(rowsOf(1), { params: { on_approval: 'reject' } });
    await alerts.step(json.run_id);
    await alerts.step(json.run_id);
    const [called] = alerts.stored('ml_run_steps').filter(({ index }) => index === 1);
    const { output: _, ended_at: _end, ...begun } = called as Json;
    alerts.app.site.records
      .collection('ml_run_steps')
      .set(String(begun._key), JSON.stringify({ ...begun, state: 'started' }));
    const run = await alerts.work(json.run_id);
    expect(run.steps[1]).to.include({ state: 'rejected' }).and.to.not.have.property('decided_by');
    expect(run.steps[1].output).to.contain('Nobody knows whether this call was made');
    expect(run).to.include({ state: 'succeeded', output: 'perhaps it was deleted' });
  });

  it('wait for approval by default', async () => {
    alerts.turns.push([{ name: 'Desk__delete', args: { id: 1 } }]);
    const { json } = await alerts.alert(rowsOf(1));
    expect((await alerts.work(json.run_id)).state).to.equal('waiting_for_approval');
  });

  it('are audited each under the name of its agent, and the request is not', async () => {
    await alerts.alert(rowsOf(2), perRow());
    const entries = alerts.stored('ml_audit').filter(({ action }) => action === 'run');
    // Equal ones are counted.
    expect(entries.map(({ name, user, outcome, count }) => [name, user, outcome, count])).to.deep.equal([
      ['triage', 'asker', 'success', 2],
    ]);
  });

  it('have claims that are removed when nobody needs them', async () => {
    await alerts.alert(rowsOf(3), perRow({ key: '{user}', suppress: '14d' }));
    expect(alerts.stored('ml_alert_claims')).to.have.length(9);
    advance(8 * 86_400);
    await alerts.start();
    await alerts.app.site.afterReplies();
    const kinds = () => alerts.stored('ml_alert_claims').map(({ kind }) => kind);
    expect(kinds().sort()).to.deep.equal(['key', 'key', 'key', 'row', 'row', 'row']);
    advance(8 * 86_400);
    await alerts.start();
    await alerts.app.site.afterReplies();
    expect(kinds()).to.deep.equal([]);
  });
});
