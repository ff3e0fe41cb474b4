import { assert } from 'chai';
import { GuessLimit, MustWait } from '../../src/identity/passwords/guessLimit.ts';

describe('the limit of guesses', () => {
  let now: number;
  let limit: GuessLimit;
  let checks: number;
  beforeEach(() => {
    now = 0;
    checks = 0;
    limit = new GuessLimit(() => now);
  });

  /** Whether the password was right, or the seconds to wait. */
  const guess = (name: string, isRight = false): Promise<boolean | number> =>
    limit
      .limit(name, async () => {
        checks += 1;
        return isRight;
      })
      .catch((error: MustWait) => Number(new Map(error.headers).get('Retry-After')));
  const guessWrong = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) assert.isFalse(await guess('ada'));
  };

  it('makes even the right password wait after five wrong ones', async () => {
    await guessWrong(5);
    assert.strictEqual(await guess('ada', true), 1);
    assert.strictEqual(checks, 5);
    assert.isTrue(await guess('bob', true));
    now = 1_000;
    assert.isTrue(await guess('ADA', true));
    await guessWrong(5);
  });

  it('doubles the wait with each further wrong one, up to a minute', async () => {
    await guessWrong(5);
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      assert.strictEqual(await guess('ada'), seconds);
      now += seconds * 1000;
      await guessWrong(1);
    }
  });

  it('counts parallel guesses', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => guess('ada')));
    assert.strictEqual(checks, 5);
    assert.lengthOf(
      all.filter((result) => result === 1),
      15,
    );
  });

  it('does not count a check that failed', async () => {
    const failing = () => limit.limit('ada', () => Promise.reject(new Error('the disk is full')));
    for (let count = 0; count < 6; count += 1) {
      const error = await failing().catch((thrown: Error) => thrown);
      assert.notInstanceOf(error, MustWait);
    }
    assert.isTrue(await guess('ada', true));
  });
});
