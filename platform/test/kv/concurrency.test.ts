import { expect } from 'chai';
import { KvStore } from '../../src/kv/store/store.ts';
import { type Bench, makeBench } from '../support/stores.ts';

const DATA = '/servicesNS/nobody/search/storage/collections/data/things';
const AT = { app: 'search', collection: 'things', user: 'nobody' };

describe('embedded KV store: concurrency and size', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = makeBench({ 'etc/apps/search/default/collections.conf': '[things]\n' });
  });
  afterEach(() => bench.close());

  it('let only one of a hundred inserts of a key succeed', async () => {
    const inserts = Array.from({ length: 100 }, (_, n) => bench.call('POST', DATA, { json: { _key: 'k', n } }));
    const statuses = (await Promise.all(inserts)).map((reply) => reply.status);
    expect(statuses.filter((status) => status === 201)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(99);
  });

  it('let only one take over a lease', async () => {
    await bench.call('POST', DATA, { json: { _key: 'lease', token: 'old' } });
    const query = encodeURIComponent('{"_key":"lease","token":"old"}');
    const takeOver = async (token: number) => {
      await bench.call('DELETE', `${DATA}?query=${query}`);
      return (await bench.call('POST', DATA, { json: { _key: 'lease', token } })).status;
    };
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, n) => takeOver(n)));
    expect(statuses.filter((status) => status === 201)).to.have.length(1);
  });

  it('find one of a hundred thousand documents by key without a scan', async () => {
    const store = new KvStore(bench.home);
    const docs = Array.from({ length: 100_000 }, (_, n) => ({
      key: `k${n}`,
      doc: JSON.stringify({ n, name: `x${n}` }),
    }));
    store.saveAll(AT, docs);
    store.close();
    const time = async (url: string, times: number): Promise<number> => {
      const before = performance.now();
      for (let n = 0; n < times; n += 1) expect((await bench.call('GET', url)).status).to.equal(200);
      return (performance.now() - before) / times;
    };
    const one = await time(`${DATA}/k77777`, 50);
    const byKey = await time(`${DATA}?query=${encodeURIComponent('{"_key":"k77777","n":77777}')}`, 50);
    const scan = await time(`${DATA}?query=${encodeURIComponent('{"n":{"$gt":99998}}')}`, 1);
    const equal = await time(`${DATA}?query=${encodeURIComponent('{"name":"x77777"}')}`, 3);
    if (process.env.SHOW_TIMES) console.log({ one, byKey, equal, scan });
    expect(one).to.be.lessThan(scan / 10);
    expect(byKey).to.be.lessThan(scan / 10);
    expect(equal).to.be.lessThan(scan);
  });
});
