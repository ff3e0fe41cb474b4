import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { Query } from 'mingo';
import { accelerationsOf } from '../../src/kv/store/accelerations.ts';
import { finder } from '../../src/kv/store/find.ts';
import { indexPlan } from '../../src/kv/store/indexPlan.ts';
import type { Json, JsonObject } from '../../src/kv/store/json.ts';
import { KvStore, type Partition } from '../../src/kv/store/store.ts';
import { temporaryFolder } from '../support/platform.ts';
import { Random } from '../support/random.ts';

const STANZA = {
  'accelerated_fields.title': '{"title":1,"id":1,"owner":1,"size":1}',
  'accelerated_fields.size': '{"size":-1,"id":1,"owner":1}',
};
const PLAIN: Partition = { app: 'a', collection: 'plain', user: 'nobody' };
const FAST: Partition = { ...PLAIN, collection: 'fast', accelerations: accelerationsOf(STANZA) };

const AT: Partition = {
  ...PLAIN,
  collection: 'c',
  accelerations: accelerationsOf({
    'accelerated_fields.id': '{"id":1,"owner":1,"tags":1,"n":1}',
    'accelerated_fields.n': '{"n":1,"id":1,"owner":1,"tags":1}',
  }),
};
/** Texts that are ambiguous inside JSON. */
const WORDS = [
  'a',
  'b',
  'ab',
  '',
  ',',
  'a,b',
  '"',
  '\\',
  'a"b',
  '["a"]',
  '[',
  ']',
  '","',
  'é',
  '𝄞',
  '*',
  '-',
  'null',
  '1',
];
const PLAIN_WORDS = ['a', 'b', 'ab', '', 'é', '𝄞', '*', '-', 'null', '1', 'power user'];

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

  let docs: JsonObject[] = [];
  const fill = (made: readonly JsonObject[]) => {
    store.removeAll(AT);
    docs = made.map((doc, index) => ({ ...doc, id: String(index).padStart(3, '0') }));
    store.saveAll(
      AT,
      docs.map((doc) => ({ key: `k${String(doc.id)}`, doc: JSON.stringify(doc) })),
    );
  };
  const found = (query: JsonObject, more: Parameters<typeof finder>[0] = {}) =>
    JSON.parse(`[${finder({ query, sort: 'id:1', ...more })(store, AT).join(',')}]`) as JsonObject[];
  const oracle = (query: JsonObject) => {
    const test = new Query(query as never);
    return docs.filter((doc) => test.test(doc)).map(({ id }) => id);
  };
  const ids = (query: JsonObject) => found(query).map(({ id }) => id);

  function queriesOf(pick: <T>(list: readonly T[]) => T, words: readonly Json[]): JsonObject[] {
    const [one, two] = [pick(words), pick(words)];
    return [
      { tags: one },
      { tags: { $eq: one } },
      { tags: { $ne: one } },
      { $or: [{ owner: pick(words) }, { tags: one }, { tags: two }] },
      { $and: [{ tags: one }, { tags: two }] },
      { $and: [{ $or: [{ owner: 'a' }, { tags: one }] }, { n: 2 }] },
      { tags: { $gt: one } },
      { tags: one, n: { $gte: 1 } },
      { owner: one },
    ];
  }

  for (const [what, words] of [
    ['plain texts', PLAIN_WORDS],
    ['any texts', WORDS],
  ] as const) {
    it(`answers as MongoDB's rules say for scalars and arrays of ${what}`, () => {
      // Tens of thousands of queries.
      for (const seed of [1, 2, 3, 4]) {
        const generator = new Random(seed);
        const random = () => generator.next();
        const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
        const some = () => Array.from({ length: Math.floor(random() * 4) }, () => pick(words));
        fill(
          Array.from({ length: 80 }, () => ({
            n: Math.floor(random() * 4),
            ...(random() < 0.9 ? { owner: pick(words) } : {}),
            ...(random() < 0.9 ? { tags: random() < 0.7 ? some() : pick(words) } : {}),
          })),
        );
        for (let round = 0; round < 60; round += 1) {
          for (const query of queriesOf(pick, [...words, 1, '["a"]', '["a","b"]'])) {
            expect(ids(query), `seed ${seed} ${JSON.stringify(query)}`).to.deep.equal(oracle(query));
          }
        }
      }
    });
  }

  it('answers as MongoDB does when arrays hold anything', () => {
    fill([
      { tags: ['a', ['b']], n: 1 },
      { tags: [{ a: 'b' }], n: 1 },
      { tags: ['b', null], n: 2 },
      { tags: [1, 'b'], n: 2 },
      { tags: [true], n: 3 },
      { tags: null, n: 3 },
      { tags: [], n: 3 },
    ]);
    for (const value of ['a', 'b', 1, null, true, ['b'], ['a', ['b']], []] as Json[]) {
      for (const query of [{ tags: value }, { tags: { $ne: value } }] as JsonObject[]) {
        expect(ids(query), JSON.stringify(query)).to.deep.equal(oracle(query));
      }
    }
  });

  it('shows arrays as arrays, counts keys and removes by the index', () => {
    fill(
      Array.from({ length: 30 }, (_, n) => ({
        n,
        owner: 'x',
        tags: n % 3 === 0 ? ['a', 'b'] : n % 3 === 1 ? [] : 'a',
      })),
    );
    const query = { $or: [{ owner: 'a' }, { tags: 'a' }] };
    expect(indexPlan(query, [['id', 1]], AT.accelerations ?? [])).not.to.equal(undefined);
    expect(found(query, { fields: 'tags', limit: 2 })).to.deep.equal([
      { tags: ['a', 'b'], _key: 'k000' },
      { tags: 'a', _key: 'k002' },
    ]);
    expect(found(query, { fields: '_key' })).to.have.length(20);
    const plan = indexPlan({ tags: 'b' }, [], AT.accelerations ?? []);
    if (!plan) throw new Error('no plan');
    store.removeIndexed(AT, plan);
    expect(ids({})).to.have.length(20);
  });

  it('scans documents to sort or compare a field with arrays', () => {
    fill([
      { tags: ['b', 'a'], n: 1 },
      { tags: 'c', n: 2 },
      { tags: [], n: 3 },
    ]);
    for (const query of [{ tags: { $gte: 'b' } }, { tags: { $lt: 'b' } }] as JsonObject[]) {
      expect(ids(query)).to.deep.equal(oracle(query));
    }
    // Arrays sort after texts, as without the index.
    expect(found({}, { sort: 'tags:1,id:1' }).map(({ n }) => n)).to.deep.equal([2, 1, 3]);
  });

  it('uses the index: a page for a reader through a role costs the same of many as of few', () => {
    const at: Partition = { ...AT, collection: 'many' };
    const fillMany = (from: number, to: number) =>
      store.saveAll(
        at,
        Array.from({ length: to - from }, (_, index) => {
          const n = from + index;
          const doc = {
            id: String((n * 7919) % 10_007),
            owner: 'x',
            tags: n % 2 ? ['power', 'user'] : [],
            n,
            text: 'x'.repeat(500),
          };
          return { key: `k${n}`, doc: JSON.stringify(doc) };
        }),
      );
    const query = { $or: [{ owner: 'ann' }, { tags: '*' }, { tags: 'power' }, { tags: 'user' }] };
    const timed = () => {
      const started = performance.now();
      for (let run = 0; run < 50; run += 1) finder({ query, sort: 'id:1', limit: 30 })(store, at);
      return performance.now() - started;
    };
    fillMany(0, 100);
    timed();
    const few = timed();
    fillMany(100, 10_000);
    timed();
    // A scan would cost a hundred times as much.
    expect(timed() / few).to.be.lessThan(10);
  });
});
