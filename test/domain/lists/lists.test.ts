import { expect } from 'chai';
import { paginate } from '../../../src/domain/lists/lists.ts';
import { Random } from '../../support/random.ts';

interface Item {
  name: string;
  title?: string;
  description?: string;
  version: number;
}
const items: Item[] = Array.from({ length: 45 }, (_, index) => ({
  name: `n${String(index).padStart(2, '0')}`,
  version: 45 - index,
}));
const names = (found: { result: Item[] }) => found.result.map((item) => item.name);

describe('lists', () => {
  it('show 30 unless told, and say where to go on', () => {
    const first = paginate(items, {}, 'name');
    expect(first.result).to.have.length(30);
    expect(first.pagination).to.deep.equal({
      offset: 0,
      count: 30,
      total: 45,
      returned: 30,
      has_more: true,
      next_offset: 30,
    });
    expect(paginate(items, { offset: 30 }, 'name').pagination).to.deep.equal({
      offset: 30,
      count: 30,
      total: 45,
      returned: 15,
      has_more: false,
      next_offset: null,
    });
  });

  it('count 0 shows all; an offset beyond the end shows none', () => {
    expect(paginate(items, { count: 0 }, 'name').pagination).to.include({ count: 0, returned: 45, has_more: false });
    expect(paginate(items, { count: 0, offset: 40 }, 'name').result).to.have.length(5);
    expect(paginate(items, { offset: 45 }, 'name').pagination).to.include({
      returned: 0,
      total: 45,
      next_offset: null,
    });
  });

  it('search in name, title and description without regard to case, and nowhere else', () => {
    const mixed: Item[] = [
      { name: 'Alpha', version: 1 },
      { name: 'b', title: 'ALPHAbet', version: 1 },
      { name: 'c', description: 'an alpha', version: 1 },
      Object.assign({ name: 'd', version: 1 }, { url: 'alpha' }),
    ];
    expect(names(paginate(mixed, { search: 'aLPHa' }, 'name'))).to.deep.equal(['Alpha', 'b', 'c']);
    expect(paginate(mixed, { search: 'alpha', count: 1 }, 'name').pagination).to.include({ total: 3, returned: 1 });
    expect(paginate(mixed, { search: 'nothing' }, 'name').pagination).to.include({ total: 0, has_more: false });
  });

  it('sort numbers as numbers and texts without regard to case, both ways', () => {
    const mixed: Item[] = [
      { name: 'b', version: 9 },
      { name: 'A', version: 10 },
      { name: 'c', version: 9 },
    ];
    expect(names(paginate(mixed, {}, 'name'))).to.deep.equal(['A', 'b', 'c']);
    expect(names(paginate(mixed, { sort_dir: 'desc' }, 'name'))).to.deep.equal(['c', 'b', 'A']);
    expect(names(paginate(mixed, { sort_key: 'version' }, 'name'))).to.deep.equal(['b', 'c', 'A']);
    expect(names(paginate(mixed, { sort_key: 'version', sort_dir: 'desc' }, 'name'))).to.deep.equal(['A', 'b', 'c']);
  });

  it('pages of equal sort keys neither overlap nor leave a gap', () => {
    const same = items.map((item) => ({ ...item, version: 1 })).reverse();
    const pages = [0, 10, 20, 30, 40].flatMap((offset) =>
      names(paginate(same, { sort_key: 'version', count: 10, offset }, 'name')),
    );
    expect(pages).to.deep.equal(items.map((item) => item.name));
  });

  it('a page is the part of the whole list that it names', () => {
    const random = new Random(18);
    for (let round = 0; round < 300; round += 1) {
      const many: Item[] = Array.from({ length: random.below(400) }, () => ({
        name: `${random.pick(['A', 'a', 'b', 'C'])}${random.below(20)}`,
        version: random.below(8),
        ...(random.chance(0.5) ? { title: random.pick(['x', 'Y']) } : {}),
      }));
      const order = {
        ...(random.chance(0.7) ? { sort_key: random.pick(['name', 'version', 'title', 'description']) } : {}),
        ...(random.chance(0.7) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
      };
      const [count, offset] = [random.pick([1, 5, 30, 90, 150]), random.pick([0, 1, 20, 70, 380])];
      const whole = paginate(many, { ...order, count: 0 }, 'name').result;
      const part = paginate(many, { ...order, count, offset }, 'name');
      // The same ones, also among those that are equal.
      expect(part.result.map((item) => many.indexOf(item))).to.deep.equal(
        whole.slice(offset, offset + count).map((item) => many.indexOf(item)),
      );
      expect(part.pagination.total).to.equal(many.length);
    }
  });

  it('leave the given list as it is', () => {
    const given = [items[2], items[0], items[1]] as Item[];
    paginate(given, {}, 'name');
    expect(given.map((item) => item.name)).to.deep.equal(['n02', 'n00', 'n01']);
  });
});
