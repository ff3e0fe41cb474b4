import { expect } from 'chai';
import fc from 'fast-check';
import type { Fault } from '../../../src/contract/codes/faults.ts';
import { assertPlainUrl, hostBinding, staysBound } from '../../../src/domain/net/url.ts';
import { assertStaysBound, type Binding } from '../../../src/domain/secrets/binding.ts';
import {
  decideSecrets,
  insertSecrets,
  type SubmittedSecrets,
  splitSecrets,
} from '../../../src/domain/secrets/secrets.ts';
import { holds } from '../../support/property.ts';

const host = fc.constantFrom(
  'a.example',
  'A.EXAMPLE',
  'b.example',
  'a.example.',
  '127.0.0.1',
  '[::1]',
  'xn--bcher-kva.example',
);
const port = fc.constantFrom('', ':80', ':443', ':8080');
const path = fc.constantFrom('', '/', '/x', '/x?y=1', '/#z');
const url = fc
  .tuple(fc.constantFrom('http://', 'https://', 'HTTPS://'), host, port, path)
  .map((parts) => parts.join(''));

/** Where a client of Node's would connect to, and whether it would look at a certificate. */
function receiver(text: string): string {
  const { protocol, hostname, port: given } = new URL(text);
  return `${hostname.replace(/\.$/, '')}:${given || (protocol === 'https:' ? 443 : 80)}`;
}

describe('binding of secrets, for any addresses', () => {
  it('another receiver is never the same one, but for the step from http to https', () => {
    holds(
      fc.property(url, url, (before, after) => {
        if (!staysBound(hostBinding(before), hostBinding(after))) return;
        const isUpgrade = new URL(before).protocol === 'http:' && new URL(after).protocol === 'https:';
        const [from, to] = [receiver(before), receiver(after)];
        if (isUpgrade) expect([from, from.replace(/:80$/, ':443')]).to.include(to);
        else expect(to).to.equal(from);
        expect(new URL(before).protocol === 'https:' && new URL(after).protocol === 'http:').to.equal(false);
      }),
      2000,
    );
  });
  it('the spelling of a host and the path are no other receiver', () => {
    holds(
      fc.property(url, path, (address, other) => {
        const same = new URL(other, address).href;
        expect(staysBound(hostBinding(address), hostBinding(same))).to.equal(true);
      }),
    );
  });
  it('no text leads a parser elsewhere than what was checked', () => {
    const parts = fc.constantFrom(
      'http://',
      'https:',
      '//',
      '\\',
      '@',
      'a.example',
      'b.example',
      ':',
      '80',
      '/',
      '\t',
      ' ',
      '#',
      '?',
      '%00',
      '。',
      'x',
    );
    holds(
      fc.property(fc.array(parts, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        let checked: URL;
        try {
          checked = assertPlainUrl(text);
        } catch {
          return;
        }
        const authority = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
        expect(checked.username + checked.password).to.equal('');
        expect(new URL(`${checked.protocol}//${authority}`).host).to.equal(checked.host);
      }),
      3000,
    );
  });

  const binding: Binding<{ a: string; b: string }> = {
    addresses: (record) => record,
    receives: { b: ['two'] },
  };
  it('a kept secret goes only to its former receiver', () => {
    const stored = fc.subarray(['one', 'two']);
    const given = fc.dictionary(fc.constantFrom('one', 'two'), fc.constantFrom('new', '***MASKED***', null), {
      maxKeys: 2,
      noNullPrototype: true,
    });
    const record = fc.record({ a: url, b: url });
    holds(
      fc.property(stored, given as fc.Arbitrary<SubmittedSecrets>, record, record, (paths, sent, before, after) => {
        if (Object.entries(sent).some(([key, value]) => value === '***MASKED***' && !paths.includes(key))) return;
        const decision = decideSecrets(sent, paths);
        let isRefused = false;
        try {
          assertStaysBound(binding, decision, before, after);
        } catch (error) {
          expect((error as Fault).code).to.equal('secret_required_for_new_host');
          isRefused = true;
        }
        const moved = (field: 'a' | 'b') =>
          before[field] !== after[field] && !staysBound(hostBinding(before[field]), hostBinding(after[field]));
        const expected = (moved('a') && decision.keep.length > 0) || (moved('b') && decision.keep.includes('two'));
        expect(isRefused).to.equal(expected);
      }),
      1000,
    );
  });
});

describe('secrets in an input, for any input', () => {
  const PATHS = ['details/token', 'details/headers/*', 'key'];
  const value = fc.constantFrom<unknown>('s3cret', '', null, 5, '***MASKED***');
  const key = fc.constantFrom('token', 'X', '*', '__proto__', 'a b', 'key', 'plain');
  const headers = fc.oneof(fc.dictionary(key, value, { maxKeys: 3, noNullPrototype: true }), fc.constant(null));
  const input = fc.record(
    { key: value, plain: value, details: fc.record({ token: value, url: value, headers }, { requiredKeys: [] }) },
    { requiredKeys: [] },
  );

  it('nothing secret stays in the open part, and the input is not changed', () => {
    holds(
      fc.property(input, (given) => {
        const before = JSON.stringify(given);
        const { open } = splitSecrets(given, PATHS);
        expect(JSON.stringify(given)).to.equal(before);
        const details = (open as { details?: Record<string, unknown> }).details ?? {};
        expect(open).not.to.have.property('key');
        expect(details).not.to.have.property('token');
        expect(details.headers ?? {}).to.deep.equal({});
      }),
    );
  });
  it('removed secrets can be inserted again', () => {
    holds(
      fc.property(input, (given) => {
        const { open, submitted: taken } = splitSecrets(given, PATHS);
        const texts = Object.fromEntries(
          Object.entries(taken).filter(([path, item]) => item !== null && !path.includes('__proto__')),
        );
        const whole = insertSecrets(open as object, texts as Record<string, string>) as typeof given;
        if (typeof given.key === 'string' && given.key !== '') expect(whole.key).to.equal(given.key);
        const token = given.details?.token;
        if (typeof token === 'string' && token !== '') expect(whole.details?.token).to.equal(token);
      }),
    );
  });
  it('a decision keeps, sets or drops every path, and never two of them', () => {
    const paths = fc.uniqueArray(fc.constantFrom('a', 'h/x', 'h/y', 'h/*', 'b'), { maxLength: 4 });
    const given = fc.dictionary(fc.constantFrom('a', 'h/x', 'h/*', 'c'), fc.constantFrom('new', null), {
      maxKeys: 3,
      noNullPrototype: true,
    });
    holds(
      fc.property(given as fc.Arbitrary<SubmittedSecrets>, paths, (sent, stored) => {
        const { keep, set, changes } = decideSecrets(sent, stored);
        expect(keep.filter((path) => Object.hasOwn(set, path))).to.deep.equal([]);
        for (const path of keep) expect(stored).to.include(path);
        for (const path of Object.keys(set)) expect(sent[path]).to.equal(set[path]);
        if (!changes) expect([...keep].sort()).to.deep.equal([...stored].sort());
      }),
    );
  });
});
