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

const AT: Partition = {
  app: 'a',
  collection: 'c',
  user: 'nobody',
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
const PLAIN = ['a', 'b', 'ab', '', 'é', '𝄞', '*', '-', 'null', '1', 'power user'];

describe('embedded KV store: arrays in accelerated fields', () => {
  let home: string;
  let store: KvStore;
  let docs: JsonObject[] = [];

  before(() => {
    home = temporaryFolder();
    store = new KvStore(home);
  });
  after(() => {
    store.close();
    rmSync(home, { recursive: true, force: true });
  });

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
    ['plain texts', PLAIN],
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
