import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { accelerationsOf } from '../../src/kv/store/accelerations.ts';
import { finder } from '../../src/kv/store/find.ts';
import { indexPlan } from '../../src/kv/store/indexPlan.ts';
import type { JsonObject } from '../../src/kv/store/json.ts';
import { KvStore, type Partition } from '../../src/kv/store/store.ts';
import { temporaryFolder } from '../support/platform.ts';

const STANZA = {
  'accelerated_fields.title': '{"title":1,"id":1,"owner":1,"size":1}',
  'accelerated_fields.size': '{"size":-1,"id":1,"owner":1}',
};
const PLAIN: Partition = { app: 'a', collection: 'plain', user: 'nobody' };
const FAST: Partition = { ...PLAIN, collection: 'fast', accelerations: accelerationsOf(STANZA) };

describe('embedded KV store: accelerated fields', () => {
  let home: string;
  let store: KvStore;

  before(() => {
    home = temporaryFolder();
    store = new KvStore(home);
  });
  after(() => {
    store.close();
    rmSync(home, { recursive: true, force: true });
  });

  function save(id: number, doc: JsonObject): void {
    for (const at of [PLAIN, FAST]) store.saveAll(at, [{ key: `k${id}`, doc: JSON.stringify(doc) }]);
  }
  const search = (at: Partition, spec: Parameters<typeof finder>[0]) =>
    JSON.parse(`[${finder(spec)(store, at).join(',')}]`);

  const TITLES = ['a', 'b', 'B', 'é', '10', '9', ''];
  const QUERIES: JsonObject[] = [
    {},
    { owner: 'bob' },
    { size: 3 },
    { size: '3' },
    { size: { $gt: 2 } },
    { size: { $gte: 2, $lt: 5 } },
    { title: { $gt: 'a' } },
    { owner: { $ne: 'bob' } },
    { $or: [{ owner: 'bob' }, { size: 1 }] },
    { $and: [{ owner: 'bob' }, { $or: [{ size: 1 }, { title: 'é' }] }] },
    { $or: [{ owner: 'bob' }, { owner: 'carol' }], size: { $lte: 4 } },
    { owner: { $eq: 'carol' }, _key: { $gt: 'k3' } },
    { owner: { $in: ['bob'] } },
    { owner: null },
    { other: 1 },
  ];
  const SORTS = [undefined, 'title:1,id:1', 'title:-1,id:1', 'size:-1,id:-1', 'owner:1,id:1', '_key:1', 'other:1'];
  const FIELDS = [undefined, '_key', 'owner', 'owner,title,_key:0', 'other', 'title:0', 'owner.x'];

  function compareAll(): number {
    let indexed = 0;
    for (const query of QUERIES) {
      for (const sort of SORTS) {
        for (const [skip, limit] of [
          [0, 0],
          [3, 5],
        ]) {
          for (const fields of FIELDS) {
            const spec = { query, sort, skip, limit, fields };
            const [fast, plain] = [search(FAST, spec), search(PLAIN, spec)];
            // Keys alone come as the index has them where no order is asked for.
            if (sort !== undefined || fields !== '_key') expect(fast, JSON.stringify(spec)).to.deep.equal(plain);
            else if (skip === 0) expect(fast, JSON.stringify(spec)).to.have.deep.members(plain);
            else expect(fast, JSON.stringify(spec)).to.have.length(plain.length);
          }
        }
        const order = (sort ?? '').split(',').filter(Boolean);
        const pairs = order.map((part): [string, 1 | -1] => [part.split(':')[0] ?? '', part.endsWith('-1') ? -1 : 1]);
        if (indexPlan(query, pairs, FAST.accelerations ?? [])) indexed += 1;
      }
    }
    return indexed;
  }

  it('does not change any result', () => {
    for (let id = 0; id < 60; id += 1) {
      save(id, {
        id: String(id).padStart(2, '0'),
        title: TITLES[id % TITLES.length] ?? '',
        size: id % 6,
        other: id % 3,
        ...(id % 4 === 0 ? {} : { owner: ['bob', 'carol', 'dave'][id % 3] ?? '' }),
      });
    }
    expect(compareAll()).to.be.greaterThan(60);
  });

  it('does not change results if a field holds other types', () => {
    const odd: JsonObject[] = [
      { id: 'x1', owner: ['bob', 'carol'], size: 3 },
      { id: 'x2', owner: null, size: true },
      { id: 'x3', title: { deep: 1 }, size: 2 },
    ];
    odd.forEach((doc, index) => {
      save(100 + index, doc);
    });
    compareAll();
    for (const at of [PLAIN, FAST]) for (const index of [100, 101, 102]) store.remove(at, `k${index}`);
    expect(compareAll()).to.be.greaterThan(60);
  });

  it('uses the index: a sorted page costs the same of many as of few', () => {
    const at: Partition = { ...FAST, collection: 'many' };
    const timed = () => {
      const started = performance.now();
      for (let run = 0; run < 50; run += 1) {
        search(at, { query: { $or: [{ owner: 'o1' }, { owner: 'o2' }] }, sort: 'title:1,id:1', limit: 30 });
      }
      return performance.now() - started;
    };
    const doc = (id: number) =>
      JSON.stringify({ id: String(id), title: `t${(id * 7919) % 10_007}`, owner: `o${id % 3}`, text: 'x'.repeat(500) });
    const fill = (from: number, to: number) => {
      const docs = Array.from({ length: to - from }, (_, index) => ({
        key: `k${from + index}`,
        doc: doc(from + index),
      }));
      store.saveAll(at, docs);
    };
    fill(0, 100);
    timed();
    const few = timed();
    fill(100, 10_000);
    timed();
    // A scan would cost a hundred times as much.
    expect(timed() / few).to.be.lessThan(10);
  });

  it('removes by the index', () => {
    for (const at of [PLAIN, FAST]) {
      const query = { owner: 'bob', size: { $lte: 2 } };
      const plan = indexPlan(query, [], at.accelerations ?? []);
      if (plan) store.removeIndexed(at, plan);
      else for (const { _key } of search(at, { query })) store.remove(at, _key);
    }
    expect(search(FAST, {})).to.have.deep.members(search(PLAIN, {}));
    expect(search(FAST, { query: { owner: 'bob' } })).to.have.length.greaterThan(0);
  });

  it('rebuilds its indexes when the conf changes, and ignores invalid settings', () => {
    expect(accelerationsOf({ 'accelerated_fields.a': '{"a":1', 'accelerated_fields.b': '{"x y":1}' })).to.deep.equal(
      [],
    );
    const changed: Partition = { ...FAST, accelerations: [['size', 'owner']] };
    const spec = { query: { size: 2 }, sort: 'size:1' };
    expect(search(changed, spec)).to.deep.equal(search(PLAIN, spec));
    const second = new KvStore(home);
    expect(JSON.parse(`[${finder(spec)(second, FAST).join(',')}]`)).to.deep.equal(search(PLAIN, spec));
    second.close();
  });
});
