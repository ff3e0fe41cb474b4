import { expect } from 'chai';
import { copied } from '../support/copied.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';

const COLLECTION = 'ml_mcp_connections';
const COUNT = 45;

type Json = Record<string, unknown>;

describe('lists over HTTP, with an older app at the same store', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform();
    await platform.createUser('reader', ['user', 'power']);
    for (let index = 0; index < COUNT; index += 1) {
      const name = `${index % 2 ? 'Name' : 'name'} ${String((index * 7) % COUNT).padStart(2, '0')}`;
      const acl = { sharing: 'app', perms: { read: index % 3 ? ['power'] : [] } };
      const body = { name, type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' }, acl };
      expectStatus(await platform.ml('admin', 'POST', '/mcp_connection', body), 200, name);
    }
  });
  after(() => platform.dispose());

  const numbers = async (user: string, query = '') => {
    const reply = await platform.ml(user, 'GET', `/mcp_connection${query}`);
    expectStatus(reply, 200, query);
    const { result, pagination } = reply.json;
    return { total: pagination.total, numbers: result.map(({ name }: Json) => Number(String(name).slice(5))) };
  };
  const docOf = async (number: number) => {
    const docs = await platform.documents(COLLECTION);
    return docs.find(({ name }) => Number(String(name).slice(5)) === number) as Json;
  };
  const readable = Array.from({ length: COUNT }, (_, index) => index)
    .filter((index) => index % 3)
    .map((index) => (index * 7) % COUNT)
    .sort((a, b) => a - b);
  const all = Array.from({ length: COUNT }, (_, index) => index);

  it('are in order without regard to case, whole, and without what the caller may not read', async () => {
    expect(await numbers('admin', '?count=0')).to.deep.equal({ total: COUNT, numbers: all });
    expect(await numbers('admin', '?offset=40')).to.deep.equal({ total: COUNT, numbers: all.slice(40) });
    expect(await numbers('reader')).to.deep.equal({ total: readable.length, numbers: readable });
    const last = await numbers('reader', '?sort_dir=desc&count=3');
    expect(last).to.deep.equal({ total: readable.length, numbers: readable.toReversed().slice(0, 3) });
  });

  it('count a right that 0.2.0 has given or taken away at once, and the records get their fields again', async () => {
    const [given = 0, taken = 0] = [all.find((one) => !readable.includes(one)), readable[0]];
    for (const [number, read] of [
      [given, ['power']],
      [taken, []],
    ] as const) {
      const { form, ...doc } = await docOf(number);
      expect(form).to.equal(1);
      const acl = { owner: 'admin', sharing: 'app', perms: { read, write: [] } };
      await platform.putDocument(COLLECTION, { ...doc, acl, version: 2 });
    }
    const now = [...readable.filter((one) => one !== taken), given].sort((a, b) => a - b);
    for (let round = 0; round < 2; round += 1) {
      expect(await numbers('reader')).to.deep.equal({ total: now.length, numbers: now });
      expect(await numbers('admin', '?count=0')).to.deep.equal({ total: COUNT, numbers: all });
    }
    expect(await docOf(given)).to.include({ form: 1, version: 2 });
    expect((await docOf(given)).list_audience).to.deep.equal(['power']);
    expect((await docOf(taken)).list_audience).to.deep.equal([]);
  });

  it('a search of many finds at once what others have changed, made and removed', async () => {
    const doc = await docOf(0);
    const many = Array.from({ length: 400 }, (_, index) => {
      const name = `many ${String(index).padStart(4, '0')}`;
      return { ...copied(doc, `many-${index}`, name), description: index % 4 ? 'plain' : 'Special' };
    });
    await platform.putDocuments(COLLECTION, many);
    const found = async (search: string) => {
      const reply = await platform.ml('admin', 'GET', `/mcp_connection?search=${search}`);
      expectStatus(reply, 200, search);
      return [reply.json.pagination.total, reply.json.result[0]?.name];
    };
    expect(await found('SPECIAL')).to.deep.equal([100, 'many 0000']);
    const [first = {}, second = {}] = many;
    const now = Date.now() / 1000;
    await platform.putDocument(COLLECTION, { ...second, description: 'special too', version: 2, last_updated_at: now });
    await platform.removeDocument(COLLECTION, 'many-0');
    expect(await found('special')).to.deep.equal([100, 'many 0001']);
    await platform.putDocument(COLLECTION, { ...first, last_updated_at: now });
    expect(await found('special')).to.deep.equal([101, 'many 0000']);
    expect(await found('special%20t')).to.deep.equal([1, 'many 0001']);
    for (const { _key } of many) await platform.removeDocument(COLLECTION, _key);
    expect(await found('many')).to.deep.equal([0, undefined]);
  });

  it('count at once what the app itself changes', async () => {
    const [first = 0] = readable;
    const name = String((await docOf(first)).name);
    const share = async (read: string[]) => {
      const reply = await platform.ml('admin', 'PUT', '/mcp_connection', { name, acl: { perms: { read } } });
      expectStatus(reply, 200, name);
    };
    await share(['power']);
    expect((await numbers('reader')).numbers).to.include(first);
    await share([]);
    expect((await numbers('reader')).numbers).to.not.include(first);
  });
});
