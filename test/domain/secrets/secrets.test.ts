import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { decideSecrets, splitSecrets } from '../../../src/domain/secrets/secrets.ts';

const PATHS = ['details/token', 'details/client_secret', 'details/headers/*'];

describe('secrets of an input', () => {
  it('are removed from a copy of the input', () => {
    const input = { name: 'n', details: { url: 'u', token: 't', headers: { 'X-Key': 'k', 'X-Other': MASK } } };
    const copy = structuredClone(input);
    const { open, submitted } = splitSecrets(input, PATHS);
    expect(open).to.deep.equal({ name: 'n', details: { url: 'u' } });
    expect(submitted).to.deep.equal({
      'details/token': 't',
      'details/headers/X-Key': 'k',
      'details/headers/X-Other': MASK,
    });
    expect(input).to.deep.equal(copy);
  });

  it('are deleted by empty text and null and kept when absent', () => {
    expect(splitSecrets({ details: {} }, PATHS).submitted).to.deep.equal({});
    expect(splitSecrets({}, PATHS).submitted).to.deep.equal({});
    expect(splitSecrets({ details: { token: '', client_secret: null } }, PATHS).submitted).to.deep.equal({
      'details/token': null,
      'details/client_secret': null,
    });
  });

  it('null in the place of all headers deletes every one', () => {
    const { open, submitted } = splitSecrets({ details: { headers: null } }, PATHS);
    expect(open).to.deep.equal({ details: {} });
    const decision = decideSecrets(submitted, ['details/headers/A', 'details/headers/B', 'details/token']);
    expect(decision.keep).to.deep.equal(['details/token']);
    expect(decision.changes).to.equal(true);
  });

  it('treats a key such as __proto__ as data', () => {
    const input = JSON.parse('{"details":{"headers":{"__proto__":"x","constructor":"y"}}}');
    const { submitted } = splitSecrets(input, PATHS);
    expect(Object.keys(submitted).sort()).to.deep.equal(['details/headers/__proto__', 'details/headers/constructor']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});
