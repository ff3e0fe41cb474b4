import { expect } from 'chai';
import { RecentMap } from '../../../src/domain/async/recentMap.ts';

describe('what was used last', () => {
  it('drops the entry that was written longest ago', () => {
    const map = new RecentMap<number>(2);
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, index);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).to.deep.equal([2, undefined, 3]);
  });

  it('shows no entry longer than it is kept, nor one that ends too soon', () => {
    let now = 0;
    const map = new RecentMap<number>(9, () => now);
    map.set('a', 1, 100);
    map.set('b', 2);
    expect([map.get('a', 99), map.get('a', 100)]).to.deep.equal([1, undefined]);
    now = 100;
    expect([map.get('a'), map.get('b')]).to.deep.equal([undefined, 2]);
  });
});
