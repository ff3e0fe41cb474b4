import { expect } from 'chai';
import { maskTexts } from '../../src/masking/masking.ts';
import { cases, everything, mask, partsOf } from './cases.ts';

const KB = 1000;
/** The larger text may cost this many times more for each character. */
const MOST = 4;

const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The least of some measurements, in milliseconds for each KB. */
function costOf(text: string, runs: number): number {
  const costs = Array.from({ length: runs }, () => {
    const start = cpu();
    maskTexts([text], partsOf([{ kinds: everything(), regions: ['US', 'DE'] }]));
    return cpu() - start;
  });
  return Math.min(...costs) / (text.length / KB);
}

const filled = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

const PIECES: Readonly<Record<string, string>> = {
  'the labelled texts': `${cases.map(({ text }) => text).join('\n')}\n`,
  'a letter': 'a',
  digits: '1',
  'hexadecimal digits': 'af0',
  dots: '.',
  'names of labels': 'a.',
  colons: ':',
  'groups of an address': 'ab:',
  backslashes: '\\',
  'escaped quotes': '\\"',
  at: '@',
  'mail characters': 'a.b@',
  'percent signs': '%',
  'escaped percent signs': '%25',
  'numbers with blanks': '1 2 ',
  keys: 'password=',
  quotes: 'password="',
  'starts of keys': '-----BEGIN PRIVATE KEY-----',
  'starts of tokens': 'eyJhbGciOiJIUzI1NiJ9.',
  schemes: 'a://',
  'labels of placeholders': 'user-',
  'brackets of JSON': '["',
  cookies: 'Cookie: a=b; ',
  'underscores and dollars': 'a_$',
};

describe('masking: time', () => {
  for (const [name, piece] of Object.entries(PIECES)) {
    it(`grows with the text alone: ${name}`, function () {
      this.timeout(240_000);
      costOf(filled(piece, 10 * KB), 3);
      const small = costOf(filled(piece, 100 * KB), 3);

      const large = costOf(filled(piece, 1000 * KB), 1);
      expect(large / Math.max(small, LEAST_COST)).to.be.below(MOST);
    });
  }

  it('grows with the number of values alone', function () {
    this.timeout(120_000);
    const text = (count: number) =>
      Array.from({ length: count }, (_, index) => `at 10.${index >> 8}.${index & 255}.7 user=u${index}.x`).join('\n');
    const small = costOf(text(2000), 3);
    expect(costOf(text(20_000), 1) / small).to.be.below(MOST);
  });

  it('of a check of the body grows with it', function () {
    this.timeout(120_000);
    const cost = (count: number, times: number): number => {
      const values = Array.from({ length: count }, (_, index) => `at 10.${index >> 8}.${index & 255}.7`).join('\n');
      const { texts, check } = mask([values]);
      const body = JSON.stringify({ content: texts[0] });
      const start = cpu();
      for (let n = 0; n < times; n += 1) check(body);
      return (cpu() - start) / count / times;
    };
    cost(500, 5);
    expect(cost(20_000, 2) / Math.max(cost(2000, 20), 0.001)).to.be.below(2 * MOST);
  });
});

/** Milliseconds for each KB. */
const LEAST_COST = 0.02;
