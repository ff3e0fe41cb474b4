import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import {
  assertBound,
  decideSecrets,
  insertSecrets,
  maskSecrets,
  splitSecrets,
} from '../../../src/domain/secrets/secrets.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';

const PATHS = ['details/token', 'details/client_secret', 'details/headers/*'];

describe('secrets of an input', () => {
  it('the mask is this text and no other', () => {
    expect(MASK).to.equal('***MASKED***');
  });

  it('are taken out, and the input stays as it was', () => {
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

  it('absent is not mentioned; empty and null are deletions', () => {
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

  it('a key such as __proto__ is data', () => {
    const input = JSON.parse('{"details":{"headers":{"__proto__":"x","constructor":"y"}}}');
    const { submitted } = splitSecrets(input, PATHS);
    expect(Object.keys(submitted).sort()).to.deep.equal(['details/headers/__proto__', 'details/headers/constructor']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });
});

describe('what a write means for stored secrets', () => {
  const stored = ['details/client_secret', 'details/token'];

  it('mask and absence keep, a value sets, empty deletes', () => {
    expect(decideSecrets({}, stored)).to.deep.equal({ keep: stored, set: {}, changes: false });
    expect(decideSecrets({ 'details/token': MASK }, stored)).to.deep.equal({ keep: stored, set: {}, changes: false });
    expect(decideSecrets({ 'details/token': 'n' }, stored)).to.deep.equal({
      keep: ['details/client_secret'],
      set: { 'details/token': 'n' },
      changes: true,
    });
    expect(decideSecrets({ 'details/token': null }, stored)).to.deep.equal({
      keep: ['details/client_secret'],
      set: {},
      changes: true,
    });
  });

  it('deleting what is not there changes nothing', () => {
    expect(decideSecrets({ 'details/token': null }, [])).to.deep.equal({ keep: [], set: {}, changes: false });
  });

  it('a value that contains the mask is a value', () => {
    for (const value of [`${MASK} `, ` ${MASK}`, `x${MASK}`, '***masked***', '***MASKED**', '****MASKED****']) {
      expect(decideSecrets({ 'details/token': value }, stored).set).to.deep.equal({ 'details/token': value });
    }
  });

  it('the mask without a stored secret is refused for every such field at once', async () => {
    const fault = await faultOf(() => decideSecrets({ 'details/token': MASK, 'details/headers/X': MASK }, []));
    expect([fault.status, fault.code]).to.deep.equal([400, 'masked_value_without_stored_secret']);
    expect(fieldsOf(fault)).to.deep.equal(['details.token', 'details.headers.X']);
  });

  it('kept secrets do not go to a changed address', async () => {
    const fault = await faultOf(() => assertBound(['details/token', 'details/refresh_token'], ['details.url']));
    expect([fault.status, fault.code]).to.deep.equal([400, 'secret_required_for_new_host']);
    expect(fieldsOf(fault)).to.deep.equal(['details.token', 'details.refresh_token']);
    expect(fault.message).to.include('details.url');
    assertBound([], ['details.url']);
    assertBound(['details/token'], []);
  });
});

describe('the masked view', () => {
  it('shows that a secret is stored, never which, and leaves out what is not', () => {
    expect(maskSecrets({ url: 'u' } as object, ['token', 'headers/X-Key'])).to.deep.equal({
      url: 'u',
      token: '***MASKED***',
      headers: { 'X-Key': '***MASKED***' },
    });
    expect(maskSecrets({ url: 'u' }, [])).to.deep.equal({ url: 'u' });
  });

  it('values go back to their places', () => {
    expect(insertSecrets({ details: { url: 'u' } } as object, { 'details/token': 't' })).to.deep.equal({
      details: { url: 'u', token: 't' },
    });
  });
});
