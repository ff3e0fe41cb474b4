import { expect } from 'chai';
import { chosenWords } from '../../../../src/adapters/knowledge/wordQuery.ts';

describe('the words that a store in the platform is asked for', () => {
  const words = [
    { word: 'the', passages: 45_000 },
    { word: 'disk', passages: 9000 },
    { word: 'absent', passages: 0 },
    { word: 'ERR-4003', passages: 3 },
    { word: 'service', passages: 6500 },
  ];

  it('are the rarest ones, until their passages add up to 0.3 of all, or 15,000', () => {
    expect(chosenWords(words, 50_000)).to.deep.equal(['ERR-4003', 'service']);
    expect(chosenWords(words, 60_000)).to.deep.equal(['ERR-4003', 'service', 'disk']);
  });

  it('are all in a small store, and one at least in any', () => {
    const few = words.map(({ word, passages }) => ({ word, passages: passages / 10 }));
    expect(chosenWords(few, 5000)).to.deep.equal(['ERR-4003', 'service', 'disk', 'the']);
    expect(chosenWords(words.slice(0, 1), 50_000)).to.deep.equal(['the']);
  });
});
