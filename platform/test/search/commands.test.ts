import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';
import { JOBS, jobPath, messagesOf, SearchJobs } from '../support/searchJobs.ts';

describe('embedded platform: commands of searches', () => {
  const jobs = new SearchJobs({
    users: { plain: 'user', nobodys: 'can_delete' },
    env: { ...process.env, OF_TESTS: 'inherited' },
  });
  const { call, post, get, oneshot, dispatch, content, until } = jobs;

  describe('start of a command', () => {
    it('sends the complete getinfo, with arguments in both forms', async () => {
      const search = '| fake do=echo name="a b | \\"c\\"" b = "two" ünï';
      const reply = await oneshot(search, { earliest_time: '-1h', latest_time: '4000000000' });
      const [row] = reply.json.results;
      const { searchinfo, ...rest } = JSON.parse(row.info);
      expect(rest).to.deep.equal({ action: 'getinfo', preview: false, streaming_command_will_restart: false });
      expect(searchinfo.args).to.deep.equal(['do=echo', 'name=a b | "c"', 'b', '=', 'two', 'ünï']);
      expect(searchinfo.raw_args).to.deep.equal(['do=echo', 'name="a b | \\"c\\""', 'b', '=', '"two"', 'ünï']);
      expect(searchinfo.dispatch_dir).to.equal(
        join(jobs.fixture.platform.home, 'var/run/splunk/dispatch', searchinfo.sid),
      );
      expect(searchinfo).to.include({
        app: 'searching',
        owner: 'admin',
        username: 'admin',
        command: 'fake',
        splunkd_uri: jobs.fixture.platform.url,
        splunk_version: '10.4.2',
        search: encodeURIComponent(search),
        maxresultrows: 50000,
        latest_time: '4000000000',
      });
      expect(Number(searchinfo.earliest_time)).to.be.closeTo(Date.now() / 1000 - 3600, 60);
      expect(JSON.parse(row.execute)).to.deep.equal({ metadata: { action: 'execute', finished: true }, body: '' });
      expect(row).to.include({ argv: '[]', env: 'inherited', empty: '' });
      expect(row.cwd).to.equal(join(jobs.fixture.platform.home, 'etc/apps/searching/bin'));
    });

    it('is preceded by one that sees only getinfo', async () => {
      const before = jobs.fixture.events().length;
      await oneshot('| fake do=rows');
      // Commands of other tests may still be ending.
      const ours = () => {
        const events = jobs.fixture
          .events()
          .slice(before)
          .map((line) => line.split(' '));
        const started = new Set(events.filter(([, event]) => event === 'start').map(([pid]) => pid));
        return events.filter(([pid]) => started.has(pid));
      };
      await eventually(() => ours().length === 7);
      const mine = ours();
      const of = (pid: string | undefined) => mine.filter(([one]) => one === pid).map(([, event]) => event);
      const [first, second] = [...new Set(mine.map(([pid]) => pid))];
      expect(of(first)).to.deep.equal(['start', 'getinfo', 'eof']);
      expect(of(second)).to.deep.equal(['start', 'getinfo', 'execute', 'eof']);
    });

    it('provides a session of its owner, which ends with the job', async () => {
      const [row] = (await post(JOBS, { search: '| fake do=call', exec_mode: 'oneshot' }, 'plain:changed-it')).json
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
      expect(await argv('| bypath')).to.deep.equal([join(jobs.fixture.platform.home, 'x'), 'last']);
      for (const name of ['outside', 'missing']) {
        const reply = await oneshot(`| ${name}`);
        expect([reply.status, messagesOf(reply)]).to.deep.equal([
          400,
          `FATAL Error in '${name}' command: Could not locate its program in app searching.`,
        ]);
      }
      expect(messagesOf(await oneshot('| notexecutable'))).to.match(/FATAL .*Cannot start .*plain.txt: EACCES/);
      expect(messagesOf(await oneshot('| legacy'))).to.contain('chunked = true');
      expect(messagesOf(await oneshot('| nodejs'))).to.contain('release 10.2');
      expect(messagesOf(await oneshot('| badwait'))).to.contain('maxwait = soon is not a whole number');
    });
  });

  describe('visibility', () => {
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
        ['searching', 'nosuch', 400],
        ['searching', '__proto__', 400],
      ] as const) {
        const reply = await oneshot(`| ${name}`, {}, `/servicesNS/nobody/${app}/search/jobs`);
        expect(reply.status, `${name} in ${app}: ${reply.text}`).to.equal(status);
        if (status === 400) expect(messagesOf(reply)).to.equal(`FATAL Unknown search command '${name}'.`);
      }
      expect((await oneshot('| fake', {}, '/services/search/jobs')).status).to.equal(400);
      expect((await oneshot('| fake', { namespace: 'searching' }, '/services/search/jobs')).status).to.equal(200);
      expect((await oneshot('| fake', { namespace: 'nope' }, '/services/search/jobs')).status).to.equal(400);
    });

    it('needs the capabilities and the read permission', async () => {
      const as = (user: string, search: string) => post(JOBS, { search, exec_mode: 'oneshot' }, `${user}:changed-it`);
      expect((await as('plain', '| fake')).status).to.equal(200);
      expect(messagesOf(await as('plain', '| foradmins'))).to.equal("FATAL Unknown search command 'foradmins'.");
      expect((await oneshot('| foradmins')).status).to.equal(200);
      const refused = await as('nobodys', '| makeresults');
      expect([refused.status, messagesOf(refused)]).to.deep.equal([
        403,
        'ERROR You (user=nobodys) do not have permission to perform this operation (requires capability: search).',
      ]);
      const role = { name: 'searcher', capabilities: 'search' };
      expect((await post('/services/authorization/roles', role)).status).to.equal(201);
      const user = { name: 'seeker', password: 'changed-it', roles: 'searcher' };
      expect((await post('/services/authentication/users', user)).status).to.equal(201);
      expect((await as('seeker', '| makeresults')).json.results).to.have.length(1);
      expect(messagesOf(await as('seeker', '| fake'))).to.contain('requires capability: run_custom_command');
      expect((await call('POST', JOBS, { as: null, form: { search: '| fake' } })).status).to.equal(401);
    });

    it('limits the log of the platform to users who may search internal indexes', async () => {
      const search = 'search index=_internal loader | head 3';
      const [first] = (await oneshot(search)).json.results;
      expect(first).to.include({ index: '_internal', component: 'loader', sourcetype: 'splunkd' });
      expect(first._raw).to.contain('Server started');
      expect((await post(JOBS, { search, exec_mode: 'oneshot' }, 'plain:changed-it')).json.results).to.deep.equal([]);
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
        const before = jobs.fixture.events().length;
        const sid = await dispatch(`| fake "do=${doing}"`, { exec_mode: 'blocking' });
        const found = await content(sid);
        expect(found).to.include({ dispatchState: 'FAILED', isFailed: true, isDone: true });
        const last = found.messages.at(-1);
        expect(last.type).to.equal('FATAL');
        expect(last.text).to.contain(`Error in 'fake' command: ${message}`);
        if (doing === 'early error') expect(found.messages[0]).to.deep.equal({ type: 'ERROR', text: 'a bad argument' });
        expect(found.resultCount).to.equal(['die', 'exit 1 after'].includes(doing) ? 1 : 0);
        for (const part of ['results', 'events', 'results_preview']) {
          const refusal = await get(`${jobPath(sid)}/${part}`);
          expect([refusal.status, refusal.json], part).to.deep.equal([400, { messages: found.messages }]);
        }
        const log = (await get(`${jobPath(sid)}/search.log`)).text;
        expect(log).to.contain(message);
        const pids = new Set(
          jobs.fixture
            .events()
            .slice(before)
            .map((line) => Number(line.split(' ')[0])),
        );
        await eventually(() => ![...pids].some(isAlive));
      });
    }

    it('include a timeout of the command', async () => {
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

    it('of arguments to built-in commands come at run time', async () => {
      const sid = await dispatch('| makeresults | head bogus', { exec_mode: 'blocking' });
      const found = await content(sid);
      expect(found.dispatchState).to.equal('FAILED');
      expect(found.messages).to.deep.equal([
        { type: 'FATAL', text: "Error in 'head' command: The argument 'bogus' is invalid." },
      ]);
    });

    it('of a dispatch are returned at once', async () => {
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
        const reply = await post(JOBS, form);
        expect(reply.status, JSON.stringify(form)).to.equal(400);
        expect(messagesOf(reply)).to.contain(message);
      }
      const sid = await dispatch('| makeresults', { id: 'mine_1@x' });
      expect(sid).to.equal('mine_1@x');
      expect((await post(JOBS, { search: '| makeresults', id: sid })).status).to.equal(409);
      const xml = await call('POST', JOBS, { form: { search: '| nope' } });
      expect(xml.text).to.contain('<msg type="FATAL">Unknown search command &apos;nope&apos;.</msg>');
    });
  });

  it('logs each dispatch without the search text', async () => {
    await oneshot('| fake do=rows secret=canary-5c1');
    const log = readFileSync(join(jobs.fixture.platform.home, 'var/log/splunk/splunkd.log'), 'utf8');
    expect(log).to.contain('SearchDispatch').and.not.contain('canary-5c1');
  });
});
