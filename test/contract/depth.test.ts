import { expect } from 'chai';
import { jsonNestsDeeperThan } from '../../src/contract/depth.ts';

describe('the levels of a JSON text', () => {
  it('are counted as they are read', () => {
    for (const [text, levels] of [
      ['1', 0],
      ['{}', 1],
      ['[]', 1],
      ['[1,[2],{"a":[3]}]', 3],
      ['{"a":{"b":1},"c":{"d":{}}}', 3],
      [JSON.stringify({ a: '[[[[{{{{' }), 1],
      [JSON.stringify({ '[{"\\': ['\\', '"[', '\\"[['] }), 2],
      [JSON.stringify(['\\\\', '[']), 1],
      ['["never closed [[[', 1],
    ] as const) {
      expect(jsonNestsDeeperThan(text, levels), text).to.equal(false);
      if (levels > 0) expect(jsonNestsDeeperThan(text, levels - 1), text).to.equal(true);
    }
  });

  it('are those that a walk finds, for any value', () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % below;
    };
    const texts = ['', '[', '{"', '\\', '\\"', '}]', 'é'];
    const any = (most: number): unknown => {
      const kind = most === 0 ? 0 : random(3);
      const inner = () => Array.from({ length: random(3) }, () => any(most - 1));
      if (kind === 0) return texts[random(texts.length)];
      return kind === 1
        ? inner()
        : Object.fromEntries(inner().map((value, index) => [`${texts[index]}${index}`, value]));
    };
    const levelsOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levelsOf)) : 0;
    for (let round = 0; round < 500; round += 1) {
      const value = any(6);
      const levels = levelsOf(value);
      const text = JSON.stringify(value);
      expect(jsonNestsDeeperThan(text, levels), text).to.equal(false);
      if (levels > 0) expect(jsonNestsDeeperThan(text, levels - 1), text).to.equal(true);
    }
  });

  it('take a small part of the time that reading takes', () => {
    const brackets = '['.repeat(2_000_000) + ']'.repeat(2_000_000);
    const time = (work: () => unknown) => {
      const begun = performance.now();
      work();
      return performance.now() - begun;
    };
    expect(time(() => jsonNestsDeeperThan(brackets, 100)) * 10).to.be.below(time(() => JSON.parse(brackets)));
    const harmless = JSON.stringify({ a: `\\"`.repeat(2_000_000) });
    expect(time(() => jsonNestsDeeperThan(harmless, 100))).to.be.below(20 * time(() => JSON.parse(harmless)) + 100);
  });
});
