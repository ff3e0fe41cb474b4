import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SearchJobs } from '../support/searchJobs.ts';

const JSON_TEXT = { 'Content-Type': 'application/json' };

describe('embedded platform: events of apps', () => {
  const jobs = new SearchJobs({ users: { plain: 'user' } });
  const { call, oneshot, post } = jobs;
  const send = (query: string, body: string, as = 'admin:changed-me-now') =>
    call('POST', `/services/receivers/simple?${query}`, { body, headers: JSON_TEXT, ...(as === '' ? {} : { as }) });
  const search = async (text: string) => (await oneshot(text)).json.results;

  it('are found with the fields of their JSON, newest first', async () => {
    const event = { time: 1, name: 'one', changed: [{ field: 'a' }, { field: 'b' }], more: { deep: true }, none: [] };
    const response = await send(
      'index=_audit&sourcetype=my:audit&source=here&output_mode=json',
      JSON.stringify(event),
      '',
    );
    expect(response.status, response.text).to.equal(200);
    await send('index=_audit&sourcetype=my:audit', '{"name":"two"}', '');
    await send('index=_audit&sourcetype=other', 'plain text', '');
    const rows = await search('search index=_audit sourcetype=my:audit');
    expect(rows.map(({ name }: { name: string }) => name)).to.deep.equal(['two', 'one']);
    expect(rows[1]).to.include({ index: '_audit', sourcetype: 'my:audit', source: 'here', 'more.deep': 'true' });
    expect(rows[1]['changed{}.field']).to.deep.equal(['a', 'b']);
    expect(rows[1]._raw).to.equal(JSON.stringify(event));
    expect(rows[1]._time).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/);
    expect(Date.parse(rows[1]._time) / 1000).to.be.closeTo(Date.now() / 1000, 60);
    expect(await search('search index=_audit plain')).to.have.length(1);
    expect(await search('search index=_audit name=one | stats count')).to.deep.equal([{ count: '1' }]);
    expect(await search('search index=_* sourcetype=other')).to.have.length(1);
    expect(await search('search index=main')).to.deep.equal([]);
    const bare = await send('output_mode=json', 'short', '');
    expect(bare.json).to.include({
      index: 'default',
      sourcetype: 'unknown-too_small',
      source: 'http-simple',
      bytes: 5,
    });
    expect(await search('search index=main sourcetype=unknown-too_small')).to.have.length(1);
  });

  it('need the capability to send, and the one to search', async () => {
    const refused = await send('index=_audit', 'x', 'plain:changed-it');
    expect(refused.status).to.equal(403);
    const seen = await post(
      '/servicesNS/plain/searching/search/v2/jobs',
      {
        search: 'search index=_audit',
        exec_mode: 'oneshot',
      },
      'plain:changed-it',
    );
    expect(seen.json.results).to.deep.equal([]);
  });

  it('need an existing index and a body', async () => {
    const missing = await send('index=nowhere&output_mode=json', 'x', '');
    expect([missing.status, missing.json.messages[0].text]).to.deep.equal([400, "supplied index 'nowhere' missing"]);
    expect((await send('index=main', '', '')).status).to.equal(400);
  });

  it('survive a line that a crash truncated', async () => {
    await send('index=summary', 'whole', '');
    appendFileSync(join(jobs.fixture.platform.home, 'var/lib/splunk/summary.events'), '{"time":1,"ra\n');
    await send('index=summary', 'after', '');
    expect(await search('search index=summary')).to.have.length(2);
  });
});
