import { expect } from 'chai';
import { cutText } from '../../../src/gateway/runs/cutText.ts';

describe('a text that is cut', () => {
  it('has so many bytes at most, and no half character', () => {
    expect(cutText('abc', 3)).to.equal('abc');
    expect(cutText('abcd', 3)).to.equal('abc\n[cut: 4 bytes in all]');
    for (const [character, bytes] of [
      ['\u00e4', 2],
      ['\u20ac', 3],
      ['\u{1f600}', 4],
    ] as const) {
      const text = character.repeat(3);
      expect(cutText(text, 3 * bytes)).to.equal(text);
      for (let most = 2 * bytes; most < 3 * bytes; most += 1) {
        expect(cutText(text, most)).to.equal(`${character.repeat(2)}\n[cut: ${3 * bytes} bytes in all]`);
      }
    }
  });
});
