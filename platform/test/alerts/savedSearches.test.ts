import { expect } from 'chai';
import { Alerting } from '../support/alerting.ts';
import { messagesOf } from '../support/searchJobs.ts';

const OWN = '/servicesNS/ann/acting/saved/searches';
const OF_APP = '/servicesNS/nobody/acting/saved/searches';
const SEARCH = '| makeresults';

describe('embedded platform: saved searches', () => {
  const alerting = new Alerting();
  const { get, post, remove } = alerting;
  const entry = async (path: string, user?: string) => (await get(path, user)).json.entry?.[0];
  const names = async (path: string, user?: string): Promise<string[]> =>
    (await get(path, user)).json.entry.map(({ name }: { name: string }) => name);

  it('are private to the user who makes them', async () => {
    const made = await post(OWN, { name: 'mine', search: SEARCH });
    expect(made.status, made.text).to.equal(201);
    expect(made.json.entry[0].acl).to.include({ owner: 'ann', app: 'acting', sharing: 'user', removable: true });
    expect(made.json.entry[0].author).to.equal('ann');
    expect(made.json.entry[0].id).to.match(/\/servicesNS\/ann\/acting\/saved\/searches\/mine$/);
    expect((await get(`${OWN}/mine`)).status).to.equal(200);
    expect(await names('/servicesNS/-/-/saved/searches?search=mine')).to.deep.equal(['mine']);
    expect(await names('/servicesNS/-/-/saved/searches?search=mine', 'admin')).to.deep.equal(['mine']);
    expect(await names('/servicesNS/-/-/saved/searches?search=mine', 'bob')).to.deep.equal([]);
    expect((await get('/servicesNS/bob/acting/saved/searches/mine', 'bob')).status).to.equal(404);
    expect((await get(`${OWN}/mine`, 'bob')).status).to.equal(404);
    expect((await post(OWN, { name: 'hers', search: SEARCH }, 'bob')).status).to.equal(403);
  });

  it("have splunkd's defaults, and the endpoint's names of settings", async () => {
    await post(OWN, { name: 'usual', search: 'index=main' });
    const { content } = await entry(`${OWN}/usual`);
    expect(content).to.deep.include({
      actions: '',
      'alert.digest_mode': true,
      'alert.expires': '24h',
      'alert.severity': 3,
      'alert.suppress': false,
      'alert.suppress.period': '',
      alert_comparator: '',
      alert_condition: '',
      alert_threshold: '',
      alert_type: 'always',
      cron_schedule: '',
      disabled: false,
      'dispatch.earliest_time': '',
      'dispatch.ttl': '2p',
      'dispatch.max_count': 500_000,
      is_scheduled: false,
      next_scheduled_time: '',
      qualifiedSearch: 'search index=main',
      search: 'index=main',
    });
    expect(content).to.not.have.any.keys('counttype', 'relation', 'quantity', 'enableSched');
  });

  it('take the names of settings from the file and from the endpoint', async () => {
    const fields = { counttype: 'number of events', relation: 'greater than', quantity: '3', enableSched: '1' };
    const more = {
      search: SEARCH,
      cron_schedule: '*/5 * * * *',
      actions: 'note, other',
      'action.note.param.agent': 'x',
    };
    const first = await post(OWN, { name: 'named', ...fields, ...more });
    expect(first.status, first.text).to.equal(201);
    const { content } = await entry(`${OWN}/named`);
    expect(content).to.include({
      alert_type: 'number of events',
      alert_comparator: 'greater than',
      is_scheduled: true,
    });
    expect(content).to.include({ alert_threshold: '3', 'action.note': true, 'action.note.param.agent': 'x' });
    expect(content.actions.split(',').sort()).to.deep.equal(['note', 'other']);
    expect(content.next_scheduled_time).to.match(/^\d{4}-\d\d-\d\d \d\d:\d[05]:00 UTC$/);
    const changed = await post(`${OWN}/named`, { actions: 'other', alert_threshold: '4', is_scheduled: '0' });
    expect(changed.status, changed.text).to.equal(200);
    const after = (await entry(`${OWN}/named`)).content;
    expect(after).to.include({ actions: 'other', 'action.note': false, alert_threshold: '4', is_scheduled: false });
    expect(after['action.note.param.agent']).to.equal('x');
  });

  it('can be sent back as they were read', async () => {
    await post(OWN, { name: 'again', search: SEARCH, actions: 'note' });
    const { content } = await entry(`${OWN}/again`);
    const form = Object.entries(content).flatMap(([key, value]): [string, string][] =>
      key.startsWith('eai:') || value === null ? [] : [[key, String(value)]],
    );
    const reply = await post(`${OWN}/again`, Object.fromEntries(form));
    expect(reply.status, reply.text).to.equal(200);
    expect((await entry(`${OWN}/again`)).content).to.deep.equal(content);
  });

  const REFUSALS: [Record<string, string>, string][] = [
    [{}, 'The following required arguments are missing: search.'],
    [{ search: SEARCH, colour: 'red' }, 'Argument "colour" is not supported by this handler.'],
    [{ search: SEARCH, is_scheduled: '1' }, "In handler 'savedsearch': No cron schedule specified."],
    [{ search: SEARCH, cron_schedule: '61 * * * *' }, `In handler 'savedsearch': Invalid cron_schedule="61 * * * *".`],
    [{ search: SEARCH, is_scheduled: 'maybe' }, `In handler 'savedsearch': Invalid is_scheduled="maybe".`],
    [{ search: SEARCH, alert_type: 'often' }, `In handler 'savedsearch': Invalid alert_type="often".`],
    [
      { search: SEARCH, counttype: 'number of events', relation: 'about', quantity: '1' },
      `In handler 'savedsearch': Invalid alert_comparator="about".`,
    ],
    [
      { search: SEARCH, counttype: 'number of events', relation: 'equal to', quantity: 'x' },
      `In handler 'savedsearch': Invalid alert_threshold="x".`,
    ],
    [{ search: SEARCH, alert_type: 'custom' }, "In handler 'savedsearch': Missing required argument: alert_condition."],
    [
      { search: SEARCH, alert_condition: 'search "a' },
      "In handler 'savedsearch': Cannot parse alert condition. Error in 'SearchParser': Unbalanced quotes.",
    ],
    [
      { search: SEARCH, 'alert.suppress': '1' },
      "In handler 'savedsearch': Missing required argument: alert.suppress.period.",
    ],
    [
      { search: SEARCH, 'alert.suppress': '1', 'alert.suppress.period': 'soon' },
      `In handler 'savedsearch': Invalid alert.suppress.period="soon".`,
    ],
    [
      { search: SEARCH, 'alert.suppress': '1', 'alert.suppress.period': '1h', 'alert.digest_mode': '0' },
      "In handler 'savedsearch': Missing required argument: alert.suppress.fields.",
    ],
    [
      { search: SEARCH, 'dispatch.earliest_time': 'rt-5m' },
      "In handler 'savedsearch': Real time searches cannot be executed by the scheduler",
    ],
    [
      { search: SEARCH, 'dispatch.earliest_time': 'x' },
      "In handler 'savedsearch': Cannot parse time argument 'dispatch.earliest_time': 'x'.",
    ],
    [
      { search: SEARCH, 'dispatch.earliest_time': '-1h', 'dispatch.latest_time': '-2h' },
      "In handler 'savedsearch': Latest time must be after earliest time.",
    ],
    [{ search: SEARCH, 'dispatch.max_count': 'all' }, `In handler 'savedsearch': Invalid dispatch.max_count="all".`],
    [{ search: SEARCH, 'dispatch.ttl': '2x' }, `In handler 'savedsearch': Invalid dispatch.ttl="2x".`],
    [{ search: SEARCH, 'alert.severity': '7' }, `In handler 'savedsearch': Invalid alert.severity="7".`],
  ];
  for (const [form, text] of REFUSALS) {
    it(`refuse ${JSON.stringify(form)}`, async () => {
      const reply = await post(OWN, { name: 'refused', ...form });
      expect([reply.status, messagesOf(reply)]).to.deep.equal([400, `ERROR ${text}`]);
      expect((await get(`${OWN}/refused`)).status).to.equal(404);
    });
  }

  it('have names of their own in one place', async () => {
    await post(OWN, { name: 'twice', search: SEARCH });
    const reply = await post(OWN, { name: 'twice', search: SEARCH });
    const text = "Unable to create saved search with name 'twice'. A saved search with that name already exists.";
    expect([reply.status, messagesOf(reply)]).to.deep.equal([409, `ERROR In handler 'savedsearch': ${text}`]);
    expect(
      (await post('/servicesNS/pat/acting/saved/searches', { name: 'twice', search: SEARCH }, 'pat')).status,
    ).to.equal(201);
    expect(await names('/servicesNS/-/-/saved/searches?search=name%3Dtwice', 'admin')).to.have.length(2);
  });

  it('are scheduled by whom may', async () => {
    const path = '/servicesNS/bob/acting/saved/searches';
    const plain = await post(path, { name: 'plain', search: SEARCH }, 'bob');
    expect(plain.status, plain.text).to.equal(201);
    const reply = await post(`${path}/plain`, { is_scheduled: '1', cron_schedule: '* * * * *' }, 'bob');
    expect(reply.status).to.equal(403);
    expect(messagesOf(reply)).to.contain('requires capability: schedule_search');
    expect((await entry(`${path}/plain`, 'bob')).content.is_scheduled).to.equal(false);
  });

  it('are switched off and on', async () => {
    await post(OWN, { name: 'switched', search: SEARCH });
    expect((await post(`${OWN}/switched/disable`, {})).json.entry[0].content.disabled).to.equal(true);
    expect((await post(`${OWN}/switched/enable`, {})).json.entry[0].content.disabled).to.equal(false);
  });

  it('are shared with an app and made private again', async () => {
    await post(OWN, { name: 'shared', search: SEARCH });
    const acl = { sharing: 'app', owner: 'ann', 'perms.read': '*', 'perms.write': 'power' };
    expect((await get('/servicesNS/bob/acting/saved/searches/shared', 'bob')).status).to.equal(404);
    const reply = await post(`${OWN}/shared/acl`, acl);
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json.entry[0].acl).to.deep.include({ sharing: 'app', owner: 'ann' });
    expect((await entry('/servicesNS/bob/acting/saved/searches/shared', 'bob')).acl).to.include({
      owner: 'ann',
      can_write: false,
    });
    expect((await post('/servicesNS/bob/acting/saved/searches/shared', { search: 'x' }, 'bob')).status).to.equal(403);
    expect((await post(`${OF_APP}/shared/acl`, { ...acl, owner: 'nobody' }, 'pat')).status).to.equal(403);
    expect((await post(`${OF_APP}/shared/acl`, { ...acl, owner: 'admin' }, 'pat')).status).to.equal(403);
    for (const sharing of ['app', 'user'])
      expect((await post(`${OF_APP}/shared/acl`, { sharing, owner: '../x' }, 'admin')).status).to.equal(400);
    const back = await post(`${OF_APP}/shared/acl`, { sharing: 'user', owner: 'ann' });
    expect(back.status, back.text).to.equal(200);
    expect((await entry(`${OWN}/shared`)).acl).to.include({ sharing: 'user', owner: 'ann' });
    expect((await get(`${OF_APP}/shared`, 'admin')).status).to.equal(404);
  });

  it('of an app belong to nobody, and forget their owner when they go', async () => {
    expect((await post(OF_APP, { name: 'ours', search: SEARCH }, 'bob')).status).to.equal(403);
    const made = await post(OF_APP, { name: 'ours', search: SEARCH });
    expect(made.json.entry[0].acl).to.include({ owner: 'nobody', sharing: 'app' });
    await post(`${OF_APP}/ours/acl`, { sharing: 'app', owner: 'ann' });
    expect((await entry(`${OF_APP}/ours`)).acl.owner).to.equal('ann');
    expect((await remove(`${OF_APP}/ours`)).status).to.equal(200);
    await post(OF_APP, { name: 'ours', search: SEARCH }, 'pat');
    expect((await entry(`${OF_APP}/ours`)).acl.owner).to.equal('nobody');
  });

  it('are removed', async () => {
    await post(OWN, { name: 'gone', search: SEARCH });
    expect((await remove(`${OWN}/gone`, 'bob')).status).to.equal(404);
    const reply = await remove(`${OWN}/gone`);
    expect(reply.status).to.equal(200);
    expect(await names(`${OWN}?count=0`)).to.not.include('gone');
    expect((await remove(`${OWN}/gone`)).status).to.equal(404);
  });

  it('survive a restart', async () => {
    await post(OWN, { name: 'kept', search: SEARCH, actions: 'note' });
    await alerting.stop();
    await alerting.start();
    expect((await entry(`${OWN}/kept`)).content.actions).to.equal('note');
  });
});
