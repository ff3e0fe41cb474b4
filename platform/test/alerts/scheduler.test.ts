import { expect } from 'chai';
import { Alerting } from '../support/alerting.ts';

const OWN = '/servicesNS/ann/acting/saved/searches';

describe('embedded platform: scheduled searches', () => {
  const alerting = new Alerting();
  const { post, remove } = alerting;
  /** The values of a field in the payloads, in order. */
  const recorded = (field: string) =>
    alerting
      .payloads()
      .flatMap(({ json }) => (json.result[field] === undefined ? [] : [json.result[field]]))
      .sort();
  const names = () =>
    alerting
      .payloads()
      .map(({ json }) => json.search_name)
      .sort();
  const saved: string[] = [];
  const schedule = async (name: string, form: Record<string, string>, user?: string) => {
    saved.push(name);
    await alerting.schedule(name, form, user);
  };
  afterEach(async () => {
    for (const name of saved.splice(0)) await remove(`${OWN}/${encodeURIComponent(name)}`);
  });

  it('run at their minutes, with actions', async () => {
    await schedule('each five', { search: '| makeresults', cron_schedule: '*/5 * * * *' });
    expect(await alerting.pass(4)).to.deep.equal([]);
    const [run, ...others] = await alerting.pass(1);
    expect(others).to.deep.equal([]);
    const time = alerting.clock / 1000;
    expect(run).to.include({ search: 'each five', owner: 'ann', app: 'acting', time });
    expect(run?.sid).to.match(new RegExp(`^scheduler__ann__acting__RMD5[0-9a-f]{16}_at_${time}_\\d+$`));
    const [{ json } = { json: undefined }] = alerting.payloads();
    expect(json).to.include({ sid: run?.sid, search_name: 'each five', owner: 'ann' });
    expect(json.result._time).to.equal(String(time));
    expect(await alerting.pass(0)).to.deep.equal([]);
    expect((await alerting.pass(15)).map((each) => each.time - time)).to.deep.equal([300, 600, 900]);
  });

  it('do not run where they are off, not scheduled, or gone', async () => {
    await schedule('disabled', { search: '| makeresults', disabled: '1' });
    await schedule('unscheduled', { search: '| makeresults', is_scheduled: '0' });
    await schedule('removed', { search: '| makeresults' });
    await schedule('live', { search: '| makeresults' });
    await remove(`${OWN}/removed`);
    await alerting.pass(1);
    expect(names()).to.deep.equal(['live']);
    await remove(`${OWN}/live`);
    await alerting.pass(1);
    expect(names()).to.deep.equal(['live']);
  });

  it('do not run for an owner without the capability, or without an account', async () => {
    await schedule('demoted', { search: '| makeresults' }, 'pat');
    await alerting.pass(1);
    expect(names()).to.deep.equal(['demoted']);
    await post('/services/authentication/users/pat', { roles: 'user' }, 'admin');
    await alerting.pass(1);
    expect(names()).to.deep.equal(['demoted']);
    await alerting.logged(
      'WARN  SavedSplunker',
      'user=pat is not allowed to run historical scheduled search, skipping savedsearch_id="pat;acting;demoted"',
    );
    await alerting.remove('/services/authentication/users/pat', 'admin');
    await alerting.pass(1);
    expect(names()).to.deep.equal(['demoted']);
    await alerting.logged(`Failed to set user context for saved search with id 'pat;acting;demoted'`);
  });

  it('of a role without sendalert run their actions', async () => {
    const form = { name: 'scheduling', capabilities: ['search', 'schedule_search'] } as unknown as Record<
      string,
      string
    >;
    await post('/services/authorization/roles', form, 'admin');
    await post('/services/authentication/users', { name: 'sam', password: 'changed-it', roles: 'scheduling' }, 'admin');
    await alerting.schedule('of sam', { search: '| makeresults' }, 'sam');
    await alerting.pass(1);
    await remove('/servicesNS/sam/acting/saved/searches/of%20sam', 'sam');
    expect(names()).to.deep.equal(['of sam']);
  });

  it('heed their condition', async () => {
    const rule = { alert_type: 'number of events', alert_comparator: 'greater than' };
    await schedule('never', { search: '| makeresults', ...rule, alert_threshold: '1' });
    await schedule('always', { search: '| makeresults count=2', ...rule, alert_threshold: '1' });
    await alerting.pass(1);
    expect(names()).to.deep.equal(['always']);
  });

  it('compare with the run before', async () => {
    const rule = { alert_type: 'number of events', alert_comparator: 'rises by', alert_threshold: '50%' };
    await schedule('rising', { search: '| makeresults count=2', ...rule });
    await alerting.pass(1);
    for (const count of [2, 3, 4]) {
      await post(`${OWN}/rising`, { search: `| makeresults count=${count} | eval c=${count}` });
      await alerting.pass(1);
    }
    expect(recorded('c')).to.deep.equal(['3']);
  });

  it('are suppressed for a period', async () => {
    const quiet = { 'alert.suppress': '1', 'alert.suppress.period': '3m' };
    await schedule('quiet', { search: '| makeresults', ...quiet });
    const times = [];
    for (let minute = 0; minute < 7; minute += 1) {
      await alerting.pass(1);
      times.push(alerting.payloads().length);
    }
    expect(times).to.deep.equal([1, 1, 1, 2, 2, 2, 3]);
    const [state] = (await alerting.get(`${OWN}/quiet/suppress`)).json.entry;
    expect(state.content).to.include({ suppressed: true, expiration: 180 });
    expect(alerting.lines('savedsearch_name="quiet"', 'suppressed=1')).to.have.length(4);
  });

  it('suppress nothing by a run that did not trigger', async () => {
    const rule = { alert_type: 'number of events', alert_comparator: 'greater than', alert_threshold: '1' };
    await schedule('rare', { search: '| makeresults', ...rule, 'alert.suppress': '1', 'alert.suppress.period': '1h' });
    await alerting.pass(1);
    await post(`${OWN}/rare`, { search: '| makeresults count=2' });
    await alerting.pass(1);
    expect(names()).to.deep.equal(['rare']);
  });

  it('are suppressed by the values of fields, for each result', async () => {
    const search = (users: string) => `| makeresults | eval user=split("${users}", ","), level="1" | mvexpand user`;
    const quiet = { 'alert.suppress': '1', 'alert.suppress.period': '1h', 'alert.suppress.fields': 'user, level' };
    await schedule('by field', { search: search('a,b,a'), 'alert.digest_mode': '0', ...quiet });
    await alerting.pass(1);
    expect(recorded('user')).to.deep.equal(['a', 'b']);
    await post(`${OWN}/by%20field`, { search: search('b,c') });
    await alerting.pass(1);
    expect(recorded('user')).to.deep.equal(['a', 'b', 'c']);
    const ids = alerting.payloads().map(({ json }) => [json.result.user, json.result_id]);
    expect(Object.fromEntries(ids)).to.deep.equal({ a: '0', b: '1', c: '1' });
    await alerting.pass(60);
    expect(recorded('user')).to.deep.equal(['a', 'b', 'b', 'c', 'c']);
  });

  it('suppress others of their group', async () => {
    const quiet = { 'alert.suppress': '1', 'alert.suppress.period': '1h', 'alert.suppress.group_name': 'g' };
    await schedule('one of group', { search: '| makeresults', ...quiet });
    await schedule('two of group', { search: '| makeresults', ...quiet });
    await alerting.pass(1);
    expect(alerting.payloads()).to.have.length(1);
  });

  it('are not suppressed for a search that was made anew, and are after a restart', async () => {
    const quiet = { 'alert.suppress': '1', 'alert.suppress.period': '1h' };
    await schedule('anew', { search: '| makeresults', ...quiet });
    await alerting.pass(1);
    await alerting.stop();
    await alerting.start();
    await alerting.pass(1);
    expect(names()).to.deep.equal(['anew']);
    await remove(`${OWN}/anew`);
    await schedule('anew', { search: '| makeresults', ...quiet });
    await alerting.pass(1);
    expect(names()).to.deep.equal(['anew', 'anew']);
  });

  it('start one program for each result', async () => {
    const search = '| makeresults count=150 | streamstats count as n';
    await schedule('crowd', { search, 'alert.digest_mode': '0' });
    await alerting.pass(1);
    const payloads = alerting.payloads().map(({ json }) => json);
    expect(payloads).to.have.length(150);
    expect(new Set(payloads.map(({ result }) => result.n)).size).to.equal(150);
    expect(payloads.every(({ result, result_id }) => Number(result.n) === Number(result_id) + 1)).to.equal(true);
  });

  it('start actions for 500 results at most', async () => {
    await schedule('many', { search: '| makeresults count=503', actions: 'missing', 'alert.digest_mode': '0' });
    await alerting.pass(1);
    const sid = /sid="([^"]+)"/.exec(alerting.lines('savedsearch_name="many"', 'status=success')[0] ?? '')?.[1];
    expect(sid).to.be.a('string');
    expect(alerting.lines('savedsearch_name="many"', 'Only the first 500 results trigger actions')).to.have.length(1);
    expect(alerting.lines('Error in', 'action "missing" not found.')).to.have.length(500);
  });

  it('that fail run no actions', async () => {
    await schedule('broken', { search: '| nonsense' });
    await schedule('sound', { search: '| makeresults' });
    await alerting.pass(1);
    expect(names()).to.deep.equal(['sound']);
    await alerting.logged('savedsearch_id="ann;acting;broken"', 'status=failed', 'nonsense');
  });

  it('run in the app of their user and in that of all', async () => {
    await post('/servicesNS/nobody/acting/saved/searches', {
      name: 'of the app',
      search: '| makeresults',
      actions: 'note',
      is_scheduled: '1',
      cron_schedule: '* * * * *',
    });
    const [run] = await alerting.pass(1);
    expect(run).to.include({ search: 'of the app', owner: 'nobody' });
    expect(run?.sid).to.match(/^scheduler__nobody__acting__/);
    expect(alerting.payloads().map(({ json }) => json.owner)).to.deep.equal(['nobody']);
    await remove('/servicesNS/nobody/acting/saved/searches/of%20the%20app');
  });

  it('are run by an endpoint for tests, up to a time', async () => {
    await schedule('asked', { search: '| makeresults' });
    const path = '/services/embedded/scheduler';
    expect((await post(path, {}, 'bob')).status).to.equal(403);
    expect((await post(path, { now: 'soon' }, 'admin')).status).to.equal(400);
    alerting.clock += 120_000;
    const { runs } = (await post(path, { now: String(alerting.clock / 1000) }, 'admin')).json;
    expect(runs.map(({ search }: { search: string }) => search)).to.deep.equal(['asked', 'asked']);
    expect(names()).to.deep.equal(['asked', 'asked']);
  });
});
