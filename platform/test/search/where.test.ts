import { expect } from 'chai';
import { ArgumentError, parseSearch } from '../../src/search/pipeline/spl.ts';
import { whereTerms } from '../../src/search/pipeline/where.ts';

const passes = (text: string, row: Record<string, string>): boolean => {
  const [part] = parseSearch(`| where ${text}`);
  if (part === undefined) throw new Error('no command');
  return whereTerms(part)(row);
};

describe('embedded platform: where', () => {
  it('compares texts and numbers', () => {
    const row = { state: 'failing', days: '9.5', none: '' };
    for (const text of [
      'state="failing"',
      'state=="failing"',
      'state!="ok"',
      'days<10',
      'days <= 9.5',
      'days>9',
      'days >= 9.5',
    ])
      expect(passes(text, row), text).to.equal(true);
    for (const text of ['state="ok"', 'days>10', 'days=9', 'state<5', 'other="x"', 'other!="x"', 'none<10'])
      expect(passes(text, row), text).to.equal(false);
  });

  it('joins comparisons by AND before OR', () => {
    const test = 'a="1" AND b="2" OR c="3"';
    expect(passes(test, { a: '1', b: '2' })).to.equal(true);
    expect(passes(test, { a: '1', c: '3' })).to.equal(true);
    expect(passes(test, { a: '1', b: '3' })).to.equal(false);
  });

  it('recognizes numbers', () => {
    expect(passes('isnum(a) AND a<=14', { a: '3' })).to.equal(true);
    for (const a of ['', ' ', 'x', '15']) expect(passes('isnum(a) AND a<=14', { a }), a).to.equal(false);
  });

  it('refuses unknown syntax', () => {
    for (const text of ['', 'state', 'state=failing', 'match(a,"b")', '(a="1")', 'a="1" XOR b="2"'])
      expect(() => passes(text, {}), text).to.throw(ArgumentError, 'malformed');
  });
});
