import type { Random } from '../../support/random.ts';

/** Begins every secret that is sent: it must not be seen anywhere again. */
export const CANARY = 'cAnArY7Zq';

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

/** What no field expects. */
const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  -0,
  1e308,
  2 ** 53,
  0.1,
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  '\u001b[31m',
  '\ud800',
  '\u202e',
  'e\u0301',
  '名前',
  '😀'.repeat(50),
  '***MASKED***',
  'x'.repeat(300),
  'x'.repeat(20_000),
  `${'a-'.repeat(4000)}!`,
  `${' '.repeat(8000)}x`,
  '1:2',
  ':::',
  '../../../etc/passwd',
  '/proc/self/pagemap',
  '/dev/zero',
  '\\\\host\\share',
  '%2e%2e%2f',
  '$(id)',
  "' OR 1=1 --",
  '{"$ne":null}',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/',
  'file:///etc/passwd',
  'http://user:password@127.0.0.1:1/',
  'unix:///dev/null',
  'tcp://127.0.0.1:1',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  '2026-13-45T99:99:99Z',
  [],
  [[]],
  {},
  { value: null },
  { $ne: null },
  { $gt: '' },
  { constructor: { prototype: { polluted: true } } },
  ['a', 1, null],
  Array.from({ length: 500 }, (_, index) => index),
  deep(200),
  deep(3000),
];

/** Names that mean something to a program. */
export const ODD_KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$where',
  'a.b',
  '',
  '_key',
  'payload',
];

/** A copy: what is put into a body is changed there once more. */
export const oddValue = (random: Random): unknown => structuredClone(random.pick(ODD));

/** Parts of a path as they should not arrive. */
export const ODD_PARTS = [
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%00',
  '%',
  '%zz',
  '%ff',
  '%C3%28',
  '%F0%9F%98%80',
  'a%2Fb',
  'x'.repeat(3000),
  '__proto__',
  'constructor',
  '%20',
  'a b'.replace(' ', '+'),
  '*',
  'test',
  'tools',
  encodeURIComponent('{"$ne":null}'),
];
