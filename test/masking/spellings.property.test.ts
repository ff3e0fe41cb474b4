import { expect } from 'chai';
import fc from 'fast-check';
import { checkBody, maskContent, type Walk } from '../../src/masking/outgoing.ts';
import { everything, mask, partsOf } from './cases.ts';

interface Kind {
  kind: string;
  values: fc.Arbitrary<string>;
  /** What a rule needs before the value. */
  context?: string;
}

const part = fc.integer({ min: 2, max: 249 });
const text = (characters: string, least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: least, maxLength: most });
const name = text('bcdfghjkmpqvwxz', 4, 9);
const mixed = (length: number) => text('bcdfghjkmpqvwxzBCDFGHJKMPQVWXZ23456789', length, length);

const KINDS: readonly Kind[] = [
  { kind: 'ipv4', values: fc.tuple(part, part, part).map((parts) => `10.${parts.join('.')}`) },
  { kind: 'ipv6', values: fc.tuple(part, part).map(([a, b]) => `2001:db8::${a.toString(16)}:${b.toString(16)}`) },
  {
    kind: 'mac',
    values: fc.array(part, { minLength: 6, maxLength: 6 }).map((parts) => {
      return parts.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
    }),
  },
  { kind: 'email', values: fc.tuple(name, name).map(([user, domain]) => `${user}.o@${domain}.example`) },
  { kind: 'host', values: fc.tuple(name, name).map(([host, domain]) => `${host}7.${domain}.example`) },
  { kind: 'win_user', values: fc.tuple(name, name).map(([domain, user]) => `${domain.toUpperCase()}\\${user}`) },
  { kind: 'sid', values: fc.tuple(part, part).map(([a, b]) => `S-1-5-21-${a}1234567-${b}7654321-88-1${a}`) },
  { kind: 'phone', values: fc.tuple(part, part).map(([a, b]) => `+1202555${String(a).padStart(3, '0')}${b % 10}`) },
  { kind: 'card', values: fc.constantFrom('4111111111111111', '378282246310005', '5555555555554444') },
  { kind: 'iban', values: fc.constantFrom('DE89370400440532013000', 'GB82WEST12345698765432') },
  { kind: 'us_ssn', values: part.map((serial) => `219-09-${String(serial).padStart(4, '1')}`), context: 'SSN ' },
  { kind: 'key', values: mixed(36).map((code) => `ghp_${code}`) },
  { kind: 'jwt', values: mixed(40).map((code) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.${code}`) },
  { kind: 'user', values: fc.tuple(name, name).map(([first, last]) => `${first}.${last}`), context: 'user=' },
  { kind: 'password', values: mixed(12).map((code) => `${code}!9`), context: 'password=' },
];

const json = (value: string) => JSON.stringify(value);
const inner = (value: string) => json(value).slice(1, -1);
const percent = (value: string) => encodeURIComponent(value);

/** Surroundings that need no other spelling, and those of a spelling of their own. */
const AROUND: Readonly<Record<string, (value: string, context: string) => string>> = {
  plain: (value, context) => `Look at ${context}${value} now`,
  end: (value, context) => `Look at ${context}${value}`,
  lines: (value, context) => `first line\n${context}${value}\nlast line`,
  sentence: (value, context) => `It was ${context}${value}, and then no more.`,
  json: (value, context) => json({ text: `${context}${value}` } as never),
  jsonLines: (value, context) => JSON.stringify({ text: `a\n${context}${value}\nb`, n: 1 }),
  doubledJson: (value, context) => JSON.stringify({ output: JSON.stringify({ text: `x\n${context}${value} y` }) }),
  quotedJson: (value, context) => `Result: "${inner(JSON.stringify({ text: `${context}${value}` }))}" of a tool`,
  csv: (value, context) => `a,b,c\n1,"${context}${value}",x\n`,
  markdown: (value, context) => `| a | ${context}${value} | b |\n**${context}${value}**`,
  code: (value, context) => `\`${context}${value}\``,
  spl: (value, context) => `search index=main ${context}${value} | stats count`,
  xml: (value, context) => `<Data Name='x'>${context}${value}</Data>`,
  emoji: (value, context) => `📞 größer ${context}${value} 端`,
  percent: (value, context) => `GET /a?q=${percent(`${context}${value}`)}&b=1 HTTP/1.1`,
};

/** Kinds whose values hold what ends them in some surroundings. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {};

describe('masking: any kind in any surroundings', () => {
  for (const { kind, values, context = '' } of KINDS) {
    const names = Object.keys(AROUND).filter((around) => !LEFT_OUT[kind]?.includes(around));

    it(`${kind}: nothing of it is left, and it comes back`, () => {
      fc.assert(
        fc.property(values, fc.constantFrom(...names), (value, around) => {
          const original = AROUND[around]?.(value, context) ?? '';
          const { texts, restorer, counts, check } = mask([original]);
          const [masked = ''] = texts;
          for (const form of [value, inner(value), inner(inner(value)), percent(value)]) {
            expect(masked.toLowerCase(), `${around}: ${original}`).not.to.include(form.toLowerCase());
          }
          expect(counts[kind], `${around}: ${original} => ${masked}`).to.be.at.least(1);
          expect(restorer.text(masked), around).to.equal(original);
          check(JSON.stringify({ messages: [{ content: masked }] }));
        }),
        { numRuns: 120 },
      );
    });

    it(`${kind}: in another text of the request it is found in each spelling`, () => {
      fc.assert(
        fc.property(values, fc.constantFrom(...names), fc.boolean(), (value, around, isUpper) => {
          const other = AROUND[around]?.(isUpper ? value.toUpperCase() : value, '') ?? '';
          const { texts } = mask([`${context}${value}`, other]);
          const [first = '', second = ''] = texts;
          const word = first.slice(context.length);
          expect(second, `${around}: ${other}`).to.include(word);
          for (const form of [value, inner(value), percent(value)]) {
            expect(second.toLowerCase(), `${around}: ${other}`).not.to.include(form.toLowerCase());
          }
        }),
        { numRuns: 120 },
      );
    });
  }

  it('5,000 values: none is left in what goes out, and the answer is equal byte for byte', function () {
    this.timeout(240_000);
    const kinds = fc
      .constantFrom(...KINDS)
      .chain(({ values, context = '' }) => values.map((value) => ({ value, context })));
    const planted = fc.tuple(kinds, fc.constantFrom(...Object.keys(AROUND)));
    for (const group of fc.sample(fc.array(planted, { minLength: 10, maxLength: 10 }), 500)) {
      const texts = group.map(([{ value, context }, around]) => AROUND[around]?.(value, context) ?? '');
      const walk: Walk<{ messages: string[] }> = ({ messages }, replace) => ({ messages: messages.map(replace) });
      const parts = partsOf([{ kinds: everything() }]);
      const { content, restorer } = maskContent({ messages: texts }, walk, parts);
      const body = JSON.stringify({ messages: content.messages.map((text) => ({ role: 'user', content: text })) });
      checkBody(content, body);
      for (const [index, [{ value }, around]] of group.entries()) {
        const masked = (content.messages[index] ?? '').toLowerCase();
        for (const form of [value, inner(value), inner(inner(value)), percent(value)]) {
          expect(masked, `${around}: ${texts[index]}`).not.to.include(form.toLowerCase());
        }
      }
      const alone = group.map(([{ value, context }]) => `${context}${value}`);
      const own = maskContent({ messages: alone }, walk, parts);
      for (const [index, masked] of own.content.messages.entries()) {
        const value = group[index]?.[0].value ?? '';
        const word = /[a-z]+-[a-z0-9]{10,12}$/.exec(masked)?.[0] ?? '';
        expect(own.restorer.text(`so **${word.toUpperCase()}**, \`${word}\``).toLowerCase()).to.equal(
          `so **${value}**, \`${value}\``.toLowerCase(),
        );
      }
      if (new Set(group.map(([{ value }]) => value)).size < group.length) continue;
      expect(content.messages.map((text) => restorer.text(text))).to.deep.equal(texts);
    }
  });
});
