import { expect } from 'chai';
import { type AlertsApp, alertsApp, rowsOf } from './alertsApp.ts';

describe('runs of alerts whose worker the platform refused', () => {
  let alerts: AlertsApp;
  let runId: string;
  const keyed = { params: { per: 'row', key: '{user}' } };
  const dispatched = () => alerts.app.searches.dispatched.map(({ user, search }) => [user, search.includes(runId)]);
  const later = async (request: () => Promise<unknown>) => {
    alerts.app.site.clock.advance(61_000);
    await request();
    await alerts.app.site.afterReplies();
  };

  beforeEach(async () => {
    alerts = await alertsApp();
    alerts.app.searches.failure = 'too many searches';
    const { json } = await alerts.alert(rowsOf(1), keyed);
    expect(json.alert.outcomes[0].outcome).to.equal('started');
    runId = json.alert.outcomes[0].run_id;
    alerts.app.searches.failure = undefined;
  });

  it('get one with the next alert of their user, though all its rows are suppressed', async () => {
    await later(async () => {
      expect(await alerts.outcomes(rowsOf(1), { ...keyed, sid: 's2' })).to.deep.equal(['suppressed']);
    });
    expect(dispatched()).to.deep.equal([['asker', true]]);
    await later(() => alerts.outcomes(rowsOf(1), { ...keyed, sid: 's3' }));
    expect(dispatched(), 'while it lives').to.have.length(1);
  });

  it('get one when their user lists runs', async () => {
    await later(() => alerts.call('GET', '?count=1'));
    expect(dispatched()).to.deep.equal([['asker', true]]);
  });

  it('get none from users who may not read them, nor while the platform refuses', async () => {
    await later(() => alerts.call('GET', '', undefined, 'other'));
    expect(dispatched()).to.deep.equal([]);
    alerts.app.searches.failure = 'too many searches';
    await later(() => alerts.call('GET', ''));
    alerts.app.searches.failure = undefined;
    await later(() => alerts.call('GET', ''));
    expect(dispatched()).to.deep.equal([['asker', true]]);
  });

  it('get another one where theirs has gone', async () => {
    await later(() => alerts.call('GET', ''));
    alerts.turns.push([{ name: 'Desk__echo', args: { text: 'x' } }], 'nothing serious');
    await alerts.step(runId);
    alerts.app.searches.active.clear();
    await later(() => alerts.call('GET', ''));
    expect(dispatched()).to.have.length(2);
    expect(await alerts.work(runId)).to.include({ state: 'succeeded' });
  });
});
