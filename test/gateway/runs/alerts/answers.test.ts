import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { answerPlace } from '../../../../src/gateway/runs/alerts/answer.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { type AlertRow, type AlertsApp, alertsApp } from './alertsApp.ts';

describe('answers of runs that alerts started', () => {
  let alerts: AlertsApp;
  beforeEach(async () => {
    alerts = await alertsApp();
  });

  async function begin(row: AlertRow = { user: 'bob' }, params: object = {}): Promise<string> {
    const { json } = await alerts.alert([row], { params: { index: 'summary', ...params } });
    expect(json.alert.outcomes[0].outcome, JSON.stringify(json)).to.equal('started');
    return json.run_id;
  }
  const resultOf = async (id: string) => (await alerts.read(id)).result;

  it('are not refused for a setting that is older than the one that allows their index', async () => {
    const settings = { recent: async () => ({}), read: async () => ({ agents: { result_indexes: 'answers' } }) };
    const place = (index: string) => answerPlace(settings, { index, sourcetype: 's' });
    expect(await place('answers')).to.deep.equal({ index: 'answers', sourcetype: 's', written: false });
    expect(await place('other')).to.have.property('error_code', 'index_not_allowed');
  });

  it('go to the index once, with what they belong to', async () => {
    const id = await begin();
    expect(await resultOf(id)).to.deep.equal({ index: 'summary', sourcetype: 'ml_extension:answer', written: false });
    alerts.turns.push('it was bob');
    expect((await alerts.work(id)).result).to.include({ written: true });
    for (const read of [1, 2]) expect((await resultOf(id)).written, `read ${read}`).to.equal(true);
    const [sent, ...more] = alerts.answers();
    expect(more).to.deep.equal([]);
    expect(sent?.index).to.equal('summary');
    const { ended_at } = await alerts.read(id);
    expect(sent?.event).to.deep.equal({
      ...{ time: ended_at, run_id: id, agent: 'triage', state: 'succeeded', output: 'it was bob' },
      evidence: { checked: 1, backed: 1, derived: 0, unverified: 0 },
      source: { kind: 'alert', search_name: 'Failed logins', sid: 'scheduler_1', app: 'search' },
      ...{ orig_action_name: 'ml_agent', orig_sid: 'scheduler_1', orig_rid: '0' },
    });
    expect((await alerts.call('GET', '')).json.result[0].result).to.include({ written: true });
  });

  it('have the sourcetype of the alert, and the ids that an earlier action noted', async () => {
    const row = { user: 'bob', orig_sid: 'earlier', orig_rid: '9', orig_action_name: 'notable' };
    const id = await begin(row, { sourcetype: 'my:answer' });
    await alerts.work(id);
    const [sent] = alerts.app.events.filter(({ sourcetype }) => sourcetype === 'my:answer');
    expect(sent?.event).to.include({ orig_sid: 'earlier', orig_rid: '9', orig_action_name: 'notable' });
  });

  it('are objects where the agent has a schema', async () => {
    const schema = { type: 'object', properties: { verdict: { type: 'string' } }, required: ['verdict'] };
    alerts = await alertsApp({ output_schema: schema });
    const id = await begin();
    alerts.turns.push('{"verdict": "benign"}');
    await alerts.work(id);
    expect(alerts.answers()[0]?.event.output).to.deep.equal({ verdict: 'benign' });
  });

  it('tell of failures and cancellations', async () => {
    const id = await begin();
    await alerts.call('POST', `/${id}/cancel`);
    expect(alerts.answers()[0]?.event).to.include({ state: 'cancelled' }).and.to.not.have.property('output');
    alerts.app.llm.answer = () => ({ status: 401, json: {} });
    const { json } = await alerts.alert([{ user: 'x' }], { sid: 's2', params: { index: 'summary' } });
    await alerts.work(json.run_id);
    expect(alerts.answers()[1]?.event).to.include({ state: 'failed', error_code: 'auth_failed' });
  });

  it('go nowhere without an index', async () => {
    const { json } = await alerts.alert([{ user: 'bob' }]);
    expect(await alerts.work(json.run_id))
      .to.include({ state: 'succeeded' })
      .and.to.not.have.property('result');
    expect(alerts.answers()).to.deep.equal([]);
  });

  it('go to no index that is not allowed, and the run starts all the same', async () => {
    const id = await begin({ user: 'bob' }, { index: '_audit' });
    expect(await resultOf(id)).to.include({ written: false, error_code: 'index_not_allowed' });
    expect((await alerts.work(id)).state).to.equal('succeeded');
    expect(alerts.answers()).to.deep.equal([]);
    alerts.app.settings.stanzas = { agents: { result_indexes: 'main, answers' } };
    const { json } = await alerts.alert([{ user: 'eve' }], { sid: 's2', params: { index: 'answers' } });
    await alerts.work(json.run_id);
    expect(alerts.answers().map(({ index }) => index)).to.deep.equal(['answers']);
  });

  it('go to no index that was allowed at the start alone', async () => {
    const id = await begin();
    alerts.app.settings.stanzas = { agents: { result_indexes: 'main' } };
    expect((await alerts.work(id)).result).to.include({ written: false, error_code: 'index_not_allowed' });
    expect(alerts.answers()).to.deep.equal([]);
  });

  it('are tried again with the next read where the platform does not take them', async () => {
    const id = await begin();
    alerts.app.eventFailure = new Fault('store_unavailable', 'no');
    const run = await alerts.work(id);
    expect(run).to.include({ state: 'succeeded' });
    expect(run.result).to.include({ written: false, error_code: 'store_unavailable' });
    expect(alerts.app.site.log.events('warn')).to.include('run_answer_not_written');
    alerts.app.eventFailure = undefined;
    expect(await resultOf(id)).to.deep.equal({ index: 'summary', sourcetype: 'ml_extension:answer', written: true });
    await alerts.read(id);
    expect(alerts.answers()).to.have.length(1);
  });

  it('are sent once though many read the run at once', async () => {
    const id = await begin();
    await Promise.all([alerts.step(id), alerts.step(id), alerts.read(id), alerts.read(id)]);
    await alerts.work(id);
    await Promise.all([alerts.read(id), alerts.read(id), alerts.step(id)]);
    expect(alerts.answers()).to.have.length(1);
  });

  for (const mode of ['crash', 'refused'] as const) {
    it(`are sent at least once, and twice only after a failure in between (${mode})`, async function () {
      this.timeout(60_000);
      for (let at = 1; ; at += 1) {
        alerts = await alertsApp();
        const id = await begin();
        const faults = new FaultPlan(at, mode);
        await alerts.step(id, faults).catch(() => undefined);
        if (faults.calls < at) break;
        // Longer than a lease.
        alerts.app.site.clock.advance(11_000);
        await alerts.work(id);
        const where = faults.trace.slice(0, at).join(', ');
        expect((await resultOf(id)).written, where).to.equal(true);
        expect(alerts.answers().length, where).to.be.within(1, 2);
      }
    });
  }
});
