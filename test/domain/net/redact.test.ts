import { expect } from 'chai';
import { redact } from '../../../src/domain/net/redact.ts';
import { effort } from '../../support/time.ts';

describe('redact', () => {
  it('removes given secrets in every form they travel in', () => {
    const secret = 'p@ss word/1+2"';
    const forms = [
      secret,
      encodeURIComponent(secret),
      new URLSearchParams({ a: secret }).toString(),
      JSON.stringify({ secret }),
      Buffer.from(secret).toString('base64'),
    ];
    for (const form of forms) {
      const clean = redact(`before ${form} after`, [secret]);
      expect(clean)
        .to.contain('[redacted]')
        .and.to.match(/^before .* after$/);
      expect(clean).not.to.contain('ass word').and.not.to.contain('ass%20word').and.not.to.contain('ass+word');
    }
  });

  it('removes the longer of two secrets first, so that no tail stays', () => {
    expect(redact('abcd1234efgh', ['abcd1234', 'abcd1234efgh'])).to.equal('[redacted]');
  });

  it('removes what looks like a credential', () => {
    const suspects = [
      'sk-proj-abcdef123456',
      'AKIAIOSFODNN7EXAMPLE',
      'AIzaSyA1234567890abcdefghijk',
      'Bearer abc.def-ghi',
      'Basic dXNlcjpwYXNz',
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
      'ghp_0123456789abcdefghij',
    ];
    for (const suspect of suspects) expect(redact(`x ${suspect} y`), suspect).to.equal('x [redacted] y');
  });

  it('leaves short values and harmless text alone', () => {
    expect(redact('the task-list of 1 basic user', ['1'])).to.equal('the task-list of 1 basic user');
  });

  it('makes one bounded line without control characters', () => {
    expect(redact('a\r\n\u0000b\u001b[31m\u202ec')).to.equal('a b [31m c');
    const long = redact('x'.repeat(1000));
    expect(long).to.have.length(300).and.to.match(/…$/);
    expect(redact('x'.repeat(50), [], 10)).to.have.length(10);
  });

  it('removes a secret that straddles the cut', () => {
    expect(redact(`${'x'.repeat(295)}secret-value`, ['secret-value'], 300)).not.to.contain('secr');
  });

  it('is fast on a large hostile body', () => {
    const hostile = () => {
      redact(`${'eyJ'.repeat(1_000_000)} ${'Bearer '.repeat(100_000)}`, ['secret-value']);
      redact('-eyJ'.repeat(2_000_000), ['secret-value']);
    };
    expect(effort(hostile)).to.be.below(50);
  });

  it('leaves nothing of a secret at the place where a long text was cut', () => {
    const secret = 'qwertyuiop'.repeat(800);
    for (const before of [0, 1, 100, 16_000, 16_384]) {
      expect(redact(`${'x'.repeat(before)}${secret.repeat(3)}`, [secret], 20_000)).not.to.contain('qwerty');
    }
  });

  it('finds a token in the middle of a row, and to its end', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
    expect(redact(`key-${token} a.b.${token} ${token}.`)).to.equal('key-[redacted] a.b.[redacted] [redacted]');
    expect(redact('keyJane.example-of-a-host')).to.equal('keyJane.example-of-a-host');
  });

  it('removes a secret that a host name shows in lower case', () => {
    expect(redact('it points to tokenabcd.evil.example', ['TokenABCD'])).to.equal(
      'it points to [redacted].evil.example',
    );
  });
});
