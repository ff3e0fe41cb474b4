import { expect } from 'chai';
import { evidenceOf, linesOfRule, type Rule } from './rules.ts';

const RULES: readonly Rule[] = [
  {
    title: 'separators of several locales',
    answer: "88,123 and 88.123, 88'123, 88_123, 88 123, 88\u202f123, 88,124",
    results: [{ n: 88123 }],
    expected: ['88,123 number backed', '88,124 number unverified'],
  },
  {
    title: 'decimals of both locales',
    answer: '1.234,5 and 1,234.5; 1.234',
    results: [{ n: 1234.5 }, { m: 1.234 }],
    expected: ['1.234,5 number backed', '1.234 number backed'],
  },
  {
    title: 'rounded and cut, to the digits written',
    answer: '12.3k, 12.4k, 12,300, 1.2 million',
    results: [{ n: 12345, m: 1234567 }],
    expected: [
      '12.3k number backed',
      '12.4k number unverified',
      '12,300 number unverified',
      '1.2 million number backed',
    ],
  },
  {
    title: 'floor and rounding',
    answer: '12.35 and 12.34 and 12.33',
    results: [{ n: 12.346 }],
    expected: ['12.35 number backed', '12.34 number backed', '12.33 number unverified'],
  },
  {
    title: 'units in the names of columns',
    answer: '30 s, 1.5 h, 40 GB, 40 MB',
    results: [{ duration_ms: 30000, minutes: 90, size_gb: 40 }],
    expected: ['30 s number backed', '1.5 h number backed', '40 GB number backed', '40 MB number unverified'],
  },
  {
    title: 'a number with a unit is the number alone too',
    answer: '37 % of 412 MB',
    results: [{ share: 37, total: 412 }],
    expected: ['37 % number backed', '412 MB number backed'],
  },
  { title: 'a percentage as a fraction', answer: '74 %', results: [{ share: 0.74 }], expected: ['74 % number backed'] },
  {
    title: 'long whole numbers, digit by digit',
    answer: '12345678901234567890 and 12345678901234567891',
    results: ['{"id":12345678901234567890}'],
    expected: ['12345678901234567890 number backed', '12345678901234567891 number unverified'],
  },
  {
    title: 'what is no claim',
    answer: [
      '# 12 findings',
      '12. In 2026, 3 hosts and nine users.',
      'Confidence: 85 %, risk score of 72, priority 20, severity 30/100.',
      'RFC 5737, ISO 27001, SHA-256, Windows 11, Top 10, step 12, 24/7, 64-bit, 10-20.',
      '**Recommended:** wait 30 minutes.',
      '## Next steps',
      '- Block for 48 hours',
      '- Wait 60 s',
    ].join('\n'),
    results: ['x'],
    expected: [],
  },
  {
    title: 'what is one',
    answer: 'CVSS score 9.8; 30–45; 5 GB',
    results: ['x'],
    expected: ['9.8 number unverified', '30 number unverified', '45 number unverified', '5 GB number unverified'],
  },
  {
    title: 'addresses in headings and recommendations',
    answer: '# 192.0.2.1\n\nNext: block 192.0.2.2 for 30 minutes.\n## Recommendations\n- Block 192.0.2.3',
    results: ['x'],
    expected: ['192.0.2.2 ipv4 unverified', '192.0.2.3 ipv4 unverified'],
  },
  {
    title: 'a fence that shows an argument',
    answer: 'Run:\n```spl\nindex=fw 192.0.2.9\n| head 500\n```\nor\n```\n192.0.2.9 500\n```',
    request: {
      steps: [
        {
          index: 1,
          name: 's',
          input: JSON.stringify({ search: 'index=fw 192.0.2.9 | head 500' }),
          output: 'x',
          isCut: false,
        },
      ],
    },
    expected: ['192.0.2.9 ipv4 unverified', '500 number unverified'],
  },
  {
    title: 'times with and without zone',
    answer: '2026-11-24T09:31:55+01:00, 2026-11-24 08:31 UTC, 24.11.2026 09:31, 9:31 AM, 2026-11-24T09:31:55Z',
    results: [{ _time: '2026-11-24T09:31:55+01:00' }],
    expected: [
      '2026-11-24T09:31:55+01:00 time backed',
      '2026-11-24 08:31 UTC time backed',
      '24.11.2026 09:31 time backed',
      '9:31 AM time backed',
      '2026-11-24T09:31:55Z time unverified',
    ],
  },
  {
    title: 'epoch times, in the zone of the user',
    answer: '24 November 10:14:02 and 2026-11-24 09:14:02 and 08:14',
    results: [{ _time: 1795511642 }, { ms: 1795511642000 }],
    request: { timeZone: 'Europe/Berlin' },
    expected: ['24 November 10:14:02 time backed', '2026-11-24 09:14:02 time unverified', '08:14 time unverified'],
  },
  {
    title: 'times of logs, of the year of the run',
    answer: '2026-11-24 09:14:02 UTC, 23 November, 24/11/2026',
    results: ['<34>Nov 24 09:14:02 fw1 sshd: x'],
    expected: ['2026-11-24 09:14:02 UTC time backed', '23 November time unverified', '24/11/2026 time backed'],
  },
  {
    title: 'a date alone does not back a time of day',
    answer: '2026-11-02 10:00 and 2026-11-02',
    results: [{ seen: '2026-11-02' }],
    expected: ['2026-11-02 10:00 time unverified', '2026-11-02 time backed'],
  },
  {
    title: 'relative times',
    answer: '9 minutes later, 40 minutes earlier',
    results: [[{ t: '2026-11-24T09:00:00Z' }, { t: '2026-11-24T09:09:20Z' }]],
    expected: ['9 minutes later time derived', '40 minutes earlier time unverified'],
  },
  {
    title: 'rows, distinct values, sums, spans of a column',
    answer: '14, 13, 1,110, 992, 700',
    results: [
      Array.from({ length: 14 }, (_, n) => ({
        host: `h-${n % 13}`,
        n: n === 13 ? 1000 : n === 0 ? 10 : n < 12 ? 8 : 12,
      })),
    ],
    expected: [
      '14 number derived',
      '13 number derived',
      '1,110 number derived',
      '992 number derived',
      '700 number unverified',
    ],
  },
  {
    title: 'pairs only in short columns',
    answer: '30 and 70',
    results: [
      [10, 20, 99].map((n) => ({ n })),
      Array.from({ length: 13 }, (_, n) => ({ m: n === 0 ? 25.2 : n === 1 ? 44.8 : 500 + n })),
    ],
    expected: ['30 number derived', '70 number unverified'],
  },
  {
    title: 'shares of a row',
    answer: '25 %, 33 %',
    results: [[{ failed: 50, total: 200 }]],
    expected: ['25 % number derived', '33 % number unverified'],
  },
];

describe('evidence: numbers and times', () => {
  for (const rule of RULES) {
    it(rule.title, () => {
      expect(linesOfRule(rule)).to.have.members(rule.expected);
    });
  }

  it('derives few of all numbers from a column of forty', () => {
    const numbers = Array.from({ length: 40 }, (_, n) => ({ n: 1000 + ((n * 7919) % 9000) }));
    const answer = Array.from({ length: 990 }, (_, n) => `${n + 10}`).join('; ');
    expect(evidenceOf({ answer, results: [numbers] }).derived).to.be.below(20);
  });
});
