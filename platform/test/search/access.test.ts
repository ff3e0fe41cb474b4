import { expect } from 'chai';
import { JOBS, messagesOf, SearchJobs } from '../support/searchJobs.ts';

type Row = Record<string, string>;

describe('embedded platform: searches as their caller', () => {
  const jobs = new SearchJobs({ users: { plain: 'user', nobodys: 'can_delete' } });
  const { call, post, get } = jobs;
  const search = async (text: string, user: string, more: Record<string, string> = {}): Promise<Row[]> => {
    const reply = await post(JOBS, { search: text, exec_mode: 'oneshot', count: '0', ...more }, `${user}:changed-it`);
    if (reply.status !== 200) throw new Error(`${text} as ${user}: ${reply.text}`);
    return reply.json.results ?? [];
  };
  const send = (index: string, sourcetype: string, host: string, body: string) =>
    call('POST', `/services/receivers/simple?index=${index}&sourcetype=${sourcetype}&host=${host}`, { body });
  const made = async (path: string, form: Record<string, string | string[]>) => {
    const reply = await post(path, form);
    if (reply.status !== 201) throw new Error(`${path}: ${reply.text}`);
  };

  before(async () => {
    for (const name of ['web', 'payroll', 'cmdb']) await made('/services/data/indexes', { name });
    const role = (name: string, more: Record<string, string>) =>
      made('/services/authorization/roles', { name, capabilities: ['search', 'get_metadata'], ...more });
    await role('web_only', { srchIndexesAllowed: 'web;cm*', srchIndexesDefault: 'web' });
    await role('pay_only', {
      srchIndexesAllowed: 'payroll',
      srchIndexesDefault: 'payroll',
      srchFilter: 'host=p1 OR status=500',
    });
    await role('no_cmdb', { srchIndexesAllowed: '*', srchIndexesDisallowed: 'cmdb' });
    await role('short', { srchIndexesAllowed: '*', srchTimeWin: '3600' });
    await role('blind', { srchIndexesAllowed: '*' });
    await post('/services/authorization/roles/blind', { capabilities: ['search'] });
    for (const [name, roles] of [
      ['wanda', 'web_only'],
      ['paul', 'pay_only'],
      ['nora', 'no_cmdb'],
      ['shawn', 'short'],
      ['bill', 'blind'],
      ['both', ['web_only', 'pay_only']],
    ] as const)
      await made('/services/authentication/users', { name, password: 'changed-it', roles: [...[roles].flat()] });
    await send('web', 'access', 'w1', 'GET / status=200');
    await send('web', 'access', 'w2', 'GET /x status=500');
    await send('web', 'error', 'w1', 'disk full on w1');
    await send('payroll', 'pay', 'p1', 'status=200 paid');
    await send('payroll', 'pay', 'p2', 'status=200 paid');
    await send('payroll', 'pay', 'p2', 'status=500 failed');
    await send('cmdb', 'asset', 'c1', '{"asset": "a"}');
  });

  it('sees the events of the indexes that its roles allow', async () => {
    const hosts = async (text: string, user: string) => (await search(text, user)).map(({ host }) => host);
    expect(await hosts('search index=*', 'wanda')).to.deep.equal(['c1', 'w1', 'w2', 'w1']);
    expect(await hosts('search index=payroll', 'wanda')).to.deep.equal([]);
    expect(await hosts('search status=500', 'wanda')).to.deep.equal(['w2']);
    expect(await hosts('search *', 'wanda')).to.deep.equal(['w1', 'w2', 'w1']);
    expect(await hosts('search index=* OR index=_*', 'nora')).to.deep.equal(['p2', 'p2', 'p1', 'w1', 'w2', 'w1']);
    expect(await hosts('search NOT index=nothing', 'wanda')).to.deep.equal(['w1', 'w2', 'w1']);
    expect((await search('search index=_internal | head 1', 'plain')).length).to.equal(0);
  });

  it('sees the events that a filter of its roles matches', async () => {
    const raw = async (user: string) => (await search('search index=payroll', user)).map(({ _raw }) => _raw);
    expect(await raw('paul')).to.deep.equal(['status=500 failed', 'status=200 paid']);
    expect(await raw('nora')).to.have.length(3);
    expect(await search('| tstats count where index=payroll by host', 'paul')).to.deep.equal([
      { host: 'p1', count: '1' },
      { host: 'p2', count: '1' },
    ]);
    expect(await search('| metadata type=hosts index=payroll | fields host totalCount', 'paul')).to.deep.equal([
      { host: 'p1', totalCount: '1' },
      { host: 'p2', totalCount: '1' },
    ]);
    expect(await search('| eventcount index=*', 'paul')).to.deep.equal([{ count: '2' }]);
    // The filter of one role applies to the indexes of the other.
    expect((await search('search index=web', 'both')).map(({ host }) => host)).to.deep.equal(['w2']);
  });

  it('gets different rows in every way of searching', async () => {
    const ways: [string, (row: Row) => string | undefined][] = [
      ['search index=* | stats count by index', ({ index }) => index],
      ['| tstats count where index=* by index', ({ index }) => index],
      ['| eventcount summarize=false index=*', ({ index }) => index],
      ['| makeresults | append [search index=* | stats count by index] | search index=*', ({ index }) => index],
      ['| union [search index=*] [search index=none] | stats count by index', ({ index }) => index],
    ];
    for (const [text, field] of ways) {
      const indexes = async (user: string) =>
        (await search(text, user)).map(field).filter((name) => name !== 'main' && name !== 'summary');
      expect(await indexes('wanda'), text).to.deep.equal(['cmdb', 'web']);
      expect(await indexes('paul'), text).to.deep.equal(['payroll']);
    }
    const types = async (user: string) =>
      (await search('| metadata type=sourcetypes index=*', user)).map(({ sourcetype }) => sourcetype);
    expect(await types('wanda')).to.deep.equal(['access', 'asset', 'error']);
    expect(await types('paul')).to.deep.equal(['pay']);
    const listed = async (as: string) =>
      (await get('/services/data/indexes?count=0', as)).json.entry.map(({ name }: { name: string }) => name);
    expect(await listed('wanda:changed-it')).to.deep.equal(['cmdb', 'web']);
    expect(await listed('paul:changed-it')).to.deep.equal(['payroll']);
    const subsearch = 'search index=web [search index=payroll | fields host]';
    expect(await search(subsearch, 'wanda')).to.deep.equal([]);
  });

  it('searches stored fields with tstats', async () => {
    expect(await search('| tstats count where index=web by sourcetype', 'wanda')).to.deep.equal([
      { sourcetype: 'access', count: '2' },
      { sourcetype: 'error', count: '1' },
    ]);
    expect(
      await search('| tstats count as n dc(host) as hosts where index=web sourcetype=access', 'wanda'),
    ).to.deep.equal([{ n: '2', hosts: '2' }]);
    expect(await search('| tstats count where index=web status=500', 'wanda')).to.deep.equal([{ count: '0' }]);
    expect(await search('| tstats count where index=web by status', 'wanda')).to.deep.equal([]);
    expect((await search('| tstats count where index=web by _time span=1d', 'wanda')).length).to.be.within(1, 2);
    for (const [text, message] of [
      [
        '| tstats count where index=web by _time',
        "Error in 'tstats' command: Failed to automatically compute an appropriate timespan.",
      ],
      [
        '| tstats count from datamodel=Web',
        "Error in 'tstats' command: The embedded platform has no summaries of data models or namespaces, so it cannot search 'datamodel=Web'.",
      ],
      ['| tstats where index=web', "Error in 'tstats' command: The argument 'where' is invalid."],
      [
        '| metadata index=web',
        "Error in 'metadata' command: You must specify a 'type' argument to 'metadata', as in 'type=hosts'.",
      ],
      [
        '| metadata type=users',
        "Error in 'metadata' command: The 'type' argument to 'metadata' must be one of the following: 'hosts', 'sources', or 'sourcetypes'.",
      ],
      [
        '| eventcount summarize=maybe',
        "Error in 'eventcount' command: Invalid option value. Expecting a 'boolean' for option 'summarize'. Instead got 'maybe'.",
      ],
    ] as const) {
      const reply = await post(JOBS, { search: text, exec_mode: 'oneshot' });
      expect(messagesOf(reply), text).to.equal(`FATAL ${message}`);
    }
  });

  it('says what an index holds', async () => {
    const [row] = await search('| metadata type=sources index=web', 'wanda');
    expect(row).to.include({ source: 'http-simple', totalCount: '3', type: 'sources' });
    expect(Number(row?.lastTime)).to.be.closeTo(Date.now() / 1000, 60);
    expect(await search('| metadata type=sources index=web', 'wanda', { latest_time: '1000' })).to.deep.equal([]);
    const without = await post(
      JOBS,
      { search: '| metadata type=hosts index=web', exec_mode: 'oneshot' },
      'bill:changed-it',
    );
    expect([without.json.results ?? [], messagesOf(without)]).to.deep.equal([
      [],
      'WARN You have insufficient permissions to get metadata.',
    ]);
    const [entry] = (await get('/services/data/indexes/web', 'wanda:changed-it')).json.entry;
    expect(entry.content).to.include({
      datatype: 'event',
      disabled: false,
      isInternal: false,
      totalEventCount: '3',
      currentDBSizeMB: '1',
    });
    expect(entry.content.maxTime).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    expect((await get('/services/data/indexes/web', 'paul:changed-it')).status).to.equal(404);
  });

  it('is limited to its time range, and to that of its roles', async () => {
    const now = Date.now() / 1000;
    const count = async (text: string, user: string, more: Record<string, string> = {}) =>
      (await search(text, user, more)).length;
    expect(await count('search index=web', 'wanda', { earliest_time: '-1h' })).to.equal(3);
    expect(await count('search index=web', 'wanda', { latest_time: '-1h' })).to.equal(0);
    expect(await count('search index=web earliest=-2h latest=-1h', 'wanda')).to.equal(0);
    expect(await count('search index=web earliest=-1h', 'wanda', { latest_time: '-1d' })).to.equal(0);
    expect(await count('search index=web', 'shawn', { latest_time: String(Math.floor(now) - 7200) })).to.equal(0);
    expect(await count('search index=web', 'shawn')).to.equal(3);
    const invalid = await post(JOBS, { search: 'search index=web earliest=rt-1m', exec_mode: 'oneshot' });
    expect(messagesOf(invalid)).to.equal(
      `FATAL Error in 'search' command: Invalid value "rt-1m" for time term 'earliest'.`,
    );
  });

  it('creates and disables indexes with the right to', async () => {
    const refused = await post('/services/data/indexes', { name: 'mine' }, 'wanda:changed-it');
    expect(refused.status).to.equal(403);
    for (const name of ['Web', '_own', '-x', 'a b', 'kvstore1'])
      expect((await post('/services/data/indexes', { name })).status, name).to.equal(400);
    expect((await post('/services/data/indexes', { name: 'web' })).status).to.equal(409);
    expect((await post('/services/data/indexes', { name: 'm', datatype: 'metric' })).status).to.equal(400);
    await made('/services/data/indexes', { name: 'gone' });
    expect((await send('gone', 'a', 'b', 'x')).status).to.equal(200);
    expect((await post('/services/data/indexes/gone/disable', {})).status).to.equal(200);
    expect((await send('gone', 'a', 'b', 'x')).status).to.equal(400);
    expect(await search('search index=gone', 'nora')).to.deep.equal([]);
    expect((await get('/services/data/indexes/gone')).json.entry[0].content.disabled).to.equal(true);
    expect((await post('/services/data/indexes/main/disable', {})).status).to.equal(400);
  });

  it('says what the platform cannot run', async () => {
    for (const name of ['transaction host', 'map search="search a"', 'outputlookup x.csv', 'append [| datamodel x]']) {
      const reply = await post(JOBS, { search: `search index=web | ${name}` });
      expect([reply.status, messagesOf(reply)], name).to.deep.equal([
        400,
        `FATAL Error in '${name.startsWith('append') ? 'datamodel' : name.split(' ')[0]}' command: The embedded platform cannot run this command here.`,
      ]);
    }
    const nested = await post(JOBS, { search: 'search index=web | append [| fake]' });
    expect(messagesOf(nested)).to.equal(
      "FATAL Error in 'fake' command: The embedded platform cannot run this command here.",
    );
  });

  it('refuses event types and tags, which it does not have', async () => {
    for (const text of [
      'search index=web eventtype=x',
      'search NOT tag=x',
      '| tstats count where index=web tag::host=x',
    ]) {
      const reply = await post(JOBS, { search: text, exec_mode: 'oneshot' });
      expect(messagesOf(reply), text).to.contain('FATAL The embedded platform has no event types and tags');
    }
  });

  it('counts its events', async () => {
    const counts = async (text: string) => {
      const { sid } = (await post(JOBS, { search: text, exec_mode: 'blocking' })).json;
      const [entry] = (await get(`${JOBS}/${sid}`)).json.entry;
      const events = (await get(`${JOBS}/${sid}/events`)).json.results ?? [];
      const { eventCount, scanCount, resultCount, eventAvailableCount, isFinalized } = entry.content;
      expect(isFinalized).to.equal(false);
      return [scanCount, eventCount, resultCount, eventAvailableCount, events.length];
    };
    const [scanned, ...others] = await counts('search index=web status=200');
    expect(scanned).to.be.greaterThan(3);
    expect(others).to.deep.equal([1, 1, 1, 1]);
    expect((await counts('search index=web | stats count by host')).slice(1)).to.deep.equal([3, 2, 0, 0]);
  });
});
