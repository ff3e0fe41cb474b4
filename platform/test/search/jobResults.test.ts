import { expect } from 'chai';
import type { PlatformRequest } from '../../src/http/request.ts';
import { jsonLines } from '../../src/search/endpoints/exportEndpoint.ts';
import { eventually } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';
import { JOBS, jobPath, SearchJobs } from '../support/searchJobs.ts';

describe('embedded platform: results of search jobs', () => {
  const jobs = new SearchJobs();
  const { call, post, get, oneshot, dispatch, content, until } = jobs;

  it('keep columns in order of arrival across chunks', async () => {
    const { fields, results } = (await oneshot('| fake do=columns')).json;
    expect(fields).to.deep.equal([{ name: 'a' }, { name: 'b' }, { name: 'c' }]);
    expect(results).to.deep.equal([
      { a: '1', b: '2' },
      { a: '4', c: '3' },
    ]);
  });

  it('preserve characters that are split between reads', async () => {
    const { results } = (await oneshot('| fake do=multibyte')).json;
    expect(results).to.deep.equal([
      { text: '日本語 🙂\nsecond line, "quoted"', Ünï: 'ß' },
      { text: '', Ünï: '\ufeff' },
    ]);
  });

  it('have six formats', async () => {
    const sid = await dispatch('| fake do=multivalue', { exec_mode: 'blocking' });
    const as = async (mode: string) => (await call('GET', `${jobPath(sid)}/results?output_mode=${mode}&f=a&f=b`)).text;
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
    expect((await call('GET', `${jobPath(sid)}/results?output_mode=yaml`)).status).to.equal(400);
    expect((await call('GET', `${jobPath(sid)}/results`)).text).to.equal(
      (await call('GET', `${jobPath(sid)}/results?output_mode=xml`)).text,
    );
  });

  it('can be paged and filtered by further commands', async () => {
    const sid = await dispatch('| fake do=rows count=250', { exec_mode: 'blocking' });
    const numbers = async (query: string) =>
      (await get(`${jobPath(sid)}/results?${query}`)).json.results.map((row: { n: string }) => row.n).join();
    expect((await get(`${jobPath(sid)}/results`)).json.results).to.have.length(100);
    expect((await get(`${jobPath(sid)}/results?count=0`)).json.results).to.have.length(250);
    expect(await numbers('count=2&offset=248')).to.equal('248,249');
    expect(await numbers('count=2&offset=249')).to.equal('249');
    expect(await numbers('count=2&offset=250')).to.equal('');
    expect(await numbers('count=2&offset=-2')).to.equal('248,249');
    expect(await numbers('f=n&search=head%202')).to.equal('0,1');
    const posted = await post(`${jobPath(sid)}/results`, { count: '1', search: '| stats count' });
    expect(posted.json.results).to.deep.equal([{ count: '250' }]);
    for (const bad of ['count=-1', 'count=x', 'offset=1.5', 'search=head%20x', 'search=fake'])
      expect((await get(`${jobPath(sid)}/results?${bad}`)).status, bad).to.equal(400);
    expect((await get(`${jobPath(sid)}/events?count=1`)).json.results).to.have.length(1);
    const { fields } = (await get(`${jobPath(sid)}/summary`)).json;
    expect(fields.n).to.include({ count: 250, distinct_count: 250 });
    expect((await get(`${jobPath(sid)}/timeline`)).json.event_count).to.equal(250);
  });

  it('are complete with 100,000 rows', async () => {
    const sid = await dispatch('| fake do=rows count=100000', { exec_mode: 'blocking' });
    expect((await content(sid)).resultCount).to.equal(100_000);
    expect((await get(`${jobPath(sid)}/results?count=0&offset=50000&f=n`)).json.results.at(-1)).to.deep.equal({
      n: '99999',
    });
    expect((await get(`${jobPath(sid)}/results?count=0`)).json.results).to.have.length(50_000);
    const exported = await post(`${JOBS}/export`, { search: '| fake do=rows count=100000' });
    const lines = exported.text.trimEnd().split('\n');
    expect(lines).to.have.length(100_000);
    expect(JSON.parse(lines.at(-1) ?? '')).to.deep.equal({
      preview: false,
      offset: 99_999,
      lastrow: true,
      result: { n: '99999', text: 'row 99999' },
    });
  });

  it('are exported with the last row when the job ends while a piece is sent', async () => {
    const rows = [{ n: '0' }, { n: '1' }, { n: '2' }];
    const job = { columns: ['n'], done: false, messages: [], rows, waitForRows: async () => {} };
    const lines: string[] = [];
    for await (const piece of jsonLines(job, { args: () => [] } as unknown as PlatformRequest)) {
      lines.push(...piece.trimEnd().split('\n'));
      job.done = true;
    }
    const last = { preview: false, offset: 2, lastrow: true, result: { n: '2' } };
    expect([lines.length, JSON.parse(lines.at(-1) ?? '')]).to.deep.equal([3, last]);
  });

  it('end at max_count, and when later commands have enough', async () => {
    const cut = await dispatch('| fake "do=for ever"', { exec_mode: 'blocking', max_count: '5' });
    expect(await content(cut)).to.include({ dispatchState: 'DONE', resultCount: 5, eventIsTruncated: true });
    const head = await dispatch('| fake "do=for ever" | head 3', { exec_mode: 'blocking' });
    const found = await content(head);
    expect(found).to.include({ dispatchState: 'DONE', resultCount: 3, eventIsTruncated: false });
    await eventually(() => !isAlive(Number(found.pid)));
  });

  it('are 204 until there are any, and can be previewed', async () => {
    const sid = await dispatch('| fake "do=for ever"');
    expect((await get(`${jobPath(sid)}/results`)).status).to.equal(204);
    const running = await until(sid, ({ resultCount }) => Number(resultCount) > 0);
    expect(running).to.include({ dispatchState: 'RUNNING', isDone: false, doneProgress: 0 });
    const preview = (await get(`${jobPath(sid)}/results_preview`)).json;
    expect(preview.preview).to.equal(true);
    expect(preview.results[0]).to.deep.equal({ n: '0' });
    await post(`${jobPath(sid)}/control`, { action: 'disablepreview' });
    expect((await get(`${jobPath(sid)}/results_preview`)).status).to.equal(204);
    await post(`${jobPath(sid)}/control`, { action: 'cancel' });
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
    expect((await get(`${jobPath(slow)}/search.log`)).text).to.contain('metric.calls = [1,2,3,4]');
    expect((await get(`${jobPath(slow)}/results`)).json.messages).to.deep.equal([{ type: 'INFO', text: 'all there' }]);
  });

  it('have stderr only in search.log', async () => {
    const sid = await dispatch('| fake do=stderr', { exec_mode: 'blocking' });
    const log = (await call('GET', `${jobPath(sid)}/search.log`)).text;
    expect(log).to.contain('stderr: first line of stderr').and.contain('second, ünïcode');
    expect(await content(sid)).to.include({ dispatchState: 'DONE', resultCount: 1 });
    expect(log).not.to.contain('session_key');
  });
});
