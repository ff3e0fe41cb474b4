import { expect } from 'chai';
import { findPage, type IndexedList } from '../../../src/domain/lists/storedLists.ts';
import { type Doc, type FindOptions, type RecordStore, UnreadableDoc } from '../../../src/ports/stores/recordStore.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

interface Row extends Doc {
  id: string;
  size: number;
}

const LIST: IndexedList = {
  collection: 'rows',
  sorts: { id: 'id', size: 'size' },
  defaultSort: 'id',
  unique: 'id',
  searched: ['id'],
};
const FIELDS = ['id'];
const idOf = (at: number): string => String(at).padStart(6, '0');

describe('lists while others insert and remove', () => {
  let records: RecordStore;
  let next: number;
  const insert = async (): Promise<void> => {
    const id = idOf(next);
    await records.insert<Row>('rows', { _key: id, id, size: next % 3 });
    next += 1;
  };
  beforeEach(async () => {
    records = new MemoryPlatform().process().records;
    next = 1000;
    for (let at = 0; at < 1200; at += 1) await insert();
  });

  /** The store, in which something happens after each count and before each query. */
  const meanwhile = (work: () => Promise<void>): RecordStore => ({
    ...records,
    async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
      await work();
      return records.find<D>(collection, options);
    },
    async count(...asked) {
      const counted = await records.count(...asked);
      await work();
      return counted;
    },
  });
  const idsOf = (page: { records: Row[] }): string[] => page.records.map(({ id }) => id);

  for (const sort_key of ['id', 'size']) {
    for (const sort_dir of ['asc', 'desc'] as const) {
      it(`count=0 has all that was there, once: ${sort_key} ${sort_dir}`, async () => {
        const page = await findPage<Row>(meanwhile(insert), LIST, {}, { count: 0, sort_key, sort_dir }, FIELDS);
        const ids = idsOf(page);
        const old = ids.filter((id) => id < idOf(2200));
        expect(old).to.have.length(1200);
        expect(new Set(ids).size).to.equal(ids.length);
        expect(page.pagination).to.include({ total: ids.length, returned: ids.length, has_more: false });
        const sorted = await records.find<Row>('rows', {
          sort: `${sort_key}:${sort_dir === 'desc' ? -1 : 1},id:${sort_dir === 'desc' ? -1 : 1}`,
        });
        expect(old).to.deep.equal(sorted.map(({ id }) => id).filter((id) => id < idOf(2200)));
      });
    }
  }

  it('count=0 has what stays, while rows are removed', async () => {
    let at = 1000;
    const remove = async () => {
      await records.remove('rows', idOf(at));
      at += 1;
    };
    const page = await findPage<Row>(meanwhile(remove), LIST, {}, { count: 0 }, FIELDS);
    const ids = new Set(idsOf(page));
    for (let left = at; left < 2200; left += 1) expect(ids.has(idOf(left)), String(left)).to.equal(true);
  });

  it('pages that are read one after the other lose nothing, newest first', async () => {
    const ids = new Set<string>();
    const query = { count: 100, sort_dir: 'desc' as const };
    for (let offset: number | null = 0; offset !== null; ) {
      const page: Awaited<ReturnType<typeof findPage<Row>>> = await findPage<Row>(
        meanwhile(insert),
        LIST,
        {},
        { ...query, offset },
        FIELDS,
      );
      for (const id of idsOf(page)) ids.add(id);
      offset = page.pagination.next_offset;
    }
    for (let at = 1000; at < 2200; at += 1) expect(ids.has(idOf(at)), String(at)).to.equal(true);
  });

  it('the end is where the store has no more, not a number that is counted', async () => {
    for (const counted of [0, 700, 5000]) {
      const wrong = { ...records, count: async () => counted };
      const page = await findPage<Row>(wrong, LIST, {}, { count: 0 }, FIELDS);
      expect(page.pagination).to.include({ total: 1200, returned: 1200, has_more: false, next_offset: null });
      const first = await findPage<Row>(wrong, LIST, {}, { count: 10 }, FIELDS);
      expect(first.pagination).to.include({ returned: 10, has_more: true, next_offset: 10 });
      const last = await findPage<Row>(wrong, LIST, {}, { count: 10, offset: 1190 }, FIELDS);
      expect(last.pagination).to.include({ total: 1200, returned: 10, has_more: false });
      const beyond = await findPage<Row>(wrong, LIST, {}, { count: 10, offset: 1200 }, FIELDS);
      expect(beyond.pagination).to.include({ returned: 0, has_more: false });
    }
  });

  it('goes on behind rows that cannot be read', async () => {
    const damaged = {
      ...records,
      async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
        const rows = await records.find<Row>(collection, options);
        return rows.map((row) => (Number(row.id) % 7 < 2 ? new UnreadableDoc(row._key) : row)) as unknown as D[];
      },
    };
    for (const sort_key of ['id', 'size']) {
      const page = await findPage<Row>(damaged, LIST, {}, { count: 0, sort_key }, FIELDS);
      const readable = Array.from({ length: 1200 }, (_, at) => 1000 + at).filter((at) => at % 7 >= 2);
      expect(idsOf(page).sort()).to.deep.equal(readable.map(idOf));
      expect(page.pagination).to.include({ total: readable.length, has_more: false });
    }
  });
});
