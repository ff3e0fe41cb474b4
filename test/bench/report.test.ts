import { expect } from 'chai';
import { helpOf, readOptions } from '../../bench/options.ts';
import { type Row, ratioOf, summary, table, verdict } from '../../bench/report.ts';

const row = (more: Partial<Row>): Row => ({
  what: 'a read',
  against: 'a raw read',
  unit: 'ms',
  ours: [4, 6, 8],
  base: [2, 2, 2],
  ...more,
});

describe('the report of the bench', () => {
  it('compares pair by pair, unless figures are named', () => {
    // Pair by pair: 1, a half and 3. Of each side alone the middle is 10 and 20, the largest 300 and 100.
    expect(ratioOf(row({ ours: [1, 10, 300], base: [1, 20, 100] }))).to.equal(1);
    expect(ratioOf(row({ ours: [1, 10, 300], base: [1, 20, 100], figures: { ours: 'p99', base: 'p50' } }))).to.equal(
      15,
    );
    expect(ratioOf(row({ ours: [1, 10, 300], base: [1, 20, 100], figures: { ours: 'p50', base: 'p99' } }))).to.equal(
      0.1,
    );
  });

  it('ignores one of a hundred values for p99', () => {
    const ours = Array.from({ length: 200 }, (_, index) => index + 1);
    expect(ratioOf(row({ ours, base: [1], figures: { ours: 'p99', base: 'p50' } }))).to.equal(198);
  });

  it('a limit is the most, or the least of what there should be much of', () => {
    expect(verdict(row({ aim: 3 }), 'aim')).to.equal('ok');
    expect(verdict(row({ aim: 2.9 }), 'aim')).to.equal('over');
    expect(verdict(row({ aim: 3, better: 'more' }), 'aim')).to.equal('ok');
    expect(verdict(row({ aim: 3.1, better: 'more' }), 'aim')).to.equal('under');
    expect(verdict(row({}), 'aim')).to.equal('');
    expect(verdict(row({ aim: 2.9, keep: 3.5 }), 'keep')).to.equal('ok');
  });

  it('fails a row that could not be measured', () => {
    expect(verdict(row({ ours: [], base: [], aim: 3 }), 'aim')).to.equal('over');
    expect(verdict(row({ ours: [], base: [], aim: 3, better: 'more' }), 'aim')).to.equal('under');
  });

  it('names the rows that miss their limit, and counts only those that have one', () => {
    const rows = [row({}), row({ aim: 3 }), row({ what: 'a write', aim: 2 })];
    expect(summary(rows, 'aim')).to.deep.equal({
      missed: ['over: a write, against a raw read: 3.00, not <= 2'],
      passed: 1,
    });
    expect(table(rows, 'aim').split('\n').at(-1)).to.match(
      /^a write +6\.00 ms +a raw read +2\.00 ms +3\.00 +<= 2 +over$/,
    );
  });
});

describe('options of the bench', () => {
  const SUITES = ['driver', 'lists', 'reads'] as const;

  it('takes suites in one list or one by one, in the order of all', () => {
    expect(readOptions([], SUITES).suites).to.deep.equal(SUITES);
    expect(readOptions(['--only', 'reads,driver'], SUITES).suites).to.deep.equal(['driver', 'reads']);
    expect(readOptions(['--only', 'reads', '--only', 'lists'], SUITES).suites).to.deep.equal(['lists', 'reads']);
  });

  it('refuses an unknown suite and lists the known ones', () => {
    expect(() => readOptions(['--only', 'reads,wrtes'], SUITES)).to.throw(
      'Unknown suite "wrtes". Suites: driver, lists, reads.',
    );
    expect(() => readOptions(['--strikt'], SUITES)).to.throw('--strikt');
  });

  it('refuses --against together with --only or --short', () => {
    expect(readOptions(['--against', 'other'], SUITES).against).to.equal('other');
    for (const more of [['--short'], ['--only', 'reads']])
      expect(() => readOptions(['--against', 'other', ...more], SUITES)).to.throw('cannot be combined with');
  });

  it('names each option and suite in the help', () => {
    const help = helpOf(SUITES);
    for (const word of ['--only', '--short', '--strict', '--against', ...SUITES]) expect(help).to.contain(word);
  });
});
