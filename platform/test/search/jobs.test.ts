import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, isAlive } from '../support/fakeDriver.ts';
import type { CallOptions, Reply } from '../support/platform.ts';
import { type SearchFixture, startSearching } from '../support/searchCommand.ts';

const NS = '/servicesNS/admin/searching/search/v2/jobs';

describe('embedded platform: search jobs', () => {
  let fixture: SearchFixture;

  before(async () => {
    fixture = await startSearching({ env: { ...process.env, OF_TESTS: 'inherited' } });
    for (const [name, roles] of Object.entries({ plain: 'user', other: 'user', nobodys: 'can_delete' })) {
      const form = { name, password: 'changed-it', roles };
      expect((await call('POST', '/services/authentication/users', { form })).status).to.equal(201);
    }
  });
  after(() => fixture.stop());

  const call = (method: string, path: string, options?: CallOptions) => fixture.platform.call(method, path, options);
  const post = (path: string, form: Record<string, string | string[]>, as?: string): Promise<Reply> =>
    call(
      'POST',
      `${path}${path.includes('?') ? '&' : '?'}output_mode=json`,
      as === undefined ? { form } : { form, as },
    );
  const get = (path: string, as?: string): Promise<Reply> =>
    call('GET', `${path}${path.includes('?') ? '&' : '?'}output_mode=json`, as === undefined ? {} : { as });
  const oneshot = (search: string, more: Record<string, string> = {}, base = NS) =>
    post(base, { search, exec_mode: 'oneshot', ...more });
  const dispatch = async (search: string, more: Record<string, string> = {}): Promise<string> => {
    const reply = await post(NS, { search, ...more });
    expect(reply.status, reply.text).to.equal(201);
    return reply.json.sid;
  };
  const job = (sid: string) => `${NS}/${sid}`;
  const content = async (sid: string) => (await get(job(sid))).json.entry[0].content;
  const until = async (sid: string, test: (content: Record<string, unknown>) => boolean) => {
    for (;;) {
      const found = await content(sid);
      if (test(found)) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const text = (reply: Reply) =>
    reply.json.messages.map((one: { type: string; text: string }) => `${one.type} ${one.text}`).join('\n');
  const pidOf = async (sid: string) => Number((await until(sid, ({ resultCount }) => Number(resultCount) > 0)).pid);

  describe('start of a command', () => {
    it('gives it all that getinfo has, with pieces of arguments in both forms', async () => {
      const search = '| fake do=echo name="a b | \\"c\\"" b = "two" ünï';
      const reply = await oneshot(search, { earliest_time: '-1h', latest_time: '1700000000' });
      const [row] = reply.json.results;
      const { searchinfo, ...rest } = JSON.parse(row.info);
      expect(rest).to.deep.equal({ action: 'getinfo', preview: false, streaming_command_will_restart: false });
      expect(searchinfo.args).to.deep.equal(['do=echo', 'name=a b | "c"', 'b', '=', 'two', 'ünï']);
      expect(searchinfo.raw_args).to.deep.equal(['do=echo', 'name="a b | \\"c\\""', 'b', '=', '"two"', 'ünï']);
      expect(searchinfo.dispatch_dir).to.equal(join(fixture.platform.home, 'var/run/splunk/dispatch', searchinfo.sid));
      expect(searchinfo).to.include({
        app: 'searching',
        owner: 'admin',
        username: 'admin',
        command: 'fake',
        splunkd_uri: fixture.platform.url,
        splunk_version: '10.4.2',
        search: encodeURIComponent(search),
        maxresultrows: 50000,
        latest_time: '1700000000',
      });
      expect(Number(searchinfo.earliest_time)).to.be.closeTo(Date.now() / 1000 - 3600, 60);
      expect(JSON.parse(row.execute)).to.deep.equal({ metadata: { action: 'execute', finished: true }, body: '' });
      expect(row).to.include({ argv: '[]', env: 'inherited', empty: '' });
      expect(row.cwd).to.equal(join(fixture.platform.home, 'etc/apps/searching/bin'));
    });

    it('is preceded by one that sees getinfo alone', async () => {
      const before = fixture.events().length;
      await oneshot('| fake do=rows');
      await eventually(() => fixture.events().slice(before).length === 7);
      const mine = fixture
        .events()
        .slice(before)
        .map((line) => line.split(' '));
      const of = (pid: string | undefined) => mine.filter(([one]) => one === pid).map(([, event]) => event);
      const [first, second] = [...new Set(mine.map(([pid]) => pid))];
      expect(of(first)).to.deep.equal(['start', 'getinfo', 'eof']);
      expect(of(second)).to.deep.equal(['start', 'getinfo', 'execute', 'eof']);
    });

    it('gives a session of its owner, which ends with the job', async () => {
      const [row] = (await post(NS, { search: '| fake do=call', exec_mode: 'oneshot' }, 'plain:changed-it')).json
        .results;
      expect(row.status).to.equal('200');
      expect(JSON.parse(row.text).entry[0].content.username).to.equal('plain');
      const headers = { Authorization: `Splunk ${row.key}` };
      const path = '/services/authentication/current-context';
      expect((await call('GET', path, { as: null, headers })).status).to.equal(401);
    });

    it('sends a header row of the required fields', async () => {
      const [row] = (await oneshot('| fake do=required')).json.results;
      expect(row.body).to.equal('"a","b,c","_chunked_idx","__mv_a","__mv_b,c"\n');
    });

    it('finds the program as commands.conf says', async () => {
      const argv = async (search: string) => JSON.parse((await oneshot(search)).json.results[0].argv);
      expect(await argv('| byname')).to.deep.equal(['wrapped']);
      expect(await argv('| bypath')).to.deep.equal([join(fixture.platform.home, 'x'), 'last']);
      for (const name of ['outside', 'missing']) {
        const reply = await oneshot(`| ${name}`);
        expect([reply.status, text(reply)]).to.deep.equal([
          400,
          `FATAL Error in '${name}' command: Could not locate its program in app searching.`,
        ]);
      }
      expect(text(await oneshot('| notexecutable'))).to.match(/FATAL .*Cannot start .*plain.txt: EACCES/);
      expect(text(await oneshot('| legacy'))).to.contain('chunked = true');
      expect(text(await oneshot('| nodejs'))).to.contain('release 10.2');
      expect(text(await oneshot('| badwait'))).to.contain('maxwait = soon is not a whole number');
    });
  });

  describe('what can be seen', () => {
    it('are the commands of the app and those others export', async () => {
      for (const [app, name, status] of [
        ['searching', 'fake', 200],
        ['search', 'fake', 400],
        ['search', 'shared', 200],
        ['searching', 'shared', 200],
        ['search', 'kept', 400],
        ['searching', 'off', 400],
        ['sharing', 'kept', 200],
        ['sharing', 'default', 400],
        ['searching', 'asleep', 400],
        ['sleeping', 'asleep', 400],
        ['searching', 'sort', 400],
        ['searching', '__proto__', 400],
      ] as const) {
        const reply = await oneshot(`| ${name}`, {}, `/servicesNS/nobody/${app}/search/jobs`);
        expect(reply.status, `${name} in ${app}: ${reply.text}`).to.equal(status);
        if (status === 400) expect(text(reply)).to.equal(`FATAL Unknown search command '${name}'.`);
      }
      expect((await oneshot('| fake', {}, '/services/search/jobs')).status).to.equal(400);
      expect((await oneshot('| fake', { namespace: 'searching' }, '/services/search/jobs')).status).to.equal(200);
      expect((await oneshot('| fake', { namespace: 'nope' }, '/services/search/jobs')).status).to.equal(400);
    });

    it('needs the capabilities and the read permission', async () => {
      const as = (user: string, search: string) => post(NS, { search, exec_mode: 'oneshot' }, `${user}:changed-it`);
      expect((await as('plain', '| fake')).status).to.equal(200);
      expect(text(await as('plain', '| foradmins'))).to.equal("FATAL Unknown search command 'foradmins'.");
      expect((await oneshot('| foradmins')).status).to.equal(200);
      const refused = await as('nobodys', '| makeresults');
      expect([refused.status, text(refused)]).to.deep.equal([
        403,
        'ERROR You (user=nobodys) do not have permission to perform this operation (requires capability: search).',
      ]);
      const role = { name: 'searcher', capabilities: 'search' };
      expect((await post('/services/authorization/roles', role)).status).to.equal(201);
      const user = { name: 'seeker', password: 'changed-it', roles: 'searcher' };
      expect((await post('/services/authentication/users', user)).status).to.equal(201);
      expect((await as('seeker', '| makeresults')).json.results).to.have.length(1);
      expect(text(await as('seeker', '| fake'))).to.contain('requires capability: run_custom_command');
      expect((await call('POST', NS, { as: null, form: { search: '| fake' } })).status).to.equal(401);
    });

    it('leaves the log of the platform to those who may search internal indexes', async () => {
      const search = 'search index=_internal loader | head 3';
      const [first] = (await oneshot(search)).json.results;
      expect(first).to.include({ index: '_internal', component: 'loader', sourcetype: 'splunkd' });
      expect(first._raw).to.contain('Server started');
      expect((await post(NS, { search, exec_mode: 'oneshot' }, 'plain:changed-it')).json.results).to.deep.equal([]);
      expect((await oneshot('search index=main')).json.results).to.deep.equal([]);
    });
  });

  describe('failures', () => {
    const failures: [string, string][] = [
      ['die early', 'external search command exited unexpectedly.'],
      ['die', 'external search command exited unexpectedly.'],
      ['kill', 'external search command exited unexpectedly.'],
      ['half', 'external search command exited unexpectedly.'],
      ['exit 1 after', 'external search command exited unexpectedly.'],
      ['early error', 'external search command exited unexpectedly.'],
      ['garbage early', 'Failed to parse transport header: "Traceback (most recent call last):"'],
      ['garbage without end', `Failed to parse transport header: "${'x'.repeat(128)}"`],
      ['garbage', 'Failed to parse transport header: "hello"'],
      ['not json', 'Failed to parse chunk metadata'],
      ['huge', 'Chunk body of 999999999999 bytes is larger than'],
      ['bad csv', 'The rows of the command cannot be read: a quoted value does not end.'],
      ['not generating', 'The command is not generating'],
      ['error', 'no such agent'],
    ];
    for (const [doing, message] of failures) {
      it(`of a command: ${doing}`, async () => {
        const before = fixture.events().length;
        const sid = await dispatch(`| fake "do=${doing}"`, { exec_mode: 'blocking' });
        const found = await content(sid);
        expect(found).to.include({ dispatchState: 'FAILED', isFailed: true, isDone: true });
        const last = found.messages.at(-1);
        expect(last.type).to.equal('FATAL');
        expect(last.text).to.contain(`Error in 'fake' command: ${message}`);
        if (doing === 'early error') expect(found.messages[0]).to.deep.equal({ type: 'ERROR', text: 'a bad argument' });
        const rows = (await get(`${job(sid)}/results`)).json;
        expect(rows.results).to.have.length(['die', 'exit 1 after'].includes(doing) ? 1 : 0);
        expect(rows.messages.at(-1).text).to.contain(message);
        const log = (await get(`${job(sid)}/search.log`)).text;
        expect(log).to.contain(message);
        const pids = new Set(
          fixture
            .events()
            .slice(before)
            .map((line) => Number(line.split(' ')[0])),
        );
        await eventually(() => ![...pids].some(isAlive));
      });
    }

    it('keep to the time a command may take', async () => {
      for (const [search, limit] of [
        ['| impatient do=quiet', '1 s'],
        ['| fake "do=own maxwait"', '0.3 s'],
      ] as const) {
        const sid = await dispatch(search);
        const pid = Number((await until(sid, (one) => one.pid !== '')).pid);
        const found = await until(sid, ({ isDone }) => isDone === true);
        expect(found.dispatchState).to.equal('FAILED');
        expect((found.messages as { text: string }[])[0]?.text).to.contain(`did not answer within ${limit} (maxwait)`);
        await eventually(() => !isAlive(pid));
      }
    });

    it('of arguments to the commands of the platform come when it runs', async () => {
      const sid = await dispatch('| makeresults | head bogus', { exec_mode: 'blocking' });
      const found = await content(sid);
      expect(found.dispatchState).to.equal('FAILED');
      expect(found.messages).to.deep.equal([
        { type: 'FATAL', text: "Error in 'head' command: The argument 'bogus' is invalid." },
      ]);
    });

    it('of a dispatch are told at once', async () => {
      const cases: [Record<string, string>, string][] = [
        [{}, "FATAL The required 'search' parameter"],
        [{ search: ' ' }, "FATAL The required 'search' parameter"],
        [{ search: 'index=main' }, "FATAL Unknown search command 'index'."],
        [{ search: '| head 1' }, "FATAL Error in 'head' command: This command cannot be the first"],
        [{ search: '| makeresults | fake' }, "FATAL Error in 'fake' command: This command must be the first"],
        [{ search: '| fake "' }, 'Unbalanced quotes'],
        [{ search: '| fake', exec_mode: 'quick' }, 'exec_mode'],
        [{ search: '| fake', id: '../x' }, '"id"'],
        [{ search: '| fake', id: '..' }, '"id"'],
        [{ search: '| fake', timeout: '-1' }, '"timeout"'],
        [{ search: '| fake', max_count: 'x' }, '"max_count"'],
        [{ search: '| fake', earliest_time: 'soon' }, 'FATAL Invalid earliest_time.'],
        [{ search: '| fake', exec_mode: 'oneshot', count: '-1' }, '"count"'],
      ];
      for (const [form, message] of cases) {
        const reply = await post(NS, form);
        expect(reply.status, JSON.stringify(form)).to.equal(400);
        expect(text(reply)).to.contain(message);
      }
      const sid = await dispatch('| makeresults', { id: 'mine_1@x' });
      expect(sid).to.equal('mine_1@x');
      expect((await post(NS, { search: '| makeresults', id: sid })).status).to.equal(409);
      const xml = await call('POST', NS, { form: { search: '| nope' } });
      expect(xml.text).to.contain('<msg type="FATAL">Unknown search command &apos;nope&apos;.</msg>');
    });
  });

  describe('results', () => {
    it('keep columns in the order they came, of whatever chunk', async () => {
      const { fields, results } = (await oneshot('| fake do=columns')).json;
      expect(fields).to.deep.equal([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
      expect(results).to.deep.equal([
        { a: '1', b: '2' },
        { a: '4', c: '3' },
      ]);
    });

    it('carry every character, however the bytes arrived', async () => {
      const { results } = (await oneshot('| fake do=multibyte')).json;
      expect(results).to.deep.equal([
        { text: '日本語 🙂\nsecond line, "quoted"', Ünï: 'ß' },
        { text: '', Ünï: '\ufeff' },
      ]);
    });

    it('have six formats', async () => {
      const sid = await dispatch('| fake do=multivalue', { exec_mode: 'blocking' });
      const as = async (mode: string) => (await call('GET', `${job(sid)}/results?output_mode=${mode}&f=a&f=b`)).text;
      expect(JSON.parse(await as('json')).results).to.deep.equal([
        { a: ['x', 'y$'], b: 'plain' },
        { a: ['one'], b: '' },
      ]);
      const rows = JSON.parse(await as('json_rows'));
      expect([rows.fields, rows.rows]).to.deep.equal([
        ['a', 'b'],
        [
          [['x', 'y$'], 'plain'],
          [['one'], ''],
        ],
      ]);
      expect(JSON.parse(await as('json_cols')).columns).to.deep.equal([
        [['x', 'y$'], ['one']],
        ['plain', ''],
      ]);
      expect(await as('csv')).to.equal('a,b\n"x\ny$",plain\none,\n');
      expect(await as('raw')).to.equal('x\ny$,plain\none,\n');
      const xml = await as('xml');
      expect(xml).to.contain("<results preview='0'>").and.contain('<fieldOrder>\n<field>a</field>\n<field>b</field>');
      expect(xml).to.contain("<field k='a'><value><text>x</text></value><value><text>y$</text></value></field>");
      expect((await call('GET', `${job(sid)}/results?output_mode=yaml`)).status).to.equal(400);
      expect((await call('GET', `${job(sid)}/results`)).text).to.equal(
        (await call('GET', `${job(sid)}/results?output_mode=xml`)).text,
      );
    });

    it('come in pages, and through more commands', async () => {
      const sid = await dispatch('| fake do=rows count=250', { exec_mode: 'blocking' });
      const numbers = async (query: string) =>
        (await get(`${job(sid)}/results?${query}`)).json.results.map((row: { n: string }) => row.n).join();
      expect((await get(`${job(sid)}/results`)).json.results).to.have.length(100);
      expect((await get(`${job(sid)}/results?count=0`)).json.results).to.have.length(250);
      expect(await numbers('count=2&offset=248')).to.equal('248,249');
      expect(await numbers('count=2&offset=249')).to.equal('249');
      expect(await numbers('count=2&offset=250')).to.equal('');
      expect(await numbers('count=2&offset=-2')).to.equal('248,249');
      expect(await numbers('f=n&search=head%202')).to.equal('0,1');
      const posted = await post(`${job(sid)}/results`, { count: '1', search: '| stats count' });
      expect(posted.json.results).to.deep.equal([{ count: '250' }]);
      for (const bad of ['count=-1', 'count=x', 'offset=1.5', 'search=head%20x', 'search=fake'])
        expect((await get(`${job(sid)}/results?${bad}`)).status, bad).to.equal(400);
      expect((await get(`${job(sid)}/events?count=1`)).json.results).to.have.length(1);
      const { fields } = (await get(`${job(sid)}/summary`)).json;
      expect(fields.n).to.include({ count: 250, distinct_count: 250 });
      expect((await get(`${job(sid)}/timeline`)).json.event_count).to.equal(250);
    });

    it('of 100,000 rows are all there', async () => {
      const sid = await dispatch('| fake do=rows count=100000', { exec_mode: 'blocking' });
      expect((await content(sid)).resultCount).to.equal(100_000);
      expect((await get(`${job(sid)}/results?count=0&offset=50000&f=n`)).json.results.at(-1)).to.deep.equal({
        n: '99999',
      });
      expect((await get(`${job(sid)}/results?count=0`)).json.results).to.have.length(50_000);
      const exported = await post(`${NS}/export`, { search: '| fake do=rows count=100000' });
      const lines = exported.text.trimEnd().split('\n');
      expect(lines).to.have.length(100_000);
      expect(JSON.parse(lines.at(-1) ?? '')).to.deep.equal({
        preview: false,
        offset: 99_999,
        lastrow: true,
        result: { n: '99999', text: 'row 99999' },
      });
    });

    it('end at max_count, and where the commands behind have enough', async () => {
      const cut = await dispatch('| fake "do=for ever"', { exec_mode: 'blocking', max_count: '5' });
      expect(await content(cut)).to.include({ dispatchState: 'DONE', resultCount: 5, eventIsTruncated: true });
      const head = await dispatch('| fake "do=for ever" | head 3', { exec_mode: 'blocking' });
      const found = await content(head);
      expect(found).to.include({ dispatchState: 'DONE', resultCount: 3, eventIsTruncated: false });
      await eventually(() => !isAlive(Number(found.pid)));
    });

    it('are 204 until there are any, and previewed while they come', async () => {
      const sid = await dispatch('| fake "do=for ever"');
      expect((await get(`${job(sid)}/results`)).status).to.equal(204);
      const running = await until(sid, ({ resultCount }) => Number(resultCount) > 0);
      expect(running).to.include({ dispatchState: 'RUNNING', isDone: false, doneProgress: 0 });
      const preview = (await get(`${job(sid)}/results_preview`)).json;
      expect(preview.preview).to.equal(true);
      expect(preview.results[0]).to.deep.equal({ n: '0' });
      await post(`${job(sid)}/control`, { action: 'disablepreview' });
      expect((await get(`${job(sid)}/results_preview`)).status).to.equal(204);
      await post(`${job(sid)}/control`, { action: 'cancel' });
    });

    it('come with messages and metrics of the command', async () => {
      const sid = await dispatch('| fake do=messages', { exec_mode: 'blocking' });
      const found = await content(sid);
      expect(found).to.include({ dispatchState: 'DONE', isFailed: false });
      expect(found.messages).to.deep.equal([
        { type: 'ERROR', text: 'it failed: ünïcode' },
        { type: 'WARN', text: 'careful' },
        { type: 'DEBUG', text: 'd' },
      ]);
      const slow = await dispatch('| fake do=slow', { exec_mode: 'blocking' });
      expect((await get(`${job(slow)}/search.log`)).text).to.contain('metric.calls = [1,2,3,4]');
      expect((await get(`${job(slow)}/results`)).json.messages).to.deep.equal([{ type: 'INFO', text: 'all there' }]);
    });

    it('have stderr in search.log, and nowhere else', async () => {
      const sid = await dispatch('| fake do=stderr', { exec_mode: 'blocking' });
      const log = (await call('GET', `${job(sid)}/search.log`)).text;
      expect(log).to.contain('stderr: first line of stderr').and.contain('second, ünïcode');
      expect(await content(sid)).to.include({ dispatchState: 'DONE', resultCount: 1 });
      expect(log).not.to.contain('session_key');
    });
  });

  describe('life of a job', () => {
    it('is shown under both paths, as JSON and XML', async () => {
      const sid = await dispatch('| makeresults count=2 | table _time', { exec_mode: 'blocking', 'custom.x': 'y' });
      for (const path of ['/services/search/jobs', '/services/search/v2/jobs', NS]) {
        const { entry } = (await get(`${path}/${sid}`)).json;
        expect(entry).to.have.length(1);
        expect(entry[0].name).to.equal('| makeresults count=2 | table _time');
        expect(entry[0].id).to.equal(`${fixture.platform.url}/services/search/jobs/${sid}`);
        expect(entry[0].acl).to.include({ owner: 'admin', app: 'searching', ttl: '600' });
        expect(entry[0].content).to.include({
          sid,
          isDone: true,
          doneProgress: 1,
          resultCount: 2,
          ttl: 600,
          defaultTTL: '600',
        });
        expect(entry[0].content.request).to.include({ exec_mode: 'blocking', 'custom.x': 'y' });
        expect(entry[0]).not.to.have.property('fields');
        const xml = (await call('GET', `${path}/${sid}`)).text;
        expect(xml)
          .to.match(/^<\?xml[^>]*>\n<entry /)
          .and.contain('<s:key name="isDone">1</s:key>');
        const listed = (await get(`${path}?count=1`)).json;
        expect(listed.entry[0].content.sid).to.equal(sid);
        expect(listed.paging.total).to.be.greaterThan(1);
        expect((await call('GET', `${path}?count=0`)).text).to.contain(`<s:key name="sid">${sid}</s:key>`);
      }
      const reply = await call('DELETE', `${job(sid)}?output_mode=json`);
      expect(reply.json.messages).to.deep.equal([{ type: 'INFO', text: 'Search job cancelled.' }]);
      for (const path of [job(sid), `${job(sid)}/results`, `${job(sid)}/nothing`]) {
        const gone = await get(path);
        expect([gone.status, text(gone)], path).to.deep.equal([404, 'FATAL Unknown sid.']);
      }
      const other = await dispatch('| makeresults');
      expect(text(await get(`${job(other)}/nothing`))).to.equal('FATAL Unknown endpoint.');
    });

    it('belongs to its creator and administrators', async () => {
      const mine = (await post(NS, { search: '| makeresults' }, 'plain:changed-it')).json.sid;
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/results'],
        ['DELETE', ''],
        ['POST', '/control'],
      ] as const) {
        const refused = await call(method, `${job(mine)}${path}?output_mode=json&action=cancel`, {
          as: 'other:changed-it',
        });
        expect([refused.status, text(refused)]).to.deep.equal([404, 'FATAL Unknown sid.']);
      }
      expect((await get(`${NS}?count=0`, 'other:changed-it')).json.entry).to.deep.equal([]);
      const listed = (await get(`${NS}?count=0`, 'plain:changed-it')).json.entry;
      expect(listed.map((one: { content: { sid: string } }) => one.content.sid)).to.deep.equal([mine]);
      expect((await get(job(mine))).status).to.equal(200);
      expect((await get(job(mine), 'nobodys:changed-it')).status).to.equal(403);
    });

    it('ends its process when it is cancelled', async () => {
      const sid = await dispatch('| fake "do=for ever"');
      const pid = await pidOf(sid);
      expect(isAlive(pid)).to.equal(true);
      const folder = join(fixture.platform.home, 'var/run/splunk/dispatch', sid);
      expect(existsSync(folder)).to.equal(true);
      const reply = await post(`${job(sid)}/control`, { action: 'cancel' });
      expect(reply.json.messages).to.deep.equal([{ type: 'INFO', text: 'Search job cancelled.' }]);
      expect((await get(job(sid))).status).to.equal(404);
      await eventually(() => !isAlive(pid) && !existsSync(folder));
    });

    it('kills a process that does not hear', async () => {
      const sid = await dispatch('| fake do=deaf');
      const pid = await pidOf(sid);
      await post(`${job(sid)}/control`, { action: 'cancel' });
      await eventually(() => !isAlive(pid));
    });

    it('waits for the end of a command, though not for ever', async () => {
      for (const doing of ['linger', 'chatter']) {
        const sid = await dispatch(`| fake do=${doing}`, { exec_mode: 'blocking' });
        const found = await content(sid);
        expect(found).to.include({ dispatchState: 'DONE', resultCount: 1 });
        expect((await get(`${job(sid)}/search.log`)).text).to.contain('had to be ended by');
        expect(isAlive(Number(found.pid))).to.equal(false);
      }
    });

    it('is finalized with what there is', async () => {
      const sid = await dispatch('| fake "do=for ever" | stats count');
      const pid = Number((await until(sid, ({ pid: one }) => one !== '')).pid);
      await eventually(() => fixture.events().filter((line) => line === `${pid} execute`).length > 2);
      await post(`${job(sid)}/control`, { action: 'finalize' });
      const found = await until(sid, ({ isDone }) => isDone === true);
      expect(found).to.include({ dispatchState: 'DONE', isFinalized: true, isFailed: false });
      expect(Number((await get(`${job(sid)}/results`)).json.results[0].count)).to.be.greaterThan(0);
      await eventually(() => !isAlive(pid));
    });

    it('is paused and goes on', async () => {
      const sid = await dispatch('| fake "do=for ever"');
      const pid = await pidOf(sid);
      await post(`${job(sid)}/control`, { action: 'pause' });
      expect(await content(sid)).to.include({ dispatchState: 'PAUSED', isPaused: true });
      const asked = () => fixture.events().filter((line) => line === `${pid} execute`).length;
      // One answer may be on its way; from then on nothing is asked.
      await new Promise((resolve) => setTimeout(resolve, 200));
      const count = asked();
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(asked()).to.equal(count);
      await post(`${job(sid)}/control`, { action: 'unpause' });
      await eventually(() => asked() > count);
      expect(await content(sid)).to.include({ dispatchState: 'RUNNING', isPaused: false });
      await post(`${job(sid)}/control`, { action: 'pause' });
      await post(`${job(sid)}/control`, { action: 'cancel' });
      await eventually(() => !isAlive(pid));
    });

    it('has a time to live, a priority and can be saved', async () => {
      const sid = await dispatch('| makeresults', { exec_mode: 'blocking', timeout: '300' });
      const control = async (form: Record<string, string>) => text(await post(`${job(sid)}/control`, form));
      expect((await content(sid)).ttl).to.equal(300);
      expect(await control({ action: 'setttl', ttl: '120' })).to.equal(
        'INFO The ttl of the search job was changed to 120.',
      );
      expect((await content(sid)).ttl).to.equal(120);
      await control({ action: 'save' });
      expect(await content(sid)).to.include({ isSaved: true, ttl: 604_800 });
      await control({ action: 'unsave' });
      expect(await content(sid)).to.include({ isSaved: false, ttl: 600 });
      await control({ action: 'setpriority', priority: '7' });
      expect((await content(sid)).priority).to.equal(7);
      expect(await control({ action: 'touch' })).to.contain('INFO');
      for (const bad of [
        {},
        { action: 'dance' },
        { action: 'setttl' },
        { action: 'setttl', ttl: 'x' },
        { action: 'setpriority', priority: '11' },
      ])
        expect((await post(`${job(sid)}/control`, bad)).status, JSON.stringify(bad)).to.equal(400);
      const short = await dispatch('| makeresults', { timeout: '1' });
      const folder = join(fixture.platform.home, 'var/run/splunk/dispatch', short);
      await eventually(() => !existsSync(folder), 10_000);
      expect((await get(job(short))).status).to.equal(404);
    });

    it('ends by auto_cancel and max_time', async () => {
      const forgotten = await dispatch('| fake "do=for ever"', { auto_cancel: '1' });
      const limited = await dispatch('| fake "do=for ever"', { max_time: '1' });
      const folder = join(fixture.platform.home, 'var/run/splunk/dispatch', forgotten);
      await eventually(() => !existsSync(folder), 10_000);
      expect((await get(job(forgotten))).status).to.equal(404);
      const found = await until(limited, ({ isDone }) => isDone === true);
      expect(found).to.include({ dispatchState: 'DONE', isFinalized: true });
    });

    it('counts against the quota of the roles', async () => {
      const as = 'plain:changed-it';
      const sids = [];
      for (let n = 0; n < 3; n += 1) sids.push((await post(NS, { search: '| fake "do=for ever"' }, as)).json.sid);
      const refused = await post(NS, { search: '| makeresults' }, as);
      expect(refused.status).to.equal(503);
      expect(text(refused)).to.contain('based on their role quota has been reached').and.contain('concurrency_limit=3');
      expect((await post(NS, { search: '| makeresults' }, 'other:changed-it')).status).to.equal(201);
      for (const sid of sids) await call('DELETE', job(sid), { as });
      expect((await post(NS, { search: '| makeresults' }, as)).status).to.equal(201);
    });

    it('ends with the connection of an export or a oneshot search', async () => {
      for (const [path, id] of [
        [`${NS}/export`, 'exported'],
        [`${NS}?exec_mode=oneshot`, 'asked_once'],
      ] as const) {
        const folder = join(fixture.platform.home, 'var/run/splunk/dispatch', id);
        const abort = new AbortController();
        const body = new URLSearchParams({ search: '| fake "do=for ever"', output_mode: 'json', id });
        const headers = { authorization: `Basic ${btoa('admin:admin-of-tests')}` };
        const sent = fetch(fixture.platform.url + path, { method: 'POST', body, headers, signal: abort.signal });
        sent.catch(() => {});
        if (id === 'exported') {
          const { value } = (await (await sent).body?.getReader().read()) ?? {};
          // Rows come while the command runs.
          const [line = ''] = Buffer.from(value ?? [])
            .toString()
            .split('\n');
          expect(JSON.parse(line).result).to.deep.equal({ n: '0' });
        }
        await eventually(() => existsSync(folder));
        const pid = await pidOf(id);
        abort.abort();
        await eventually(() => !existsSync(folder) && !isAlive(pid));
      }
    });

    it('is exported in the other formats too', async () => {
      const as = async (mode: string, search = '| fake do=rows count=2') =>
        (await call('POST', `${NS}/export`, { form: { search, output_mode: mode } })).text;
      expect(await as('csv')).to.equal('n,text\n0,row 0\n1,row 1\n');
      expect(await as('xml')).to.contain("<result offset='1'>");
      expect(JSON.parse(await as('json_rows')).rows).to.have.length(2);
      expect(await as('json', '| fake do=rows count=0')).to.equal('{"preview":false,"lastrow":true}\n');
      const failed = (await as('json', '| fake do=die'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(failed[0]).to.deep.equal({ preview: false, offset: 0, lastrow: true, result: { n: '1' } });
      expect(failed[1].messages[0].text).to.contain('exited unexpectedly');
      expect((await post(`${NS}/export`, { search: '| nope' })).status).to.equal(400);
    });

    it('is parsed without being run', async () => {
      const parsed = (
        await get('/servicesNS/admin/searching/search/parser?q=%7C%20fake%20a%3D%22b%20c%22%20%7C%20head%202')
      ).json;
      expect(parsed.commands.map((one: { command: string }) => one.command)).to.deep.equal(['fake', 'head']);
      expect(parsed.commands[0]).to.include({ rawargs: 'a="b c"', isGenerating: true });
      const before = fixture.events().length;
      expect((await call('POST', '/services/search/v2/parser', { form: { q: 'search x' } })).status).to.equal(200);
      expect((await post('/services/search/v2/parser', { q: 'ABCXYZ' })).status).to.equal(400);
      const wrong = await get('/services/search/v2/parser?q=search');
      expect([wrong.status, wrong.headers.allow, text(wrong)]).to.deep.equal([
        405,
        'POST',
        'FATAL The method is not allowed.',
      ]);
      expect(fixture.events().length).to.equal(before);
    });
  });

  it('writes what it dispatches to the log of the platform, without the search', async () => {
    await oneshot('| fake do=rows secret=canary-5c1');
    const log = readFileSync(join(fixture.platform.home, 'var/log/splunk/splunkd.log'), 'utf8');
    expect(log).to.contain('SearchDispatch').and.not.contain('canary-5c1');
  });
});
