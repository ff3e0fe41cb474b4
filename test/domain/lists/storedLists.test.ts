import { expect } from 'chai';
import type { Acl } from '../../../src/contract/schemas/common.ts';
import { mayRead } from '../../../src/domain/access/acl.ts';
import { andQuery, reachOf, readableQuery } from '../../../src/domain/access/audience.ts';
import { paginate } from '../../../src/domain/lists/lists.ts';
import { findPage, type IndexedList } from '../../../src/domain/lists/storedLists.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

interface Thing {
  _key: string;
  name: string;
  name_key: string;
  size: number;
  acl: Acl;
}

const LIST: IndexedList = {
  collection: 'things',
  sorts: { name: 'name_key', size: 'size' },
  defaultSort: 'name',
  unique: '_key',
  searched: ['name'],
};
const FIELDS = ['name', 'name_key', 'size', 'acl'];
const ROLES = [[], ['user'], ['analyst'], ['*'], ['admin', 'analyst'], ['user', 'analyst']];
const SHARINGS = ['user', 'app', 'global'] as const;
const CALLERS = [
  caller('ann'),
  caller('ben', { roles: ['analyst'] }),
  caller('cleo', { roles: [] }),
  caller('root', { roles: ['admin'], capabilities: ['admin_all_objects'] }),
];

describe('lists answered by the store', () => {
  const { records } = new MemoryPlatform().process();
  const things: Thing[] = [];

  before(async () => {
    for (const [index, read] of ROLES.entries()) {
      for (const write of ROLES) {
        for (const sharing of SHARINGS) {
          const owner = ['ann', 'ben', 'dan'][things.length % 3] ?? '';
          const name = `${things.length % 2 ? 'Odd' : 'even'} ${(things.length * 7) % 20}`;
          const key = String(things.length).padStart(4, '0');
          const acl: Acl = { owner, sharing, perms: { read, write } };
          const thing = { _key: key, name, name_key: name.toLowerCase(), size: index, acl };
          things.push(thing);
          await records.insert('things', { ...thing, ...reachOf(acl) });
        }
      }
    }
  });

  it('shows each caller the records that they may read', async () => {
    for (const who of CALLERS) {
      const where = andQuery(readableQuery(who));
      const { records: found, pagination } = await findPage<Thing>(records, LIST, where, { count: 0 }, FIELDS);
      const allowed = things.filter((thing) => mayRead(who, thing)).map(({ _key }) => _key);
      expect(found.map(({ _key }) => _key).sort(), who.user).to.deep.equal(allowed.sort());
      expect(pagination.total).to.equal(allowed.length);
      expect(allowed.length).to.be.greaterThan(10);
    }
  });

  it('stores the reading roles in the record, sorted and without duplicates', () => {
    const acl = (sharing: Acl['sharing'], read: string[], write: string[] = []): Acl => ({
      owner: 'x',
      sharing,
      perms: { read, write },
    });
    expect(reachOf(acl('app', ['b', 'a'], ['a']))).to.deep.equal({ owner: 'x', audience: ['a', 'b'] });
    expect(reachOf(acl('global', ['a', '*']))).to.deep.equal({ owner: 'x', audience: ['*'] });
    expect(reachOf(acl('user', ['*']))).to.deep.equal({ owner: 'x', audience: [] });
    expect(reachOf(acl('app', []))).to.deep.equal({ owner: 'x', audience: [] });
  });

  it('pages, sorts, filters and searches as a list in memory does', async () => {
    for (const sort_key of [undefined, 'name', 'size']) {
      for (const sort_dir of [undefined, 'asc', 'desc'] as const) {
        for (const search of [undefined, 'ODD 1', 'nothing']) {
          for (const [offset, count] of [
            [0, 7],
            [3, 0],
            [100, 30],
            [500, 5],
          ] as const) {
            const query = {
              offset,
              count,
              ...(sort_key && { sort_key }),
              ...(sort_dir && { sort_dir }),
              ...(search && { search }),
            };
            const inMemory = things.map((thing) => ({ ...thing, name_key: thing.name_key }));
            const field = LIST.sorts[sort_key ?? 'name'];
            const expected = paginate(inMemory, { ...query, sort_key: field }, '_key');
            const { records: found, pagination } = await findPage<Thing>(records, LIST, {}, query, FIELDS);
            const what = JSON.stringify(query);
            expect(pagination, what).to.deep.equal(expected.pagination);
            expect(
              found.map((thing) => thing[field as 'size']),
              what,
            ).to.deep.equal(expected.result.map((thing) => thing[field as 'size']));
          }
        }
      }
    }
  });

  it('never shows one record twice over all pages', async () => {
    for (const sort_dir of ['asc', 'desc'] as const) {
      const seen: string[] = [];
      for (let offset = 0; offset < things.length; offset += 5) {
        const query = { offset, count: 5, sort_key: 'size', sort_dir };
        const { records: found } = await findPage<Thing>(records, LIST, {}, query, FIELDS);
        seen.push(...found.map(({ _key }) => _key));
      }
      expect(new Set(seen).size).to.equal(things.length);
      expect(seen.length).to.equal(things.length);
    }
  });
});
