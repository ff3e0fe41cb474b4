import { expect } from 'chai';
import { foundAnew } from '../../../src/families/connection-health/check.ts';

describe('what a check has found', () => {
  const one = (id: string, tested_at?: number): Parameters<typeof foundAnew>[0][number] => ({
    id,
    condition: {
      lastTest:
        tested_at === undefined ? undefined : { status: 'success', error_code: null, tested_at, response_time_ms: 1 },
    },
  });

  it('is also what was kept when the time was over', () => {
    const before = [
      one('never'),
      one('still never'),
      one('again', 5),
      one('as it was', 5),
      one('gone', 5),
      one('anew', 5),
    ];
    // Somebody has removed one and made it anew meanwhile.
    const after = [
      one('never', 9),
      one('still never'),
      one('again', 9),
      one('as it was', 5),
      one('other', 9),
      one('anew'),
    ];
    expect(foundAnew(before, after)).to.deep.equal(['never', 'again']);
  });
});
