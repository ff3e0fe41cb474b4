import { expect } from 'chai';
import {
  assertStaysBound,
  type Binding,
  changedReceivers,
  staysTrusted,
  type Trust,
} from '../../../src/domain/secrets/binding.ts';
import { decideSecrets } from '../../../src/domain/secrets/secrets.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';

interface Peer {
  url: string;
  log?: string;
  verify?: boolean;
  ca?: string;
}

const binding: Binding<Peer> = {
  addresses: ({ url, log }) => ({ url, log }),
  trust: ({ verify = true, ca }) => ({ verify_tls: { verify, ca } }),
  receives: { log: ['log_token'], verify_tls: ['token'] },
};
const A = { url: 'https://a.example', log: 'https://log.example' };
const CA = '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n';

describe('binding: who gets a secret, and how sure it is', () => {
  it('looser verification and other authorities are another receiver; stricter ones are not', () => {
    const cases: [Trust | undefined, Trust | undefined, boolean][] = [
      [undefined, undefined, true],
      [undefined, { verify: true }, true],
      [{ verify: true }, { verify: false }, false],
      [undefined, { verify: false }, false],
      [{ verify: false }, { verify: true }, true],
      [{ verify: false }, { verify: false, ca: CA }, true],
      [{ verify: false }, { verify: true, ca: CA }, true],
      [{ verify: true }, { verify: true, ca: CA }, false],
      [{ verify: true, ca: CA }, { verify: true, ca: 'other' }, false],
      [{ verify: true, ca: CA }, { verify: true }, true],
      [{ verify: true, ca: CA }, undefined, true],
      [{ verify: true, ca: CA }, { verify: true, ca: CA.replaceAll('\n', '\r\n') }, true],
      [{ verify: true, ca: CA }, { verify: false, ca: CA }, false],
    ];
    for (const [before, after, stays] of cases) {
      expect(staysTrusted(before, after), JSON.stringify([before, after])).to.equal(stays);
    }
  });

  it('names the fields that changed, each once', () => {
    expect(changedReceivers(binding, A, { ...A, url: 'https://b.example', verify: false })).to.deep.equal([
      'url',
      'verify_tls',
    ]);
    expect(changedReceivers(binding, A, { ...A, url: 'https://A.example:443/path' })).to.deep.equal([]);
  });

  it('asks only for the secrets that go where something changed', async () => {
    const stored = ['key', 'log_token', 'token'];
    const assert =
      (after: Peer, given = {}) =>
      () =>
        assertStaysBound(binding, decideSecrets(given, stored), A, after);
    expect(fieldsOf(await faultOf(assert({ ...A, log: 'https://x.example' })))).to.deep.equal(['log_token']);
    expect(fieldsOf(await faultOf(assert({ ...A, verify: false })))).to.deep.equal(['token']);
    expect(fieldsOf(await faultOf(assert({ ...A, url: 'https://b.example' })))).to.deep.equal(stored);
    assert({ ...A, verify: false }, { token: 'new' })();
    assert({ ...A, ca: CA }, { token: null })();
  });
});
