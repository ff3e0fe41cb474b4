import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';
import { JOBS, jobPath, messagesOf, SearchJobs } from '../support/searchJobs.ts';

describe('embedded platform: life of a search job', () => {
  const jobs = new SearchJobs({ users: { plain: 'user', other: 'user', nobodys: 'can_delete' } });
  const { call, post, get, dispatch, content, until, pidOf } = jobs;

  it('is named in the answer to its dispatch, and has the answers of all its links', async () => {
    const { status, json, headers } = await post(JOBS, { search: '| makeresults', exec_mode: 'blocking' });
    expect([status, headers.location]).to.deep.equal([201, `/services/search/jobs/${json.sid}`]);
    const [entry] = (await get(`/services/search/jobs/${json.sid}`)).json.entry;
    for (const [name, link] of Object.entries(entry.links)) {
      const method = name === 'control' ? 'POST' : 'GET';
      const reply = await call(
        method,
        `${link}?output_mode=json`,
        name === 'control' ? { form: { action: 'touch' } } : {},
      );
      expect(reply.status, name).to.equal(200);
    }
    const telemetry = await call('GET', entry.links['search_telemetry.json']);
    expect(telemetry.json).to.deep.equal(entry.content.searchTelemetry);
    const wrong = await post(`/services/search/jobs/${json.sid}`, {});
    expect([wrong.status, wrong.headers.allow, messagesOf(wrong)]).to.deep.equal([
      405,
      'DELETE, GET',
      'FATAL Method Not Allowed',
    ]);
  });

  it('is shown under both paths, as JSON and XML', async () => {
    await dispatch('| makeresults');
    const sid = await dispatch('| makeresults count=2 | table _time', { exec_mode: 'blocking', 'custom.x': 'y' });
    for (const path of ['/services/search/jobs', '/services/search/v2/jobs', JOBS]) {
      const { entry } = (await get(`${path}/${sid}`)).json;
      expect(entry).to.have.length(1);
      expect(entry[0].name).to.equal('| makeresults count=2 | table _time');
      expect(entry[0].id).to.equal(`${jobs.fixture.platform.url}/services/search/jobs/${sid}`);
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
      const page = (await get(`${path}?count=1`)).json;
      expect(page.entry[0].content.sid).to.equal(sid);
      expect(page.paging.total).to.be.greaterThan(1);
      expect((await call('GET', `${path}?count=0`)).text).to.contain(`<s:key name="sid">${sid}</s:key>`);
    }
    const reply = await call('DELETE', `${jobPath(sid)}?output_mode=json`);
    expect(reply.json.messages).to.deep.equal([{ type: 'INFO', text: 'Search job cancelled.' }]);
    for (const path of [jobPath(sid), `${jobPath(sid)}/results`, `${jobPath(sid)}/nothing`]) {
      const gone = await get(path);
      expect([gone.status, messagesOf(gone)], path).to.deep.equal([404, 'FATAL Unknown sid.']);
    }
    const other = await dispatch('| makeresults');
    expect(messagesOf(await get(`${jobPath(other)}/nothing`))).to.equal('FATAL Unknown endpoint.');
  });

  it('belongs to its creator and administrators', async () => {
    const mine = (await post(JOBS, { search: '| makeresults' }, 'plain:changed-it')).json.sid;
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/results'],
      ['DELETE', ''],
      ['POST', '/control'],
    ] as const) {
      const refused = await call(method, `${jobPath(mine)}${path}?output_mode=json&action=cancel`, {
        as: 'other:changed-it',
      });
      expect([refused.status, messagesOf(refused)]).to.deep.equal([404, 'FATAL Unknown sid.']);
    }
    expect((await get(`${JOBS}?count=0`, 'other:changed-it')).json.entry).to.deep.equal([]);
    const jobList = (await get(`${JOBS}?count=0`, 'plain:changed-it')).json.entry;
    expect(jobList.map((one: { content: { sid: string } }) => one.content.sid)).to.deep.equal([mine]);
    expect((await get(jobPath(mine))).status).to.equal(200);
    expect((await get(jobPath(mine), 'nobodys:changed-it')).status).to.equal(403);
  });

  it('ends its process when it is cancelled', async () => {
    const sid = await dispatch('| fake "do=for ever"');
    const pid = await pidOf(sid);
    expect(isAlive(pid)).to.equal(true);
    const folder = join(jobs.fixture.platform.home, 'var/run/splunk/dispatch', sid);
    expect(existsSync(folder)).to.equal(true);
    const reply = await post(`${jobPath(sid)}/control`, { action: 'cancel' });
    expect(reply.json.messages).to.deep.equal([{ type: 'INFO', text: 'Search job cancelled.' }]);
    expect((await get(jobPath(sid))).status).to.equal(404);
    await eventually(() => !isAlive(pid) && !existsSync(folder));
  });

  it('kills a process that ignores signals', async () => {
    const sid = await dispatch('| fake do=deaf');
    const pid = await pidOf(sid);
    await post(`${jobPath(sid)}/control`, { action: 'cancel' });
    await eventually(() => !isAlive(pid));
  });

  it('waits for the end of a command, with a timeout', async () => {
    for (const doing of ['linger', 'chatter']) {
      const sid = await dispatch(`| fake do=${doing}`, { exec_mode: 'blocking' });
      const found = await content(sid);
      expect(found).to.include({ dispatchState: 'DONE', resultCount: 1 });
      expect((await get(`${jobPath(sid)}/search.log`)).text).to.contain('had to be ended by');
      expect(isAlive(Number(found.pid))).to.equal(false);
    }
  });

  it('is finalized with the rows so far', async () => {
    const sid = await dispatch('| fake "do=for ever" | stats count');
    const pid = Number((await until(sid, ({ pid: one }) => one !== '')).pid);
    await eventually(() => jobs.fixture.events().filter((line) => line === `${pid} execute`).length > 2);
    await post(`${jobPath(sid)}/control`, { action: 'finalize' });
    const found = await until(sid, ({ isDone }) => isDone === true);
    expect(found).to.include({ dispatchState: 'DONE', isFinalized: true, isFailed: false });
    expect(Number((await get(`${jobPath(sid)}/results`)).json.results[0].count)).to.be.greaterThan(0);
    await eventually(() => !isAlive(pid));
  });

  it('can be paused and resumed', async () => {
    const sid = await dispatch('| fake "do=for ever"');
    const pid = await pidOf(sid);
    await post(`${jobPath(sid)}/control`, { action: 'pause' });
    expect(await content(sid)).to.include({ dispatchState: 'PAUSED', isPaused: true });
    const asked = () => jobs.fixture.events().filter((line) => line === `${pid} execute`).length;
    // One reply may be in flight; after that nothing is requested.
    await new Promise((resolve) => setTimeout(resolve, 200));
    const count = asked();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(asked()).to.equal(count);
    await post(`${jobPath(sid)}/control`, { action: 'unpause' });
    await eventually(() => asked() > count);
    expect(await content(sid)).to.include({ dispatchState: 'RUNNING', isPaused: false });
    await post(`${jobPath(sid)}/control`, { action: 'pause' });
    await post(`${jobPath(sid)}/control`, { action: 'cancel' });
    await eventually(() => !isAlive(pid));
  });

  it('has a time to live, a priority and can be saved', async () => {
    const sid = await dispatch('| makeresults', { exec_mode: 'blocking', timeout: '300' });
    const control = async (form: Record<string, string>) => messagesOf(await post(`${jobPath(sid)}/control`, form));
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
      expect((await post(`${jobPath(sid)}/control`, bad)).status, JSON.stringify(bad)).to.equal(400);
    const short = await dispatch('| makeresults', { timeout: '1' });
    const folder = join(jobs.fixture.platform.home, 'var/run/splunk/dispatch', short);
    await eventually(() => !existsSync(folder), 10_000);
    expect((await get(jobPath(short))).status).to.equal(404);
  });

  it('ends by auto_cancel and max_time', async () => {
    const forgotten = await dispatch('| fake "do=for ever"', { auto_cancel: '1' });
    const limited = await dispatch('| fake "do=for ever"', { max_time: '1' });
    const folder = join(jobs.fixture.platform.home, 'var/run/splunk/dispatch', forgotten);
    await eventually(() => !existsSync(folder), 10_000);
    expect((await get(jobPath(forgotten))).status).to.equal(404);
    const found = await until(limited, ({ isDone }) => isDone === true);
    expect(found).to.include({ dispatchState: 'DONE', isFinalized: true });
    expect(found.messages).to.deep.equal([
      { type: 'INFO', text: 'The search auto-finalized after it reached its time limit: 1 seconds.' },
    ]);
    for (const name of ['auto_cancel', 'auto_pause']) {
      const wrong = await post(JOBS, { search: '| makeresults', [name]: 'soon' });
      expect([wrong.status, messagesOf(wrong)]).to.deep.equal([400, `FATAL The ${name} value 'soon' is invalid.`]);
    }
  });

  it('keeps its label, and refuses a range that ends before it begins', async () => {
    const sid = await dispatch('| makeresults', { exec_mode: 'blocking', label: 'nightly' });
    expect((await content(sid)).label).to.equal('nightly');
    const wrong = await post(JOBS, { search: '| makeresults', earliest_time: '20', latest_time: '10' });
    expect([wrong.status, messagesOf(wrong)]).to.deep.equal([
      400,
      'FATAL The start_time value 20 should be earlier than the end_time value 10.',
    ]);
  });

  it('ends with the connection of an export or a oneshot search', async () => {
    for (const [path, id] of [
      [`${JOBS}/export`, 'exported'],
      [`${JOBS}?exec_mode=oneshot`, 'asked_once'],
    ] as const) {
      const folder = join(jobs.fixture.platform.home, 'var/run/splunk/dispatch', id);
      const abort = new AbortController();
      const body = new URLSearchParams({ search: '| fake "do=for ever"', output_mode: 'json', id });
      const headers = { authorization: `Basic ${btoa('admin:admin-of-tests')}` };
      const upload = fetch(jobs.fixture.platform.url + path, { method: 'POST', body, headers, signal: abort.signal });
      upload.catch(() => {});
      if (id === 'exported') {
        const { value } = (await (await upload).body?.getReader().read()) ?? {};
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

  it('can be exported in all formats', async () => {
    const as = async (mode: string, search = '| fake do=rows count=2') =>
      (await call('POST', `${JOBS}/export`, { form: { search, output_mode: mode } })).text;
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
    expect((await post(`${JOBS}/export`, { search: '| nope' })).status).to.equal(400);
  });
});
