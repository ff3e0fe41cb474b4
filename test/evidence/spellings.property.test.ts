import { expect } from 'chai';
import fc from 'fast-check';
import { evidenceOf } from './rules.ts';

interface Kind {
  kind: string;
  values: fc.Arbitrary<string>;
  spellings: readonly ((value: string) => string)[];
}

const digits = fc.integer({ min: 10, max: 250 });
const letters = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...'bcdfghjkmnpqrtvwxz'), minLength: least, maxLength: most });
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 63, maxLength: 63 });
const defanged = (value: string) => value.replaceAll('.', '[.]');
const upper = (value: string) => value.toUpperCase();
const same = (value: string) => value;
const percent = (value: string) => value.replace('@', '%40');

const KINDS: readonly Kind[] = [
  {
    kind: 'ipv4',
    values: fc.tuple(digits, digits, digits, digits).map((parts) => parts.join('.')),
    spellings: [same, defanged, (ip) => ip.replaceAll('.', '(.)')],
  },
  {
    kind: 'ipv6',
    values: fc.tuple(digits, digits).map(([a, b]) => `2001:db8::${a.toString(16)}:${b.toString(16)}`),
    spellings: [same, upper, (ip) => ip.replace('::', ':0:0:0:0:')],
  },
  {
    kind: 'host',
    values: fc.tuple(letters(4, 8), letters(4, 8)).map(([a, b]) => `${a}7.${b}.example`),
    spellings: [same, defanged, upper],
  },
  {
    kind: 'url',
    values: fc.tuple(letters(4, 8), letters(4, 8)).map(([a, b]) => `https://${a}.example/${b}7`),
    spellings: [
      same,
      (url) => url.replace('http', 'hxxp'),
      (url) => `${url}/`,
      (url) => url.replace('.example', '.example:443'),
    ],
  },
  {
    kind: 'email',
    values: fc.tuple(letters(4, 8), letters(4, 8)).map(([a, b]) => `${a}7@${b}.example`),
    spellings: [same, upper, percent, (mail) => mail.replace('@', '[@]')],
  },
  { kind: 'hash', values: hex.map((text) => `a${text}`), spellings: [same, upper] },
  {
    kind: 'cve',
    values: fc.integer({ min: 1000, max: 99_999 }).map((n) => `CVE-2024-${n}`),
    spellings: [same, (id) => id.toLowerCase()],
  },
  {
    kind: 'attack',
    values: fc.integer({ min: 1000, max: 9999 }).map((n) => `T${n}`),
    spellings: [same, (id) => id.toLowerCase()],
  },
  {
    kind: 'number',
    values: fc.integer({ min: 12_345, max: 987_654 }).map(String),
    spellings: [
      same,
      (n) => n.replace(/(\d{3})$/, ',$1'),
      (n) => n.replace(/(\d{3})$/, '.$1'),
      (n) => n.replace(/(\d{3})$/, '\u202f$1'),
    ],
  },
];

/** Surroundings of a value in the data, and in the answer. */
const AROUND_DATA: readonly ((value: string) => unknown)[] = [
  (value) => value,
  (value) => [{ field: value }],
  (value) => ({ results: JSON.stringify([{ field: value }]) }),
  (value) => `a text with ${value}, and more`,
  (value) => `key="${value}" other=x`,
  (value) => `first,second\n"${value}",x\n`,
];
const AROUND_ANSWER: readonly ((value: string) => string)[] = [
  (value) => `It was ${value}.`,
  (value) => `**${value}**`,
  (value) => `| \`${value}\` | x |`,
  (value) => `(${value})`,
  (value) => `- ${value}\n- x`,
];

/** Another last digit or letter, or another first one. */
function changed(value: string, kind: string): string {
  const index = kind === 'host' || kind === 'email' ? value.search(/\d/) : value.length - 1;
  const character = value.charAt(index);
  return value.slice(0, index) + (character === '8' ? '9' : /\d/.test(character) ? '8' : '7') + value.slice(index + 1);
}

/** A scheme may stand behind anything, and a unit behind a number. */
const extended = (value: string, kind: string): string[] =>
  kind === 'url'
    ? [`${value}1`, `${value}x`]
    : kind === 'number'
      ? [`1${value}`, `${value}1`]
      : [`x${value}`, `1${value}`];

const entityOf = (answer: string, data: unknown, kind: string) =>
  evidenceOf({ answer, results: [data] }).entities.find((entity) => entity.kind === kind);

describe('evidence: any spelling in any surroundings', () => {
  for (const { kind, values, spellings } of KINDS) {
    const runs = fc.tuple(
      values,
      fc.constantFrom(...spellings),
      fc.constantFrom(...spellings),
      fc.constantFrom(...AROUND_DATA),
      fc.constantFrom(...AROUND_ANSWER),
    );

    it(`${kind}: equal spellings back each other`, () => {
      fc.assert(
        fc.property(runs, ([value, inData, inAnswer, data, answer]) => {
          const entity = entityOf(answer(inAnswer(value)), data(inData(value)), kind);
          expect(entity).to.include({ status: 'backed' });
        }),
        { numRuns: 150 },
      );
    });

    it(`${kind}: one character more, less or other backs nothing`, () => {
      fc.assert(
        fc.property(runs, ([value, inData, inAnswer, data, answer]) => {
          for (const other of [changed(value, kind), ...extended(value, kind)]) {
            const entity = entityOf(answer(inAnswer(value)), data(inData(other)), kind);
            // The claim stands, whatever the data has.
            expect(entity, other).to.include({ status: 'unverified' });
          }
        }),
        { numRuns: 150 },
      );
    });
  }
});
