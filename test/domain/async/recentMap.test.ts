import { expect } from 'chai';
import { RecentMap } from '../../../src/domain/async/recentMap.ts';

describe('what was used last', () => {
  it('drops the entry that was written longest ago', () => {
    const map = new RecentMap<number>(2);
    for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, index);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).to.deep.equal([2, undefined, 3]);
  });
});
