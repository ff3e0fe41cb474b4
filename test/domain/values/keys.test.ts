import { expect } from 'chai';
import { recordKey } from '../../../src/domain/values/keys.ts';

describe('record keys', () => {
  it('are the same for names that differ in case or outer white space only', () => {
    expect(recordKey('My.Server-1')).to.equal('my.server-1');
    expect(recordKey(' my.server-1 ')).to.equal(recordKey('MY.SERVER-1'));
  });

  it('escape everything that has a meaning in a URL or a query, so that no two names meet', () => {
    expect(recordKey('a b')).to.equal('a_20b');
    expect(recordKey('a_b')).to.equal('a_5fb');
    const names = ['a b', 'a_b', 'a_20b', 'a+b', 'a@b', 'a(b', 'a)b', 'a.b', 'a-b', 'ab', 'a/b', 'ä b', '__proto__'];
    expect(new Set(names.map(recordKey)).size).to.equal(names.length);
    for (const name of names) expect(recordKey(name)).to.match(/^[a-z0-9._-]+$/);
  });
});
