import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Alerting, recordsOf } from '../support/alerting.ts';
import { eventually } from '../support/patience.ts';
import { messagesOf } from '../support/searchJobs.ts';

const OWN = '/servicesNS/ann/acting/saved/searches';
const THREE = '| makeresults count=3 | streamstats count as n | eval user="u".n, src=split("a;b$c", ";"), none=null()';

describe('embedded platform: dispatched saved searches', () => {
  const alerting = new Alerting();
  const { get, post } = alerting;

  it('answer the sid of a job of the owner', async () => {
    await alerting.save('Failed logins', { search: THREE });
    const reply = await post(`${OWN}/Failed%20logins/dispatch`, {});
    expect(reply.status, reply.text).to.equal(201);
    expect(Object.keys(reply.json)).to.deep.equal(['sid']);
    expect(reply.json.sid).to.match(/^ann__ann__acting__RMD5[0-9a-f]{16}_at_\d+_[0-9a-f]{16}$/);
    const job = (await get(`/services/search/jobs/${reply.json.sid}`)).json.entry[0];
    expect(job.author).to.equal('ann');
    expect(job.content).to.include({ label: 'Failed logins', isSavedSearch: true });
    expect(alerting.payloads()).to.deep.equal([]);
    const xml = await alerting.platform.call('POST', `${OWN}/Failed%20logins/dispatch`, {
      form: {},
      as: 'ann:changed-it',
    });
    expect(xml.text).to.match(/<response>\s*<sid>ann__ann__acting__/);
  });

  it('give an action its payload', async () => {
    await alerting.save('Odd / näme', {
      search: `${THREE} | fields - _time`,
      actions: 'note',
      'action.note.param.text':
        '$result.user$ of $name$, $nope$$result.nope$ $result.nope{default=none}$ {user} costs $5',
      'action.note.param.more':
        '$app$ $owner$ $trigger_timeHMS$ $results.count$ $action.note.param.extra$ $description$',
      'action.note.param.extra': '$result.n$',
      description: 'says $name$',
    });
    const sid = await alerting.dispatch('Odd / näme');
    const [{ json, args } = { json: undefined, args: '' }] = await alerting.awaited(1);
    expect(args).to.equal('--execute');
    const folder = join(alerting.home, 'var/run/splunk/dispatch', sid);
    const { session_key, server_host, results_link, ...payload } = json;
    expect(session_key).to.match(/^[\w-]{20,}$/);
    expect(server_host).to.be.a('string');
    expect(results_link).to.match(new RegExp(`^http://[^/]+:\\d+/app/acting/@go\\?sid=${sid}$`));
    const { more, ...configuration } = payload.configuration;
    expect(more).to.match(/^acting ann \d\d:\d\d:\d\d 3 \$result\.n\$ says \$name\$$/);
    expect({ ...payload, configuration }).to.deep.equal({
      app: 'acting',
      owner: 'ann',
      results_file: join(folder, 'results.csv.gz'),
      search_uri: '/servicesNS/ann/acting/saved/searches/Odd+%2F+n%C3%A4me',
      server_uri: alerting.platform.url,
      sid,
      search_name: 'Odd / näme',
      configuration: {
        from_default: 'd',
        agent: 'helper',
        text: 'u1 of Odd / näme,  none {user} costs $5',
        extra: '1',
      },
      result: { n: '1', user: 'u1', src: ['a', 'b$c'], none: '' },
    });
    expect(json).to.not.have.property('result_id');
    expect(recordsOf(payload.results_file)).to.deep.equal([
      ['n', 'user', 'src', 'none', '__mv_n', '__mv_user', '__mv_src', '__mv_none'],
      ...['1', '2', '3'].map((n) => [n, `u${n}`, 'a\nb$c', '', '', '', '$a$;$b$$c$', '']),
    ]);
  });

  it('start an action for each result', async () => {
    await alerting.save('each', { search: THREE, actions: 'note', 'alert.digest_mode': '0' });
    const sid = await alerting.dispatch('each');
    const all = (await alerting.awaited(3)).map(({ json }) => json);
    const payloads = all.sort((a, b) => Number(a.result_id) - Number(b.result_id));
    expect(payloads.map(({ result_id, result }) => [result_id, result.user])).to.deep.equal([
      ['0', 'u1'],
      ['1', 'u2'],
      ['2', 'u3'],
    ]);
    expect(payloads.map(({ configuration }) => configuration.text)).to.deep.equal(
      ['u1', 'u2', 'u3'].map((user) => `${user} of each`),
    );
    expect(new Set(payloads.map(({ session_key }) => session_key)).size).to.equal(3);
    for (const { results_file, result_id, results_link, result } of payloads) {
      expect(results_file).to.match(new RegExp(`/${sid}/per_result_alert/tmp_${result_id}\\.csv\\.gz$`));
      const [header = [], row = [], ...others] = recordsOf(results_file);
      expect(others).to.deep.equal([]);
      expect(row[header.indexOf('user')]).to.equal(result.user);
      expect(row[header.indexOf('__mv_src')]).to.equal('$a$;$b$$c$');
      expect(decodeURIComponent(results_link)).to.contain(`|loadjob ${sid} | head ${Number(result_id) + 1} | tail 1`);
    }
  });

  it('trigger without any row, once, and for each result not at all', async () => {
    const search = '| makeresults | where false()';
    await alerting.save('none', { search, actions: 'note' });
    await alerting.save('none each', { search, actions: 'note', 'alert.digest_mode': '0' });
    await alerting.dispatch('none each');
    await alerting.logged('savedsearch_name="none each"', 'result_count=0');
    await alerting.dispatch('none');
    const [first, ...others] = await alerting.awaited(1);
    expect(others).to.deep.equal([]);
    expect(first?.json.result).to.deep.equal({});
    expect(existsSync(first?.json.results_file)).to.equal(false);
    expect(first?.json.search_name).to.equal('none');
  });

  it('cut the rows of the file to maxresults', async () => {
    await alerting.save('few', { search: THREE, actions: 'few' });
    await alerting.dispatch('few');
    const [first] = await alerting.awaited(1);
    expect(recordsOf(first?.json.results_file)).to.have.length(3);
  });

  const CONDITIONS: [string, Record<string, string>, boolean][] = [
    ['more than two', { alert_type: 'number of events', alert_comparator: 'greater than', alert_threshold: '2' }, true],
    [
      'more than three',
      { alert_type: 'number of events', alert_comparator: 'greater than', alert_threshold: '3' },
      false,
    ],
    ['less', { alert_type: 'number of events', alert_comparator: 'less than', alert_threshold: '3' }, false],
    ['equal', { counttype: 'number of events', relation: 'equal to', quantity: '3' }, true],
    ['unequal', { counttype: 'number of events', relation: 'not equal to', quantity: '3' }, false],
    ['hosts', { counttype: 'number of hosts', relation: 'equal to', quantity: '1' }, true],
    ['a search that finds', { alert_type: 'custom', alert_condition: 'search n=2' }, true],
    ['a search that finds nothing', { alert_type: 'custom', alert_condition: 'where n > 3' }, false],
  ];
  for (const [name, form, isMet] of CONDITIONS) {
    it(`heed the condition: ${name}`, async () => {
      await alerting.save(name, { search: THREE, actions: 'note', ...form });
      await alerting.dispatch(name);
      const [line] = await alerting.logged(`savedsearch_name="${name}"`, 'status=success');
      expect(line).to.contain(isMet ? 'alert_actions="note"' : 'alert_actions=""');
      if (isMet) await alerting.awaited(1);
      expect(alerting.payloads()).to.have.length(isMet ? 1 : 0);
    });
  }

  it('take other settings and arguments for one run', async () => {
    await alerting.save('with args', { search: '| makeresults | eval user="$args.who$", other="$args.other$"' });
    const reply = await post(`${OWN}/with%20args/dispatch`, {
      'args.who': 'zoe',
      'dispatch.max_count': '5',
      'dispatch.ttl': '77',
    });
    expect(reply.status, reply.text).to.equal(201);
    const path = `/services/search/v2/jobs/${reply.json.sid}`;
    await eventually(async () => (await get(path)).json.entry[0].content.isDone);
    expect((await get(`${path}/results`)).json.results[0]).to.include({ user: 'zoe', other: '$args.other$' });
    expect((await get(path)).json.entry[0].content.ttl).to.equal(77);
  });

  it('have a history of jobs', async () => {
    await alerting.save('past', { search: '| makeresults' });
    const sids = [await alerting.dispatch('past'), await alerting.dispatch('past')];
    const history = await get(`${OWN}/past/history`);
    expect(history.json.entry.map(({ name }: { name: string }) => name).sort()).to.deep.equal([...sids].sort());
    expect(history.json.entry[0].content).to.include({ isScheduled: false, isFailed: false });
    expect((await get(`${OWN}/nowhere/history`)).status).to.equal(404);
  });

  it('take another time for now', async () => {
    await alerting.save('then', { search: '| makeresults', 'dispatch.earliest_time': '-1h' });
    const reply = await post(`${OWN}/then/dispatch`, { now: '1700000000' });
    const path = `/services/search/v2/jobs/${reply.json.sid}`;
    await eventually(async () => (await get(path)).json.entry[0].content.isDone);
    const [{ _time }] = (await get(`${path}/results`)).json.results;
    expect(Date.parse(_time)).to.equal(1_700_000_000_000);
  });

  it('are refused where they are off, unknown, or have wrong arguments', async () => {
    await alerting.save('off', { search: THREE, disabled: '1' });
    const off = await post(`${OWN}/off/dispatch`, {});
    const text = `In handler 'savedsearch': Saved search "off" cannot be executed because it is disabled.`;
    expect([off.status, messagesOf(off)]).to.deep.equal([400, `ERROR ${text}`]);
    expect((await post(`${OWN}/nowhere/dispatch`, {})).status).to.equal(404);
    await alerting.save('on', { search: THREE });
    expect((await post(`${OWN}/on/dispatch`, { trigger_actions: 'maybe' })).status).to.equal(400);
    expect((await post(`${OWN}/on/dispatch`, { colour: 'x' })).status).to.equal(400);
    expect((await post(`${OWN}/on/dispatch`, { dispatchAs: 'admin' })).status).to.equal(400);
    expect((await post(`${OWN}/on/dispatch`, { 'dispatch.earliest_time': 'x' })).status).to.equal(400);
    expect((await get(`${OWN}/on/dispatch`)).status).to.equal(405);
    expect((await post(`${OWN}/on/dispatch`, {}, 'bob')).status).to.equal(404);
  });

  describe('of others', () => {
    const SHARED = '/servicesNS/bob/acting/saved/searches/whose';
    const whose = async (form: Record<string, string> = {}) => {
      rmSync(join(alerting.home, 'who.json'), { force: true });
      const reply = await post(`${SHARED}/dispatch`, { trigger_actions: '1', ...form }, 'bob');
      expect(reply.status, reply.text).to.equal(201);
      await eventually(() => existsSync(join(alerting.home, 'who.json')));
      const { user, key } = JSON.parse(readFileSync(join(alerting.home, 'who.json'), 'utf8'));
      return { user, key, sid: reply.json.sid };
    };
    before(async () => {
      await alerting.save('whose', { search: '| makeresults', actions: 'who' });
      await post(`${OWN}/whose/acl`, { sharing: 'app', owner: 'ann' });
    });

    it('run as their owner, for a user who may look at the job', async () => {
      const { user, sid } = await whose();
      expect(user).to.equal('ann');
      expect(sid).to.match(/^bob__ann__acting__/);
      const job = await get(`/services/search/jobs/${sid}`, 'bob');
      expect(job.status).to.equal(200);
      expect(job.json.entry[0].author).to.equal('ann');
    });

    it('run as the user who asks with dispatchAs=user', async () => {
      const { user, sid } = await whose({ dispatchAs: 'user' });
      expect(user).to.equal('bob');
      expect(sid).to.match(/^bob__bob__acting__/);
    });

    it('run as the system user where they belong to nobody', async () => {
      await post('/servicesNS/nobody/acting/saved/searches/whose/acl', { sharing: 'app', owner: 'nobody' }, 'admin');
      const { user } = await whose();
      expect(user).to.equal('splunk-system-user');
    });

    it('leave no session behind', async () => {
      await post('/servicesNS/nobody/acting/saved/searches/whose/acl', { sharing: 'app', owner: 'ann' }, 'admin');
      const { key } = await whose();
      const ask = () =>
        alerting.platform.call('GET', '/services/authentication/current-context', {
          as: null,
          headers: { Authorization: `Splunk ${key}` },
        });
      await eventually(async () => (await ask()).status === 401);
    });
  });
});
