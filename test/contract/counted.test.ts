import { expect } from 'chai';
import { counted } from '../../src/contract/basics.ts';

describe('numbers with their noun', () => {
  it('have the singular for one, and the plural for all others', () => {
    expect([0, 1, 2].map((count) => counted(count, 'model'))).to.deep.equal(['0 models', '1 model', '2 models']);
    expect(['masking policy', 'key', 'model alias'].map((noun) => counted(2, noun))).to.deep.equal([
      ...['2 masking policies', '2 keys', '2 model aliases'],
    ]);
    expect([1, 3].map((count) => counted(count, 'entry', 'entries'))).to.deep.equal(['1 entry', '3 entries']);
  });
});
