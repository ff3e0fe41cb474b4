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
});
