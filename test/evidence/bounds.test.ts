import { expect } from 'chai';
import { evidenceOf } from './rules.ts';

/** A text of four times the length may take so many times longer; with time in proportion to its square it takes sixteen times. */
const MOST = 9;
/** Less CPU than this, ms, is noise. */
const LEAST_MS = 40;
const LENGTH = 60_000;
const PARTS = [
  ...[
    'a',
    'a ',
    '1',
    '1 ',
    '1 234 ',
    '1.',
    '1,',
    '1:',
    '1:1:',
    '::',
    ':',
    '.',
    '-',
    '/',
    '/a',
    '\\',
    '\\a',
    'a\\b',
    'C:\\a b',
    '@',
    'a@',
    '@a.b',
  ],
  ...[
    'a@b.c',
    'a@b.c ',
    'http://',
    'http://a',
    'http://a ',
    'a://',
    '://a',
    '%',
    '%41',
    '%4',
    '&',
    '&amp;',
    '&#',
    '\\u',
    '\\u0041',
    '[.]',
    '[',
    '(',
  ],
  ...[
    '[dot',
    'hxx',
    '10:30',
    '10:30_',
    '2026-11-24T',
    '2026-11-24 ',
    'Nov 24 ',
    'May',
    '24 May ',
    '1 s later ',
    '0123456789abcdef',
    'abcdef1…',
  ],
  ...[
    '1.2.3.4',
    '1.2.3.4-',
    '1.2.3.4/',
    'a.b.example',
    'a.example.',
    'user ',
    'user=',
    'user a, b ',
    '{',
    '{"a":',
    '[[',
    '["',
    '"',
    '""',
    '\n',
    'a,b\n',
  ],
  ...[
    '{}\n',
    '```\n',
    '# ',
    '- ',
    '1. ',
    '| ',
    '**',
    '`',
    'recommend ',
    'next. ',
    'T1110.003',
    'CVE-2024-',
    'x.exe/',
    'a/1.2/',
    'ü',
    '…',
    '\u200b',
  ],
];
const CLAIMS =
  '192.0.2.1, 25 %, 12.3k, 5 GB, user anna, wks-1, 2026-11-24 10:00, 9 minutes later, abcdef12…34, https://a.example/b, /a/b';

describe('evidence, for long texts', () => {
  for (const part of PARTS) {
    it(`is quick for ${JSON.stringify(part)} repeated`, () => {
      const msOf = (length: number): number => {
        const text = part.repeat(length / part.length);
        const start = process.cpuUsage();
        evidenceOf({ answer: CLAIMS, results: [text, { user: text, rows: [[text]] }] });
        // Answers are shorter.
        evidenceOf({ answer: text.slice(0, length / 8), results: [CLAIMS] });
        return process.cpuUsage(start).user / 1000;
      };
      msOf(LENGTH / 40);
      const quarter = msOf(LENGTH / 4);
      expect(msOf(LENGTH) / Math.max(quarter, LEAST_MS)).to.be.below(MOST);
    });
  }

  const rowsOf = (count: number): object[] =>
    Array.from({ length: count }, (_, n) => ({ n: n % 97, m: n * 7, t: new Date(1.79e12 + n * 1000).toISOString() }));

  it('is quick for many rows and times', () => {
    const msOf = (count: number): number => {
      const start = process.cpuUsage();
      evidenceOf({ answer: `${CLAIMS} 31.7 % and 0.123456`, results: [rowsOf(count)] });
      return process.cpuUsage(start).user / 1000;
    };
    msOf(500);
    expect(msOf(20_000) / Math.max(msOf(5_000), LEAST_MS)).to.be.below(MOST);
  });

  it('reads deep nesting without end', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const nested = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      expect(evidenceOf({ answer: '192.0.2.1', results: [nested] }).unverified).to.equal(1);
    }
  });
});
