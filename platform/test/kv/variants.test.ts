import { expect } from 'chai';
import { BATCHES, type KvVariants } from '../../src/kv/variants.ts';
import { type Bench, makeBench } from '../support/stores.ts';

const DATA = '/servicesNS/nobody/search/storage/collections/data/things';
const INVALID = 'The provided query was invalid.';

describe('embedded KV store: contested behaviour', () => {
  let bench: Bench;
  afterEach(() => bench.close());

  const start = async (variants: Partial<KvVariants>) => {
    bench = makeBench({ 'etc/apps/search/default/collections.conf': '[things]\n' }, variants);
    const documents = [
      { _key: 'b', n: 2, s: 'q' },
      { _key: 'a', n: 10, s: 'q' },
      { _key: 'c', n: 1, s: 'p' },
    ];
    await bench.call('POST', `${DATA}/batch_save`, { json: documents });
  };
  const batch = (...queries: unknown[]) => bench.call('POST', `${DATA}/batch_find`, { json: queries });
  const keys = async (query: unknown): Promise<string> => {
    const { status, json } = await batch(query);
    expect(status, JSON.stringify(query)).to.equal(200);
    return json[0].map((doc: { _key: string }) => doc._key).join('');
  };

  it('refuses to replace a missing document', async () => {
    await start({});
    expect((await bench.call('POST', `${DATA}/new`, { json: { n: 1 } })).status).to.equal(404);
    expect((await bench.call('GET', `${DATA}/new`)).status).to.equal(404);
  });

  it('inserts a missing document on replacing it, if so chosen', async () => {
    await start({ replace: 'insert' });
    const body = { _key: 'other', n: 1 };
    expect(await bench.call('POST', `${DATA}/new`, { json: body })).to.include({ status: 200, text: '{"_key":"new"}' });
    expect((await bench.call('GET', `${DATA}/new`)).json).to.deep.equal({ n: 1, _user: 'nobody', _key: 'new' });
    expect((await bench.call('GET', `${DATA}/other`)).status).to.equal(404);
    expect((await bench.call('POST', `${DATA}/new`, { json: { n: 2 } })).status).to.equal(200);
    expect((await bench.call('GET', `${DATA}/new`)).json.n).to.equal(2);
    expect((await bench.call('POST', DATA, { json: { _key: 'new' } })).status).to.equal(409);
    expect((await bench.call('POST', `${DATA}/new`, { json: [] })).status).to.equal(400);
  });

  for (const mode of BATCHES) {
    it(`finds by numbers and lists of objects in a batch (${mode})`, async () => {
      await start({ batch: mode });
      const reply = await batch({ query: { n: 2 } }, { query: { n: 99 } }, { v: 2 }, {});
      expect(reply.status).to.equal(200);
      expect(reply.json.map((docs: unknown[]) => docs.length)).to.deep.equal([1, 0, 3, 3]);
      expect(reply.json[0]).to.deep.equal([{ n: 2, s: 'q', _user: 'nobody', _key: 'b' }]);
      expect(await keys({ sort: [{ n: -1 }], skip: 1, limit: 1 })).to.equal('b');
      expect(await keys({ sort: [{ s: 1 }, { n: -1 }] })).to.equal('cab');
      expect(await keys({ sort: [{ s: -1, n: 1 }] })).to.equal('bac');
      expect(await keys({ sort: [], limit: 0 })).to.equal('bac');
      expect((await batch({ query: { n: 2 }, fields: 'n,_key:0' })).json).to.deep.equal([[{ n: 2 }]]);
      expect((await batch({ query: { n: 2 }, fields: ['n'] })).json).to.deep.equal([[{ n: 2, _key: 'b' }]]);
      for (const bad of [1, 'nope', null, []]) {
        expect(await batch(bad), JSON.stringify(bad)).to.include({ status: 400, text: INVALID });
      }
      for (const bad of [{}, [{ query: { $where: '1' } }], new Array(1001).fill({})]) {
        expect((await bench.call('POST', `${DATA}/batch_find`, { json: bad })).status).to.equal(400);
      }
    });
  }

  const TEXTS = [{ limit: '1' }, { skip: '1' }, { sort: 'n' }, { sort: 'n:-1' }, { sort: { n: -1 } }];
  const WRONG = [
    { limit: -1 },
    { skip: 1.5 },
    { limit: true },
    { limit: [1] },
    { sort: 1 },
    { sort: ['n'] },
    { sort: [{ n: 2 }] },
  ];

  it('refuses text where numbers and lists are needed (strict)', async () => {
    await start({});
    for (const query of [...TEXTS, ...WRONG, { limit: '' }, { limit: null }, { sort: '' }]) {
      expect(await batch({}, query), JSON.stringify(query)).to.include({ status: 400, text: INVALID });
    }
  });

  it('ignores text where numbers and lists are needed (ignore)', async () => {
    await start({ batch: 'ignore' });
    for (const query of [...TEXTS, ...WRONG]) expect(await keys(query), JSON.stringify(query)).to.equal('bac');
  });

  it('understands text as GET does (lenient)', async () => {
    await start({ batch: 'lenient' });
    const expected = ['b', 'ac', 'cba', 'abc', 'abc'];
    for (const [index, query] of TEXTS.entries()) expect(await keys(query)).to.equal(expected[index]);
    expect(await keys({ query: '{"n":1}' })).to.equal('c');
    for (const query of WRONG) expect((await batch(query)).status, JSON.stringify(query)).to.equal(400);
  });
});
