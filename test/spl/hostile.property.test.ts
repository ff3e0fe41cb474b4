import { expect } from 'chai';
import fc from 'fast-check';
import { ALIASES, COMMANDS } from '../../src/spl/commands/table.ts';
import { judgeSearch, missingMacros } from '../../src/spl/guard.ts';
import { holds } from '../support/property.ts';
import { gap, otherCase, viewWith, wrapped } from './hostile.ts';
import { brief, DAY, judge, NOW, policy, view } from './tricky.ts';

const isRefused = (name: string): boolean => COMMANDS[ALIASES[name] ?? name]?.why !== undefined;
const NAMES = [...Object.keys(COMMANDS), ...Object.keys(ALIASES)];
const REFUSED = NAMES.filter(isRefused);
const READING = [
  'head 5',
  'stats count by host',
  'eval x="a | delete"',
  'rex "(?<a>[|\\]]+)"',
  'TABLE host',
  'sort - x',
];
const RUNS = 500;

const refusedStage = fc
  .tuple(otherCase(fc.constantFrom(...REFUSED)), fc.constantFrom('', ' x', ' y="z | head"', ' a=b [search index=web]'))
  .map(([name, rest]) => `${name}${rest}`);
const unknownStage = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('-x', '2', '.x', '_', '​', ',x', '\\', '=1', 'é'))
  .filter(([name, end]) => !NAMES.includes(name + end))
  .map(([name, end]) => `${name}${end} y`);
const lookupStage = fc.constantFrom(
  'lookup dnslookup host',
  'LOOKUP nowhere x',
  'lookup "dnslookup" x',
  'inputlookup dnslookup',
  'from savedsearch:x',
  'inputlookup [search index=web]',
);

/** Whether brackets match, as a reader of texts without strings sees them. */
function isBalanced(text: string): boolean {
  let depth = 0;
  for (const bracket of text.match(/[[\]]/g) ?? []) {
    depth += bracket === '[' ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const verdictOf = ({ text, macros }: { text: string; macros: Parameters<typeof viewWith>[0] }, requireIndex = true) =>
  judgeSearch(text, DAY, viewWith(macros), { ...policy, requireIndex }, NOW);

describe('the guard, for searches that fast-check makes', () => {
  it('knows refused commands under all names', () => {
    expect(REFUSED).to.include.members(['delete', 'stash', 'run', 'macro', 'rest', 'fit']);
    expect(REFUSED.length).to.be.above(50);
  });

  it('refuses a refused command in every wrapping', () => {
    holds(
      fc.property(wrapped(refusedStage), (search) => void expect(verdictOf(search)).to.include({ allowed: false })),
      RUNS,
    );
  });

  it('refuses an unknown command in every wrapping', () => {
    holds(
      fc.property(wrapped(unknownStage), (search) => void expect(verdictOf(search)).to.include({ allowed: false })),
      RUNS,
    );
  });

  it('refuses a lookup or dataset that is not known in every wrapping', () => {
    holds(
      fc.property(wrapped(lookupStage), (search) => void expect(verdictOf(search)).to.include({ allowed: false })),
      RUNS,
    );
  });

  it('allows the same wrappings around commands that read', () => {
    holds(
      fc.property(wrapped(fc.constantFrom(...READING)), (search) => {
        expect(brief(verdictOf(search, false)), search.text).to.equal('allowed');
      }),
      RUNS,
    );
  });

  it('gives the same verdict whatever blanks, comments and capitals a command has', () => {
    const name = fc.constantFrom(...NAMES);
    holds(
      fc.property(name, otherCase(name), fc.tuple(gap, gap, gap), (first, second, [a, b, c]) => {
        const plain = brief(judge(`index=web | ${first} users | ${second.toLowerCase()} users | head 1`));
        const varied = brief(
          judge(`${a}index=web${b}|${c}${first.toUpperCase()}${a}users${b}|${c}${second}${a}users |${b}head 1${c}`),
        );
        expect(varied).to.equal(plain);
      }),
      RUNS,
    );
  });

  it('allows again what it lets through, so that the judged text is the one that runs', () => {
    holds(
      fc.property(wrapped(fc.constantFrom(...READING)), (search) => {
        const verdict = verdictOf(search, false);
        if (!verdict.allowed) return;
        const again = judgeSearch(
          verdict.search,
          DAY,
          { macro: () => null, lookup: view.lookup },
          { ...policy, requireIndex: false },
          NOW,
        );
        expect(again).to.deep.equal(verdict);
      }),
      RUNS,
    );
  });

  it('lets no text pass in which a second reader sees a refused command', () => {
    const part = fc.oneof(
      fc.constantFrom('"', "'", '\\', '|', '| delete ', '[| delete ', '[search index=web ', ']', '```', '`', ' ', 'x'),
      fc.constantFrom(
        'index=web ',
        '\\"',
        "\\'",
        '"a" ',
        "'b' ",
        '| head 1 ',
        '`web`',
        '`evil`',
        '|delete',
        '"| delete "',
        '``` | delete ```',
      ),
    );
    let allowed = 0;
    holds(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const verdict = judge(`index=web ${parts.join('')}`);
        if (!verdict.allowed) return;
        allowed += 1;
        for (const hidden of [/\\.|"(?:\\.|[^"\\])*"/gs, /\\.|(["'])(?:\\.|(?!\1)[^\\])*\1/gs, /"(?:\\.|[^"\\])*"/gs]) {
          const rest = verdict.search.replace(hidden, ' ');
          const isOpen = rest.includes('"') || (hidden.source.includes("'") && rest.includes("'"));
          if (!isOpen && isBalanced(rest)) expect(rest).to.not.match(/[|[]\s*delete/);
        }
      }),
      20_000,
    );
    expect(allowed).to.be.above(500);
  });

  it('neither throws nor points outside of the text, whatever it is given', () => {
    const part = fc.oneof(
      fc.constantFrom('|', '[', ']', '"', "'", '`', '```', '\\', '(', ')', '=', ',', '$', ' ', '\n', '<', '!', '::'),
      fc.constantFrom(
        'search',
        'index=web',
        'NOT',
        'IN',
        'earliest',
        'from',
        'lookup',
        'union',
        'join',
        '`web`',
        '`idx(a)`',
        '`half`',
        '`loop`',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    holds(
      fc.property(fc.array(part, { maxLength: 40 }), fc.string({ maxLength: 6 }), (parts, time) => {
        const text = parts.join('');
        const verdict = judge(text, { range: { earliest: time, latest: time } });
        missingMacros(text, () => null);
        if (!verdict.allowed) expect(verdict.position).to.be.within(0, text.length);
      }),
      2_000,
    );
  });
});
