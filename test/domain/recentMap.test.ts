import { expect } from 'chai';
import { RecentMap } from '../../src/domain/recentMap.ts';

describe('what was used last', () => {
  it('stays, and what was written longest ago goes', () => {
    const map = new RecentMap<number>(2);
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, index);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).to.deep.equal([2, undefined, 3]);
  });

  it('goes by what values count as, also when they have grown', () => {
    const map = new RecentMap<{ bytes: number }>(10, ({ bytes }) => bytes);
    const grows = { bytes: 2 };
    map.set('a', { bytes: 3 });
    map.set('b', { bytes: 3 });
    map.set('c', grows);
    expect(['a', 'b', 'c'].filter((key) => map.get(key))).to.deep.equal(['a', 'b', 'c']);
    grows.bytes = 6;
    map.set('c', grows);
    expect(['a', 'b', 'c'].filter((key) => map.get(key))).to.deep.equal(['b', 'c']);
    map.set('d', { bytes: 11 });
    expect(
      ['a', 'b', 'c', 'd'].filter((key) => map.get(key)),
      'one that is too large by itself',
    ).to.deep.equal([]);
  });
});
