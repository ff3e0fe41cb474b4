import { expect } from 'chai';
import { RecentResults } from '../../../src/domain/async/recentResults.ts';
import { rejection } from '../../support/fault.ts';

describe('results that are shared for a short time', () => {
  it('are computed once, by key, also while they are computed', async () => {
    const results = new RecentResults(10, 60_000);
    let computed = 0;
    const compute = async () => ++computed;
    expect(await Promise.all([results.share('a', compute), results.share('a', compute)])).to.deep.equal([1, 1]);
    expect([await results.share('a', compute), await results.share('b', compute)]).to.deep.equal([1, 2]);
  });

  it('are not kept longer, nor is a failure', async () => {
    const results = new RecentResults(10, 0);
    let computed = 0;
    const compute = async () => ++computed;
    expect([await results.share('a', compute), await results.share('a', compute)]).to.deep.equal([1, 2]);
    const kept = new RecentResults(10, 60_000);
    await rejection(
      kept.share('a', async () => {
        throw new TypeError('no');
      }),
      TypeError,
    );
    expect(await kept.share('a', compute)).to.equal(3);
  });
});
