import { expect } from 'chai';
import { missingMacros } from '../../src/spl/guard.ts';
import { checkTemplate, judgeTemplate } from '../../src/spl/template.ts';
import { brief, judge, policy, view } from './tricky.ts';

/** A text of four times the length may take so many times longer; with time in proportion to its square it takes sixteen times. */
const MOST = 10;
/** Less CPU than this, ms, is noise. */
const LEAST_MS = 40;
const LENGTH = 40_000;
const PARTS = [
  'a ',
  '"',
  '""',
  '`',
  '`a`',
  '``` ```',
  '[',
  '[a ',
  '[a]',
  ']',
  '|',
  '| a',
  '\\',
  "'",
  '(',
  'index IN (',
  'NOT ',
  'NOT (',
  'x=',
  'earliest=0 ',
  'a::b ',
  '$',
  '$a$',
  '$$',
  ' ',
  ',',
  '<<',
  '| join a',
  '| union a ',
  '| lookup a=b ',
  '`web`',
  '`loop`',
  '`idx(a)`',
];

describe('the guard, for long texts', () => {
  for (const part of PARTS) {
    it(`is quick for ${JSON.stringify(part)} repeated`, () => {
      const msOf = (length: number): number => {
        const text = part.repeat(length / part.length);
        const start = process.cpuUsage();
        for (const each of [text, `| tstats count ${text}`]) {
          judge(each.slice(0, 100_000));
          missingMacros(each, () => null);
        }
        checkTemplate(text, []);
        judgeTemplate(text, [], view, policy);
        return process.cpuUsage(start).user / 1000;
      };
      const quarter = msOf(LENGTH / 4);
      expect(msOf(LENGTH) / Math.max(quarter, LEAST_MS)).to.be.below(MOST);
    });
  }

  it('refuses a text beyond 100,000 characters', () => {
    expect(brief(judge('index=web '.repeat(10_000)))).to.equal('allowed');
    expect(brief(judge(`index=web ${'x '.repeat(50_000)}`))).to.equal('syntax');
  });

  it('refuses deep nesting without reading on', () => {
    const nested = (depth: number) => `search index=web ${'[search index=web '.repeat(depth)}${']'.repeat(depth)}`;
    expect(brief(judge(nested(20)))).to.equal('allowed');
    expect(brief(judge(nested(21)))).to.equal('nested');
    expect(brief(judge(nested(4_000)))).to.equal('nested');
  });

  it('refuses macros that grow beyond bounds', () => {
    const doubling = { macro: (name: string) => ({ definition: `\`${name}x\` `.repeat(50), args: [], isEval: false }) };
    const long = { macro: () => ({ definition: 'x '.repeat(90_000), args: [], isEval: false }) };
    const repeated = { macro: () => ({ definition: '$a$ '.repeat(40_000), args: ['a'], isEval: false }) };
    // None is expanded to its end: the first would have 50 to the power of 10 calls.
    for (const [text, given] of [
      ['index=web `m`', doubling],
      ['index=web `m` `m` `m`', long],
      [`index=web \`m(${'y'.repeat(50_000)})\``, repeated],
    ] as const) {
      expect(brief(judge(text, { view: given }))).to.equal('macro_depth');
    }
  });

  it('expands ten levels of macros and no more', () => {
    const levels = (depth: number) => ({
      macro: (name: string) => {
        const level = Number(name.slice(1));
        return { definition: level === depth ? 'index=web' : `\`m${level + 1}\``, args: [], isEval: false };
      },
    });
    expect(brief(judge('`m1`', { view: levels(10) }))).to.equal('allowed');
    expect(brief(judge('`m1`', { view: levels(11) }))).to.equal('macro_depth');
  });
});
