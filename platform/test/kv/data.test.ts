import { expect } from 'chai';
import { type Bench, BOB, caller, makeBench } from '../support/stores.ts';

const DATA = '/servicesNS/nobody/search/storage/collections/data/things';

describe('embedded KV store: data endpoint', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = makeBench({
      'etc/apps/search/default/collections.conf':
        '[things]\n[typed]\nfield.n = number\nfield.b = bool\nfield.s = string\nfield.t = time\nfield.x = number1\n' +
        '[strict]\nenforceTypes = true\nfield.n = number\n[off]\ndisabled = 1\n[closed]\n[half]\n',
      'etc/apps/search/metadata/default.meta':
        '[]\naccess = read : [ * ], write : [ * ]\n[collections/closed]\naccess = read : [ keeper ], write : [ keeper ]\n' +
        '[collections/half]\naccess = read : [ * ], write : [ keeper ]\n',
    });
  });
  afterEach(() => bench.close());

  const insert = (...documents: unknown[]) => bench.call('POST', `${DATA}/batch_save`, { json: documents });
  const find = async (query: string) => (await bench.call('GET', `${DATA}?${query}`)).json;
  const keys = async (query: string) => (await find(query)).map((doc: { _key: string }) => doc._key).join('');
  const q = (query: unknown) => `query=${encodeURIComponent(JSON.stringify(query))}`;

  it('inserts, reads, replaces and deletes one document', async () => {
    expect(await bench.call('POST', DATA, { json: { _key: 'k', b: 1, a: { c: [1] }, _user: 'eve' } })).to.deep.include({
      status: 201,
      text: '{"_key":"k"}',
    });
    expect((await bench.call('GET', `${DATA}/k`)).text).to.equal('{"b":1,"a":{"c":[1]},"_user":"nobody","_key":"k"}');
    const replaced = await bench.call('POST', `${DATA}/k`, { json: { _key: 'other', z: 1 } });
    expect(replaced).to.deep.include({ status: 200, text: '{"_key":"k"}' });
    expect((await bench.call('GET', `${DATA}/k`)).text).to.equal('{"z":1,"_user":"nobody","_key":"k"}');
    expect((await bench.call('DELETE', `${DATA}/k`)).status).to.equal(200);
    for (const method of ['GET', 'DELETE']) expect((await bench.call(method, `${DATA}/k`)).status).to.equal(404);
    expect((await bench.call('POST', `${DATA}/k`, { json: {} })).status).to.equal(404);
    expect((await bench.call('POST', DATA, { json: {} })).json._key).to.match(/^[0-9a-f]{24}$/);
  });

  it("refuses a duplicate key with splunkd's message", async () => {
    await bench.call('POST', DATA, { json: { _key: 'k' } });
    expect(await bench.call('POST', DATA, { json: { _key: 'k' } })).to.deep.equal({
      status: 409,
      text: 'A document with the same key and user already exists.',
      json: { messages: [{ type: 'ERROR', text: 'A document with the same key and user already exists.' }] },
    });
  });

  it('partitions by owner, and shared=true adds the documents of nobody', async () => {
    const mine = DATA.replace('nobody', 'bob');
    await bench.call('POST', DATA, { json: { _key: 'k', from: 'nobody' } });
    expect((await bench.call('POST', mine, { json: { _key: 'k', from: 'bob' }, caller: BOB })).status).to.equal(201);
    expect((await bench.call('GET', mine, { caller: BOB })).json).to.deep.equal([
      { from: 'bob', _user: 'bob', _key: 'k' },
    ]);
    const both = await bench.call('GET', `${mine}?shared=true`, { caller: BOB });
    expect(both.json.map((doc: { _user: string }) => doc._user)).to.deep.equal(['nobody', 'bob']);
    const foreign = await bench.call('GET', DATA.replace('nobody', 'alice'), { caller: BOB });
    expect(foreign.status).to.equal(403);
    await bench.call('DELETE', mine, { caller: BOB });
    expect((await bench.call('GET', DATA)).json).to.have.length(1);
    expect((await bench.call('GET', DATA.replace('nobody', '-'))).status).to.equal(400);
    expect((await bench.call('GET', DATA.replace('search', '-'))).status).to.equal(400);
  });

  it('supports the documented operators and more', async () => {
    await insert(
      { _key: 'a', n: 1, s: 'x' },
      { _key: 'b', n: 2, s: 'y', l: ['x', 'z'] },
      { _key: 'c', n: 3, o: { p: 1 } },
    );
    const cases: [unknown, string][] = [
      [{ n: 2 }, 'b'],
      [{ s: 'x' }, 'a'],
      [{ l: 'x' }, 'b'],
      [{ n: { $gt: 1 } }, 'bc'],
      [{ n: { $gte: 2, $lt: 3 } }, 'b'],
      [{ n: { $lte: 1 } }, 'a'],
      [{ n: { $ne: 2 } }, 'ac'],
      [{ $and: [{ n: { $gt: 1 } }, { s: 'y' }] }, 'b'],
      [{ $or: [{ n: 1 }, { _key: 'c' }] }, 'ac'],
      [{ n: { $not: { $gt: 1 } } }, 'a'],
      [{ 'o.p': 1 }, 'c'],
      [{ o: { p: 1 } }, 'c'],
      [{ n: { $in: [1, 3] } }, 'ac'],
      [{ s: { $exists: false } }, 'c'],
      [{ _key: 'b', n: 2 }, 'b'],
      [{ _key: 'b', n: 3 }, ''],
      [{ _key: { $in: ['c', 'a', 'nix'] } }, 'ac'],
      [{ $or: [{ _key: 'c' }, { _key: 'a' }] }, 'ac'],
      [{ $and: [{ _key: 'a' }] }, 'a'],
      [{ _key: { $gt: 'a' } }, 'bc'],
      [{ _user: 'nobody', n: 1 }, 'a'],
      [{ n: '1' }, ''],
      [{ n: true }, ''],
      [{ gone: null }, 'abc'],
    ];
    for (const [query, expected] of cases) expect(await keys(q(query)), JSON.stringify(query)).to.equal(expected);
  });

  it('finds by regular expressions', async () => {
    const documents = [
      { _key: 'a', s: 'Main', list: ['one', 'TWO'], o: { p: 'deep' } },
      { _key: 'b', s: 'domain\nmain', list: [{ p: 'x1' }] },
      { _key: 'c', s: 7 },
    ];
    await insert(...documents);
    const cases: [unknown, string][] = [
      [{ s: { $regex: 'main' } }, 'b'],
      [{ s: { $regex: '^main' } }, ''],
      [{ s: { $regex: '^main', $options: 'i' } }, 'a'],
      [{ s: { $regex: '^main', $options: 'm' } }, 'b'],
      [{ s: { $regex: '(?i)^main$' } }, 'a'],
      [{ s: { $regex: '(?im)^main$', $options: 'm' } }, 'ab'],
      [{ s: { $not: { $regex: '(?i)main' } } }, 'c'],
      [{ list: { $regex: '^TW' } }, 'a'],
      [{ list: { $elemMatch: { p: { $regex: '\\d$' } } } }, 'b'],
      [{ 'o.p': { $regex: 'ee' } }, 'a'],
      [{ _key: { $regex: '^[ac]$' } }, 'ac'],
      [{ $or: [{ s: { $regex: 'domain' } }, { _key: 'c' }] }, 'bc'],
    ];
    for (const [query, expected] of cases) expect(await keys(q(query)), JSON.stringify(query)).to.equal(expected);
    await bench.call('DELETE', `${DATA}?${q({ s: { $regex: 'n' } })}`);
    expect(await keys('')).to.equal('c');
  });

  it('stops a regular expression that would block the store', async () => {
    await insert({ _key: 'a', s: 'a'.repeat(60) });
    const started = Date.now();
    for (const method of ['GET', 'DELETE']) {
      const slow = await bench.call(method, `${DATA}?${q({ s: { $regex: '^(a+)+b' } })}`);
      expect(slow).to.include({ status: 400, text: 'The query is invalid: the expression of $regex takes too long.' });
    }
    expect(Date.now() - started).to.be.lessThan(5000);
    expect(await keys('')).to.equal('a');
  });

  it('refuses invalid queries', async () => {
    for (const bad of [
      '{',
      '[]',
      '1',
      '"x"',
      'null',
      '{"$where":"1"}',
      '{"a":{"$regex":"("}}',
      '{"a":{"$regex":1}}',
      '{"a":{"$regex":"a","$options":"x"}}',
      '{"a":{"$options":"i"}}',
      '{"a":{"$jsonSchema":{}}}',
      '{"$or":1}',
      '{"$or":[1]}',
      '{"a":{"$in":1}}',
      '{"a":{"$elemMatch":1}}',
      '['.repeat(5000) + ']'.repeat(5000),
      `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`,
    ]) {
      const url = `${DATA}?query=${encodeURIComponent(bad)}`;
      expect((await bench.call('GET', url)).status, bad.slice(0, 40)).to.equal(400);
      expect((await bench.call('DELETE', url)).status, bad.slice(0, 40)).to.equal(400);
    }
    expect((await bench.call('DELETE', `${DATA}?query=`)).status).to.equal(400);
    for (const bad of ['limit=x', 'limit=-1', 'skip=1.5', 'sort=a:2', 'sort=,', 'fields=a:1,b:0', 'shared=maybe']) {
      expect((await bench.call('GET', `${DATA}?${bad}`)).status, bad).to.equal(400);
    }
  });

  it('sorts, skips, limits and projects', async () => {
    await insert({ _key: 'a', n: 2, s: 'q', o: { p: 1, r: 2 } }, { _key: 'b', n: 10, s: 'q' }, { _key: 'c', s: 'p' });
    expect(await keys('sort=n')).to.equal('cab');
    expect(await keys('sort=n:-1')).to.equal('bac');
    expect(await keys('sort=s,n:-1')).to.equal('cba');
    expect(await keys('sort=n:-1&skip=1&limit=1')).to.equal('a');
    expect(await keys('skip=1')).to.equal('bc');
    expect(await keys('limit=2&skip=1')).to.equal('bc');
    expect(await keys('limit=0')).to.equal('abc');
    await insert({ _key: 'x', e: '\uff01' }, { _key: 'y', e: '😀' }, { _key: 'z', e: 'ä' });
    expect(await keys(`${q({ e: { $exists: true } })}&sort=e`)).to.equal('zxy');
    expect(await keys(`${q({ s: 'q' })}&skip=1`)).to.equal('b');
    const first = async (fields: string) => JSON.stringify((await find(`limit=1&fields=${fields}`))[0]);
    expect(await first('n')).to.equal('{"n":2,"_key":"a"}');
    expect(await first('n,_key:0')).to.equal('{"n":2}');
    expect(await first('n,_id:0')).to.equal('{"n":2}');
    expect(await first('o:0,_user:0')).to.equal('{"n":2,"s":"q","_key":"a"}');
    expect(await first('_key:0,o:0,s:0')).to.equal('{"n":2,"_user":"nobody"}');
    expect(await first('o.p')).to.equal('{"o":{"p":1},"_key":"a"}');
    expect(await first('o.p:0,s:0,_user:0')).to.equal('{"n":2,"o":{"r":2},"_key":"a"}');
  });

  it('keeps the order of insertion through replacements', async () => {
    await insert({ _key: 'c' }, { _key: 'a' }, { _key: 'b' });
    await insert({ _key: 'a', again: 1 }, { _key: 'd' });
    await bench.call('POST', `${DATA}/c`, { json: { again: 1 } });
    expect(await keys('')).to.equal('cabd');
  });

  it('batch_save returns keys in order, writes all or nothing, and has limits', async () => {
    const saved = await insert({ _key: 'a' }, {}, { _key: 'b' });
    expect(saved.status).to.equal(200);
    expect(saved.json[0]).to.equal('a');
    expect(saved.json[1]).to.match(/^[0-9a-f]{24}$/);
    expect((await insert({ _key: 'new' }, 5)).status).to.equal(400);
    expect(await bench.call('GET', `${DATA}/new`)).to.include({ status: 404 });
    expect((await bench.call('POST', `${DATA}/batch_save`, { json: {} })).status).to.equal(400);
    const many = await bench.call('POST', `${DATA}/batch_save`, { body: `[${'{},'.repeat(1000)}{}]` });
    expect(many).to.include({ status: 400 });
    // The text that published apps quote.
    expect(many.text).to.equal(
      'Request exceeds API limits - see limits.conf for details. ' +
        '(Too many documents for a single batch save, max_documents_per_batch_save=1000)',
    );
    expect((await bench.call('POST', `${DATA}/batch_save`, { body: `[${'{},'.repeat(999)}{}]` })).status).to.equal(200);
    const huge = await bench.call('POST', `${DATA}/batch_save`, { body: Buffer.alloc(50 * 1024 * 1024 + 1, 0x20) });
    expect(huge.text).to.contain('max_size_per_batch_save_mb=50');
  });

  it('deletes by query and everything', async () => {
    await insert({ _key: 'a', n: 1 }, { _key: 'b', n: 2 }, { _key: 'c', n: 3 });
    expect((await bench.call('DELETE', `${DATA}?${q({ _key: 'a', n: 2 })}`)).status).to.equal(200);
    expect(await keys('')).to.equal('abc');
    await bench.call('DELETE', `${DATA}?${q({ n: { $gt: 1 } })}`);
    expect(await keys('')).to.equal('a');
    await bench.call('DELETE', DATA);
    expect(await keys('')).to.equal('');
  });

  it('refuses bodies that are not documents', async () => {
    const deep = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const big = JSON.stringify({ text: 'x'.repeat(16 * 1024 * 1024) });
    const bodies = ['', 'NOT VALID DATA', '[]', '1', 'null', '"x"', '{"$a":1}', '{"a":[{"$ref":1}]}', '{"_key":5}'];
    for (const body of [...bodies, '{"_key":""}', '{"a\\u0000b":1}', deep, big]) {
      const reply = await bench.call('POST', DATA, { body });
      expect(reply.status, body.slice(0, 40)).to.equal(400);
      expect(reply.text).not.to.contain('NOT VALID');
    }
    expect(await find('')).to.deep.equal([]);
  });

  it('refuses millions of open brackets at once', async () => {
    const heap = process.memoryUsage().heapTotal;
    for (const part of ['[', '{"a":', '[{"\\"":[']) {
      const reply = await bench.call('POST', DATA, { body: part.repeat(5_000_000) });
      expect(reply).to.include({ status: 400, text: 'JSON in the request is nested deeper than 100 levels.' });
    }
    expect(process.memoryUsage().heapTotal - heap).to.be.lessThan(100 * 1024 * 1024);
    const flat = { text: `["\\${'[{'.repeat(1_000_000)}` };
    expect((await bench.call('POST', DATA, { json: flat })).status).to.equal(201);
  });

  it('preserves unusual names and keys', async () => {
    const document = { _key: 'ä/b c%?', ['__proto__']: { x: 1 }, 'a.b': 1, constructor: 2, text: 'ünï\u0000\ud800"' };
    expect((await bench.call('POST', DATA, { json: document })).status).to.equal(201);
    const url = `${DATA}/${encodeURIComponent(document._key)}`;
    const { json } = await bench.call('GET', url);
    expect(Object.keys(json)).to.deep.equal(['__proto__', 'a.b', 'constructor', 'text', '_user', '_key']);
    expect(json.text).to.equal(document.text);
    expect(Object.keys((await find('fields=__proto__,text'))[0])).to.deep.equal(['__proto__', 'text', '_key']);
    expect(await find(q({ text: document.text }))).to.have.length(1);
    expect((await bench.call('DELETE', url)).status).to.equal(200);
  });

  it('refuses a body that is not UTF-8, and stores nothing', async () => {
    const broken = Buffer.concat([
      Buffer.from('{"_key":"broken","text":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]);
    for (const [method, path, body] of [
      ['POST', DATA, broken],
      ['POST', `${DATA}/broken`, broken],
      ['POST', `${DATA}/batch_save`, Buffer.concat([Buffer.from('['), broken, Buffer.from(']')])],
      ['POST', `${DATA}/batch_find`, Buffer.concat([Buffer.from('['), broken, Buffer.from(']')])],
    ] as const) {
      const reply = await bench.call(method, path, { body });
      expect(reply.status, path).to.equal(400);
      expect(reply.text, path).to.include('The request is not valid UTF-8.');
    }
    expect((await bench.call('GET', `${DATA}/broken`)).status).to.equal(404);
    // A replacement character in the input is an ordinary character.
    const body = Buffer.from('{"_key":"fine","text":"\ufffd"}');
    expect((await bench.call('POST', DATA, { body })).status).to.equal(201);
    expect((await bench.call('GET', `${DATA}/fine`)).json.text).to.equal('\ufffd');
    await bench.call('DELETE', `${DATA}/fine`);
  });

  it('converts typed fields, and drops or refuses values that cannot be converted', async () => {
    const typed = DATA.replace('things', 'typed');
    const body = { _key: 'k', n: '12', b: 'true', s: 5, t: '3', x: '1', other: '9' };
    await bench.call('POST', typed, { json: body });
    expect((await bench.call('GET', `${typed}/k`)).json).to.deep.equal({
      ...{ n: 12, b: true, s: '5', t: 3, x: '1', other: '9' },
      ...{ _user: 'nobody', _key: 'k' },
    });
    await bench.call('POST', `${typed}/k`, { json: { n: 'twelve', b: 'perhaps', s: {}, t: [], rest: 1 } });
    expect((await bench.call('GET', `${typed}/k`)).json).to.deep.equal({ rest: 1, _user: 'nobody', _key: 'k' });
    const strict = DATA.replace('things', 'strict');
    expect((await bench.call('POST', strict, { json: { n: 'twelve' } })).status).to.equal(400);
    expect((await bench.call('POST', strict, { json: { n: '12' } })).status).to.equal(201);
  });

  it('finds only collections of the app and of system', async () => {
    for (const url of [DATA.replace('search', 'other'), DATA.replace('things', 'nix'), DATA.replace('things', 'off')]) {
      const reply = await bench.call('GET', url);
      expect(reply.status).to.equal(404);
      expect(reply.text).to.match(/^An object with name=\w+ does not exist$/);
    }
    for (const name of ['__proto__', 'default', 'constructor']) {
      expect((await bench.call('GET', DATA.replace('things', name))).status).to.equal(404);
    }
  });

  it('obeys the access rules in metadata', async () => {
    const closed = DATA.replace('things', 'closed');
    const half = DATA.replace('things', 'half');
    for (const [method, url] of [
      ['GET', closed],
      ['POST', closed],
      ['DELETE', closed],
      ['GET', `${closed}/k`],
      ['POST', `${closed}/batch_find`],
      ['POST', half],
      ['POST', `${half}/batch_save`],
      ['DELETE', half],
    ] as const) {
      const reply = await bench.call(method, url, { caller: BOB, json: [] });
      expect(reply.status, `${method} ${url}`).to.equal(403);
      expect(reply.text).to.match(/^You \(user=bob\) do not have permission to perform this operation \(requires cap/);
    }
    expect((await bench.call('GET', half, { caller: BOB })).status).to.equal(200);
    expect((await bench.call('GET', closed, { caller: caller('k', ['keeper']) })).status).to.equal(200);
    expect((await bench.call('GET', closed, { caller: caller('k', ['boss']) })).status).to.equal(200);
    expect((await bench.call('GET', closed, { caller: { ...BOB, system: true } })).status).to.equal(200);
  });

  it('obeys the fault switch', async () => {
    bench.faults.set('kvstore', { mode: 'down' });
    expect(await bench.call('GET', DATA)).to.include({
      status: 503,
      text: 'KV Store is initializing. Please try again later.',
    });
    bench.faults.set('kvstore', { mode: 'read_only' });
    expect((await bench.call('GET', DATA)).status).to.equal(200);
    expect((await bench.call('POST', `${DATA}/batch_find`, { json: [{}] })).status).to.equal(200);
    expect((await bench.call('POST', DATA, { json: {} })).status).to.equal(503);
    expect((await bench.call('DELETE', DATA)).status).to.equal(503);
    bench.faults.set('kvstore', { mode: 'slow', ms: 60 });
    const before = Date.now();
    expect((await bench.call('GET', DATA)).status).to.equal(200);
    expect(Date.now() - before).to.be.greaterThan(50);
    const gone = AbortSignal.abort();
    expect((await bench.call('POST', DATA, { json: {}, signal: gone })).status).to.equal(503);
    bench.faults.set('kvstore', { mode: 'ok' });
    expect((await bench.call('GET', DATA)).json).to.deep.equal([]);
  });
});
