import { expect } from 'chai';
import { Query as MingoQuery } from 'mingo';
import type { SplunkdCall, SplunkdClient } from '../../../src/adapters/splunkd/client.ts';
import { MAX_QUERY_CHARS, merged, partsOf } from '../../../src/adapters/splunkd/stores/longQueries.ts';
import { splunkdRecords } from '../../../src/adapters/splunkd/stores/recordStore.ts';
import type { FindOptions, Query } from '../../../src/ports/stores/recordStore.ts';
import { Random } from '../../support/random.ts';

type Stored = { _key: string; name: string; rank?: number; audience: string[] };

/** The store's own answer to a query of any length. */
function answer(
  documents: readonly Stored[],
  { query = {}, sort = '_key:1', skip = 0, limit = 0 }: FindOptions,
): Stored[] {
  const test = new MingoQuery(query as ConstructorParameters<typeof MingoQuery>[0]);
  const matches = merged([documents.filter((document) => test.test(document))], sort);
  return matches.slice(skip, limit === 0 ? undefined : skip + limit);
}

/** A platform that refuses long lines and answers at most `most` rows of a query without a limit. */
class Store {
  readonly calls: SplunkdCall[] = [];
  readonly #documents: readonly Stored[];

  constructor(documents: readonly Stored[]) {
    this.#documents = documents;
  }

  records() {
    return splunkdRecords(
      { call: async (call: SplunkdCall) => this.#answer(call) } as unknown as SplunkdClient,
      'token',
    );
  }

  #answer(call: SplunkdCall) {
    this.calls.push(call);
    const { query = '{}', sort, skip = '0', limit = '0', fields } = call.query ?? {};
    expect(call.method).to.equal('GET');
    expect(query.length).to.be.at.most(MAX_QUERY_CHARS);
    const options = {
      query: JSON.parse(query) as Query,
      ...(sort && { sort }),
      skip: Number(skip),
      limit: Number(limit),
    };
    const rows = answer(this.#documents, options).map((row) => {
      const names = fields?.split(',');
      return names ? Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) : row;
    });
    return { status: 200, text: JSON.stringify(rows), repeated: false };
  }
}

const keyed = (count: number): Stored[] =>
  Array.from({ length: count }, (_, index) => ({
    _key: `${'connection of a team '.repeat(2)}${String(index).padStart(4, '0')}`,
    name: `n${(index * 7919) % count}`,
    ...(index % 3 === 0 ? {} : { rank: index % 11 }),
    audience: [`role_${'x'.repeat(30)}_${index % 40}`],
  }));

describe('queries that are too long for a request line', () => {
  const documents = keyed(190);
  const byKeys = { $or: documents.map(({ _key }) => ({ _key })) };
  const byRoles = { $or: Array.from({ length: 150 }, (_, index) => ({ audience: `role_${'x'.repeat(30)}_${index}` })) };

  it('are divided into short ones that match the same', () => {
    for (const query of [byKeys, byRoles, { $and: [{ rank: { $gt: 3 } }, byKeys] }, { rank: 1, $or: byKeys.$or }]) {
      const parts = partsOf(query);
      expect(parts.length).to.be.above(1);
      for (const part of parts) expect(JSON.stringify(part).length).to.be.at.most(MAX_QUERY_CHARS);
      const keys = new Set(parts.flatMap((part) => answer(documents, { query: part })).map(({ _key }) => _key));
      expect([...keys].sort()).to.deep.equal(answer(documents, { query }).map(({ _key }) => _key));
    }
    expect(partsOf({ name: 'x'.repeat(5000) })).to.have.length(1);
    expect(partsOf({ name: 'x' })).to.deep.equal([{ name: 'x' }]);
  });

  it('are answered as one query, each document once, in its order', async () => {
    const random = new Random(7);
    for (let round = 0; round < 60; round += 1) {
      const query = random.pick([
        byKeys,
        byRoles,
        { $and: [{ rank: { $gt: 3 } }, byRoles] },
        { $and: [byKeys, byRoles] },
      ]);
      const sort = random.pick(['_key:1', 'name:1', 'rank:-1', 'rank:1,name:-1', undefined]);
      const skip = random.pick([0, 0, 20, 180, 400]);
      const limit = random.pick([1, 30, 100, 500]);
      const options = { query, skip, limit, ...(sort && { sort }) };
      const title = JSON.stringify({ sort, skip, limit });
      expect(await new Store(documents).records().find('c', options), title).to.deep.equal(answer(documents, options));
      const fields = { ...options, fields: ['name'] };
      const names = (await new Store(documents).records().find<Stored>('c', fields)).map(({ name }) => name);
      expect(names, title).to.deep.equal(answer(documents, options).map(({ name }) => name));
    }
  });

  it('are counted and read in chunks without a document twice', async () => {
    const query = { $or: [...byKeys.$or, ...byRoles.$or] };
    const records = new Store(documents).records();
    expect(await records.count('c', query)).to.equal(190);
    expect(await records.count('c', query, 190)).to.equal(190);
    const keys: string[] = [];
    for await (const chunk of records.chunks<Stored>('c', { query })) keys.push(...chunk.map(({ _key }) => _key));
    expect(keys).to.deep.equal(documents.map(({ _key }) => _key));
    expect(await records.find('c', { query, sort: 'name:1' })).to.deep.equal(
      answer(documents, { query, sort: 'name:1' }),
    );
  });
});
