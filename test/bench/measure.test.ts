import { expect } from 'chai';
import { inTurn } from '../../bench/measure.ts';
import { slowdown } from '../support/time.ts';

/** Takes these times, one after the other, and the last of them from then on. */
const taking = (...times: number[]) => {
  const asked = { count: 0 };
  const measureOnce = async () => {
    const time = times[Math.min(asked.count, times.length - 1)] ?? Number.NaN;
    asked.count += 1;
    return time;
  };
  return { asked, measureOnce };
};

describe('alternating measurements', () => {
  it('counts the requested pairs without the warm-up', async () => {
    expect(await inTurn(2, taking(9, 1, 2).measureOnce, taking(8, 3, 4).measureOnce)).to.deep.equal({
      ours: [1, 2],
      base: [3, 4],
    });
  });

  it('a slowdown below the aim is believed after six pairs', async () => {
    const ours = taking(900, 130, 12);
    const { ratio, figures } = await slowdown(ours.measureOnce, taking(900, 10).measureOnce, 1.5);
    expect(ratio).to.equal(1.2);
    expect(figures).to.equal('130 12 12 12 12 12 ms, the other: 10 10 10 10 10 10 ms');
    expect(ours.asked.count).to.equal(7);
  });

  it('one that is not is looked at again, up to 25 times', async () => {
    const [late, never] = [taking(...Array(10).fill(20), 10), taking(20)];
    expect((await slowdown(late.measureOnce, taking(10).measureOnce, 1.5)).ratio).to.equal(1);
    expect(late.asked.count).to.equal(11);
    expect((await slowdown(never.measureOnce, taking(10).measureOnce, 1.5)).ratio).to.equal(2);
    expect(never.asked.count).to.equal(26);
  });
});
