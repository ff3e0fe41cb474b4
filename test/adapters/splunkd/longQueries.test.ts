import { expect } from 'chai';
import { Query as MingoQuery } from 'mingo';
import type { SplunkdCall, SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { MAX_QUERY_CHARS, partsOf, urlLength } from '../../../src/adapters/splunkd/stores/longQueries.ts';
import { splunkdRecords } from '../../../src/adapters/splunkd/stores/recordStore.ts';
import type { FindOptions, Query } from '../../../src/ports/stores/recordStore.ts';
import { Random } from '../../support/random.ts';

type Rank = number | string | boolean | null | number[] | string[];
type Stored = { _key: string; name: string; rank?: Rank; audience: string[] };

const matching = (documents: readonly Stored[], query: Query = {}): Stored[] => {
  const test = new MingoQuery(query as ConstructorParameters<typeof MingoQuery>[0]);
  return documents.filter((document) => test.test(document));
};

/** MongoDB's order of types. */
const typeOf = (value: Rank | undefined): number =>
  value === undefined || value === null
    ? 0
    : Array.isArray(value)
      ? 4
      : ['number', 'string', '', '', 'boolean'].indexOf(typeof value) + 1;

function compare(a: Rank | undefined, b: Rank | undefined): number {
  const types = typeOf(a) - typeOf(b);
  if (types !== 0 || typeOf(a) === 0) return types;
  const [left, right] = [a, b].map((value) => (Array.isArray(value) ? JSON.stringify(value) : value)) as [
    string,
    string,
  ];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Documents by the fields of a sort; those with the same values stay in the order that they are in. */
const sorted = (documents: readonly Stored[], sort = ''): Stored[] =>
  documents.toSorted((a, b) => {
    for (const [field, direction] of sort.split(',').map((part) => part.split(':') as [keyof Stored, string])) {
      const order = compare(a[field], b[field]) * Number(direction);
      if (order !== 0) return order;
    }
    return 0;
  });

/** What one query of any length gives. */
function answer(documents: readonly Stored[], { query, sort = '_key:1', skip = 0, limit = 0 }: FindOptions): Stored[] {
  const matches = sorted(matching(documents, query), `${sort},_key:1`);
  return matches.slice(skip, limit === 0 ? undefined : skip + limit);
}

/** A platform that refuses long lines; without a sort, and among equal values, it answers in the order of insertion. */
class Store {
  readonly calls: SplunkdCall[] = [];
  /** Runs before each call. */
  before: (call: SplunkdCall) => void = () => {};
  documents: readonly Stored[];

  constructor(documents: readonly Stored[]) {
    this.documents = documents;
  }

  records() {
    return splunkdRecords(
      { call: async (call: SplunkdCall) => this.#answer(call) } as unknown as SplunkdClient,
      'token',
    );
  }

  #answer(call: SplunkdCall) {
    this.before(call);
    this.calls.push(call);
    const { query: text = '{}', sort, skip = '0', limit = '0', fields } = call.query ?? {};
    const query = JSON.parse(text) as Query;
    expect(urlLength(query)).to.be.at.most(MAX_QUERY_CHARS);
    const matches = matching(this.documents, query);
    if (call.method === 'DELETE') {
      this.documents = this.documents.filter((document) => !matches.includes(document));
      return { status: 200, text: '{}', repeated: false };
    }
    expect(call.method).to.equal('GET');
    const end = limit === '0' ? undefined : Number(skip) + Number(limit);
    const rows = (sort ? sorted(matches, sort) : matches).slice(Number(skip), end).map((row) => {
      const names = fields?.split(',');
      return names ? Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) : row;
    });
    return { status: 200, text: JSON.stringify(rows), repeated: false };
  }
}

const RANKS: (Rank | undefined)[] = [undefined, 3, 'b', null, true, -1, 'a', [2], 3, 'ä', false];

/** In an order of insertion that is not that of the keys. */
const keyed = (count: number): Stored[] =>
  Array.from({ length: count }, (_, index) => {
    const number = (index * 97) % count;
    const rank = RANKS[number % RANKS.length];
    return {
      _key: `${'connection of a team '.repeat(2)}${String(number).padStart(4, '0')}`,
      name: `n${number % 7}`,
      ...(rank === undefined ? {} : { rank }),
      audience: [`role_${'x'.repeat(30)}_${number % 40}`],
    };
  });

describe('queries that are too long for a request line', () => {
  const documents = keyed(190);
  const byKeys = { $or: documents.map(({ _key }) => ({ _key })) };
  const byRoles = { $or: Array.from({ length: 150 }, (_, index) => ({ audience: `role_${'x'.repeat(30)}_${index}` })) };
  const keysOf = (rows: readonly { _key: string }[]) => rows.map(({ _key }) => _key);

  it('are divided into short ones that match the same', () => {
    const long = 'x'.repeat(5000);
    const queries: Query[] = [
      byKeys,
      byRoles,
      { $and: [{ rank: { $gt: 0 } }, byKeys] },
      { rank: 3, $or: byKeys.$or },
      { $and: [{ $and: [byKeys, { name: { $ne: 'n1' } }] }, { name: { $ne: long } }] },
      { $or: [{ $and: [byKeys, { name: 'n1' }] }] },
      { $or: [{ $and: [byKeys, { name: 'n1' }] }, { $and: [byRoles, { name: 'n2' }] }] },
      { $or: [{ audience: '*' }], $and: [byKeys, byRoles] },
    ];
    for (const query of queries) {
      const parts = partsOf(query);
      const title = JSON.stringify(query).slice(0, 80);
      expect(parts.length, title).to.be.above(1);
      for (const part of parts) expect(urlLength(part), title).to.be.at.most(MAX_QUERY_CHARS);
      const keys = new Set(parts.flatMap((part) => keysOf(matching(documents, part))));
      expect([...keys].sort(), title).to.deep.equal(keysOf(answer(documents, { query })));
    }
    expect(partsOf({ name: 'x'.repeat(9000) })).to.have.length(1);
    expect(partsOf({ name: 'x' })).to.deep.equal([{ name: 'x' }]);
  });

  it('are measured by the length that they have in a URL', () => {
    const query = { $or: Array.from({ length: 20 }, (_, index) => ({ _key: `${'名'.repeat(100)}${index}` })) };
    expect(JSON.stringify(query).length).to.be.below(4000);
    expect(partsOf(query).length).to.be.above(1);
    for (const part of partsOf(query))
      expect(encodeURIComponent(JSON.stringify(part)).length).to.be.at.most(MAX_QUERY_CHARS);
  });

  it('are answered as one query, each document once, in its order', async () => {
    const random = new Random(7);
    for (let round = 0; round < 30; round += 1) {
      const query = random.pick([
        byKeys,
        byRoles,
        { $and: [{ rank: { $gt: 0 } }, byRoles] },
        { $and: [byKeys, byRoles] },
      ]);
      const sort = random.pick(['_key:1', '_key:-1', 'name:1', 'rank:-1', 'rank:1,name:-1', 'rank:1', undefined]);
      const skip = random.pick([0, 0, 20, 180, 400]);
      const limit = random.pick([1, 30, 100, 500]);
      const options = { query, skip, limit, ...(sort && { sort }) };
      const title = JSON.stringify({ sort, skip, limit });
      expect(await new Store(documents).records().find('c', options), title).to.deep.equal(answer(documents, options));
      const named = await new Store(documents).records().find<Stored>('c', { ...options, fields: ['name'] });
      expect(named, title).to.deep.equal(answer(documents, options).map(({ _key, name }) => ({ _key, name })));
    }
  });

  it('have pages without gaps and repetitions where many documents have the same value', async () => {
    for (const sort of ['name:1', 'name:-1', 'rank:1', 'rank:-1']) {
      const records = new Store(documents).records();
      const keys: string[] = [];
      for (let skip = 0; skip < 190; skip += 17) {
        keys.push(...keysOf(await records.find('c', { query: byKeys, sort, skip, limit: 17 })));
      }
      expect(keys, sort).to.deep.equal(keysOf(answer(documents, { query: byKeys, sort })));
    }
  });

  it('are counted and read in chunks without a document twice', async () => {
    const query = { $or: [...byKeys.$or, ...byRoles.$or] };
    const records = new Store(documents).records();
    expect(await records.count('c', query)).to.equal(190);
    expect(await records.count('c', query, 190)).to.equal(190);
    const keys: string[] = [];
    for await (const chunk of records.chunks<Stored>('c', { query })) keys.push(...keysOf(chunk));
    expect(keys).to.deep.equal(keysOf(answer(documents, {})));
    for (const options of [{ sort: 'name:1' }, { sort: 'rank:-1', skip: 100 }]) {
      expect(await records.find('c', { query, ...options })).to.deep.equal(answer(documents, { query, ...options }));
    }
  });

  it('are read once where nothing is left out', async () => {
    const store = new Store(documents);
    await store.records().find('c', { query: byKeys, sort: 'name:1' });
    expect(store.calls).to.have.length(partsOf(byKeys).length);
  });

  it('load only the documents of a page that is far behind', async () => {
    const store = new Store(documents);
    const options = { query: byRoles, sort: 'name:1', skip: 150, limit: 10 };
    expect(await store.records().find('c', options)).to.deep.equal(answer(documents, options));
    const whole = store.calls.filter(({ query }) => query?.fields === undefined);
    for (const { query } of whole) expect(matching(documents, JSON.parse(query?.query ?? '')).length).to.be.at.most(10);
  });

  it('have full pages though others remove documents of them meanwhile', async () => {
    const store = new Store(documents);
    const options = { query: byRoles, sort: '_key:1', skip: 100, limit: 20 };
    const [removed] = answer(documents, { ...options, skip: 105 });
    store.before = ({ query }) => {
      if (query?.fields === undefined) store.documents = documents.filter((document) => document !== removed);
    };
    expect(await store.records().find('c', options)).to.deep.equal(answer(store.documents, options));
    expect(store.documents).to.have.length(189);
  });

  it('remove what they match', async () => {
    const store = new Store(documents);
    const some = { $and: [byKeys, { name: { $ne: 'n3' } }] };
    await store.records().removeWhere('c', some);
    expect(store.documents).to.deep.equal(documents.filter(({ name }) => name === 'n3'));
    expect(store.calls.length).to.be.above(1);
  });
});
