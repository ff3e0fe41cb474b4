import { expect } from 'chai';
import { readOptions } from './options.ts';

describe('options of the torture run', () => {
  it('give each part another behaviour of a replace, by the seed, unless one is named', () => {
    expect(readOptions(['--seed', '4']).replaceOf).to.deep.equal({ histories: 'insert', members: 'refuse' });
    expect(readOptions(['--seed', '5']).replaceOf).to.deep.equal({ histories: 'refuse', members: 'insert' });
    const named = readOptions(['--seed', '4', '--replace', 'refuse']).replaceOf;
    expect(named).to.deep.equal({ histories: 'refuse', members: 'refuse' });
    expect(() => readOptions(['--replace', 'both'])).to.throw('--replace must be refuse or insert, not "both".');
  });
});
