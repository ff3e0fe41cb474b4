import { expect } from 'chai';
import type { Json } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { configure } from '../../gatewayApp.ts';
import { type AlertsApp, alertsApp, outcomesOf, rowsOf } from './alertsApp.ts';

const NAMED = { action: 'ml_agent', search_name: 'Failed logins', sid: 'scheduler_1', app: 'search', user: 'asker' };

describe('rows of alerts that start no run', () => {
  let alerts: AlertsApp;
  beforeEach(async () => {
    alerts = await alertsApp();
  });

  const perRow = (more: Json = {}) => ({ params: { per: 'row', ...more } });
  const reasons = () => alerts.reported().map(({ reason }) => reason);
  const refused = async (code: string, more: Json = {}, user = 'asker', status = 200) => {
    const reply = await alerts.alert(rowsOf(2), { ...more }, undefined, user);
    expect(reply.status, JSON.stringify(reply.json)).to.equal(status);
    if (status === 200) for (const outcome of outcomesOf(reply)) expect(outcome).to.equal(`refused ${code}`);
    else expect(reply.json.error_code).to.equal(code);
    expect(reasons()).to.deep.equal([code]);
    expect(alerts.runs()).to.deep.equal([]);
    return reply.json;
  };

  it('are reported in one event for each reason, without their content', async () => {
    await alerts.outcomes([{ user: 'secret-user' }, { user: 'secret-user' }, { user: 'other' }], {
      ...perRow({ key: '{user} canary', max_runs: '1', input: 'prompt {user}' }),
      result_id: '7',
    });
    const [suppressed, beyond, ...more] = alerts.reported();
    expect(more).to.deep.equal([]);
    const { time, message, ...event } = suppressed ?? {};
    expect(event).to.deep.equal({ ...NAMED, reason: 'suppressed', result_id: '7', rid: '7' });
    expect(time).to.equal(alerts.app.site.clock.seconds());
    expect(message).to.be.a('string');
    expect(Object.keys(suppressed ?? {})[0]).to.equal('time');
    expect(beyond).to.include({ reason: 'max_runs', rid: '7' });
    expect(JSON.stringify(alerts.reported())).to.not.match(/secret-user|canary|prompt/);
    expect(alerts.app.site.log.text()).to.not.match(/secret-user|canary|prompt/);
    expect(alerts.app.events.map(({ index }) => index)).to.include('_internal');
  });

  it('share an event with their number', async () => {
    await alerts.outcomes(rowsOf(10), perRow({ max_runs: '3' }));
    const [event] = alerts.reported();
    expect(event).to.include({ reason: 'max_runs', count: 7 }).and.to.not.have.property('rid');
  });

  it('are not reported twice where the same alert comes again', async () => {
    await alerts.outcomes(rowsOf(5), perRow({ max_runs: '3' }));
    expect(await alerts.outcomes(rowsOf(5), perRow({ max_runs: '3' }))).to.deep.equal(Array(5).fill('claimed'));
    expect(reasons()).to.deep.equal(['max_runs']);
  });

  it('are those beyond 500, reported once by the last request', async () => {
    const more = { ...perRow({ max_runs: '1' }), first_row: 490, row_count: 1200 };
    await alerts.outcomes(rowsOf(5), { ...more, first_row: 400 });
    expect(reasons()).to.deep.equal(['max_runs']);
    await alerts.outcomes(rowsOf(10, 100), more);
    await alerts.outcomes(rowsOf(10, 100), more);
    const beyond = alerts.reported().filter(({ reason }) => reason === 'max_rows');
    expect(beyond.map(({ count }) => count)).to.deep.equal([700]);
  });

  it('name the row by its own rid, or by its number among the results', async () => {
    await alerts.outcomes([{ user: 'a' }], perRow({ max_runs: '1' }));
    await alerts.outcomes([{ user: 'b', rid: '4.2' }], { ...perRow({ max_runs: '1' }), first_row: 30 });
    await alerts.outcomes([{ user: 'c' }], { ...perRow({ max_runs: '1' }), first_row: 31 });
    expect(alerts.reported().map(({ rid }) => rid)).to.deep.equal(['4.2', '31']);
  });

  it('are those beyond 500 as well where the request is refused as a whole', async () => {
    const more = { ...perRow({ suppress: 'soon' }), first_row: 498, row_count: 510 };
    expect((await alerts.alert(rowsOf(2), more)).status).to.equal(400);
    expect(alerts.reported().map(({ reason, count }) => [reason, count])).to.deep.equal([
      ['validation_failed', 2],
      ['max_rows', 10],
    ]);
  });

  it('put no more of a row into an event than an id has', async () => {
    await alerts.outcomes([{ user: 'a', rid: 'x'.repeat(100_000) }], perRow({ agent: 'nobody' }));
    expect(String(alerts.reported()[0]?.rid)).to.have.length(256);
  });

  describe('are refused', () => {
    it('without the capability', async () => {
      alerts.app.user('weak', { capabilities: ['use_ai_gateway'] });
      await refused('missing_capability', perRow(), 'weak', 403);
      expect(alerts.reported()[0]).to.include({ ...NAMED, user: 'weak', count: 2 });
    });

    for (const user of ['splunk-system-user', 'nobody']) {
      it(`to ${user}, naming the saved search`, async () => {
        alerts.app.user(user, { capabilities: ['use_ai_gateway', 'run_agents'] });
        const { message } = await refused('system_user', {}, user, 403);
        expect(message).to.contain('Failed logins');
        expect(alerts.reported()[0]?.message).to.contain(user).and.to.contain('Failed logins');
      });
    }

    it('to a system user without the capability, for the same reason', async () => {
      alerts.app.user('nobody', { capabilities: [] });
      expect((await alerts.alert(rowsOf(1), {}, undefined, 'nobody')).status).to.equal(403);
      expect(reasons()).to.deep.equal(['system_user']);
    });

    it('with parameters that cannot be read, which are named', async () => {
      await refused('validation_failed', { params: { per: 'often', agent: '' } }, 'asker', 400);
      expect(alerts.reported()[0]?.message).to.contain('alert.params.per').and.to.contain('alert.params.agent');
    });

    it('with a body that does not fit', async () => {
      await refused('validation_failed', { first_row: -1 }, 'asker', 400);
    });

    it('beside what other runs take', async () => {
      const alert = { search_name: 's', sid: '1', app: 'a', params: { agent: 'triage' }, rows: rowsOf(1) };
      for (const more of [{ input: 'x' }, { agent: 'triage' }, { wait_s: 5 }, { worker: 'caller' }]) {
        const { status, json } = await alerts.call('POST', '', { alert, ...more });
        expect([status, json.error_code]).to.deep.equal([400, 'validation_failed']);
        expect(json.errors[0].field).to.equal(Object.keys(more)[0]);
      }
      const { json } = await alerts.call('POST', '', { agent: 'triage' });
      expect(json.errors).to.deep.equal([{ field: 'input', message: 'is required' }]);
    });

    it('where the body is too large', async () => {
      const rows = Array.from({ length: 11 }, () => ({ _raw: 'x'.repeat(100_000) }));
      const reply = await alerts.alert(rows, perRow());
      expect(reply.json.error_code).to.equal('payload_too_large');
      expect(alerts.reported()[0]).to.include({ ...NAMED, reason: 'payload_too_large', count: 11 });
    });

    it('where a template makes too much of a row', async () => {
      const more = perRow({ input: '{_raw}'.repeat(20) });
      expect(await alerts.outcomes([{ _raw: 'x'.repeat(100_000) }], more)).to.deep.equal(['refused payload_too_large']);
      expect(reasons()).to.deep.equal(['payload_too_large']);
    });

    it('for an agent that is disabled', async () => {
      const change = { name: 'triage', is_enabled: false };
      expect((await alerts.app.call('asker', 'PUT', '/agents', change)).status).to.equal(200);
      await refused('invalid_state');
    });

    it('for an agent that is not there, or not readable', async () => {
      await refused('unknown_reference', { params: { agent: 'ghost' } });
      alerts.app.events.length = 0;
      const own = { name: 'own', runtime_type: 'BUILT_IN', acl: { sharing: 'user' } };
      const llm = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
      expect((await alerts.app.call('asker', 'POST', '/agents', { ...own, llm })).status).to.equal(200);
      alerts.app.user('other', { capabilities: ['use_ai_gateway', 'run_agents', 'list_ai_commander_config'] });
      await refused('unknown_reference', { params: { agent: 'own' } }, 'other');
    });

    it('for a model that is not there', async () => {
      await refused('unknown_reference', { params: { agent: '', model: 'up/ghost' } });
    });

    it('while the feature is off', async () => {
      alerts.app.settings.stanzas = { feature_flags: { agent_builder: '0' } };
      await refused('feature_disabled', {}, 'asker', 403);
    });

    it('where the user has too many runs', async () => {
      const outcomes = await alerts.outcomes(rowsOf(103), perRow({ max_runs: '200' }));
      expect(outcomes.filter((outcome) => outcome === 'started')).to.have.length(100);
      expect(outcomes.slice(100)).to.deep.equal(Array(3).fill('refused too_many_runs'));
      expect(alerts.reported()).to.have.length(1);
      expect(alerts.reported()[0]).to.include({ reason: 'too_many_runs', count: 3 });
      // They have neither claims nor places.
      const { run_id } = alerts.runs()[0] ?? {};
      await alerts.call('POST', `/${run_id}/cancel`);
      const again = await alerts.outcomes(rowsOf(2, 100), perRow({ max_runs: '200' }));
      expect(again).to.deep.equal(['started', 'refused too_many_runs']);
    });

    it('by a limit that refuses by now, before a run is made, and nothing of it is used', async () => {
      alerts.app.user('limiter', { capabilities: ['edit_usage_limits'] });
      const limit = { name: 'few', window: 'day', requests: 1 };
      expect((await alerts.app.call('limiter', 'POST', '/usage_limits', limit)).status).to.equal(200);
      alerts.turns.push('fine');
      const { json } = await alerts.alert(rowsOf(1));
      expect((await alerts.work(json.run_id)).state).to.equal('succeeded');
      const reply = await alerts.alert(rowsOf(3, 1), perRow());
      expect(outcomesOf(reply)).to.deep.equal(Array(3).fill('refused limit_exceeded'));
      expect(reply.json.alert.outcomes[0]).to.not.have.property('should_retry');
      expect(alerts.reported()).to.have.length(1);
      expect(alerts.reported()[0]).to.include({ reason: 'limit_exceeded', count: 3 });
      expect(alerts.runs()).to.have.length(1);
      expect(await alerts.outcomes(rowsOf(1))).to.deep.equal(['claimed']);
    });
  });

  it('are none where an alias spreads over models of which one has no limit', async () => {
    const { app } = alerts;
    await configure(app, 'free', 'm2');
    const targetOf = (connection_name: string, model: string) => ({ service: 'General_Chat', connection_name, model });
    const [targets, acl] = [
      [targetOf('up', 'm1'), targetOf('free', 'm2')],
      { sharing: 'app', perms: { read: ['*'], write: ['*'] } },
    ];
    const alias = { name: 'both', strategy: 'spread', targets, acl };
    const saved = await app.call('llm', 'POST', '/model_aliases', alias);
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'few', window: 'day', requests: 1, applies_to: { models: ['up/m1'] } };
    expect((await app.call('limiter', 'POST', '/usage_limits', limit)).json.status).to.equal('success');
    const { json } = await alerts.alert(rowsOf(1), { params: { agent: '', model: 'up/m1' } });
    await alerts.work(json.run_id);
    const more = (model: string, sid: string) => ({ params: { agent: '', model }, sid });
    expect(await alerts.outcomes(rowsOf(1), more('up/m1', 's2'))).to.deep.equal(['refused limit_exceeded']);
    expect(await alerts.outcomes(rowsOf(1), more('both', 's3'))).to.deep.equal(['started']);
  });

  describe('are sent again', () => {
    it('after the store has failed, and have no event where the caller does so', async () => {
      const faults = () => new FaultPlan(3, 'refused');
      const reply = await alerts.alert(rowsOf(1), { will_retry: true }, faults());
      const [outcome] = reply.json.alert?.outcomes ?? [];
      expect(outcome, JSON.stringify(reply.json)).to.include({ error_code: 'store_unavailable', should_retry: true });
      expect(alerts.reported()).to.deep.equal([]);
      await alerts.alert(rowsOf(1, 1), {}, faults());
      expect(reasons()).to.deep.equal(['store_unavailable']);
      expect(await alerts.outcomes(rowsOf(1))).to.deep.equal(['started']);
    });
  });

  describe('leave a line of the log', () => {
    const lines = () => alerts.app.site.log.events('warn').filter((event) => event === 'alert_not_started');

    it('where no index takes events', async () => {
      alerts.app.settings.stanzas = { gateway: { usage_index: '' } };
      await alerts.outcomes(rowsOf(2), perRow({ max_runs: '1' }));
      expect([alerts.reported(), lines().length]).to.deep.equal([[], 1]);
      expect(alerts.app.site.log.text()).to.contain('"reason":"max_runs"');
    });

    it('where the index refuses them', async () => {
      alerts.app.eventFailure = new Error('no');
      await alerts.outcomes(rowsOf(2), perRow({ max_runs: '1' }));
      expect(lines()).to.have.length(1);
    });
  });
});
