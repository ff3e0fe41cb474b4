import { expect } from 'chai';
import { parseTemplate } from '../../../src/domain/values/template.ts';

describe('templates of search commands', () => {
  const ROW = {
    a: 'x',
    'b.c': 'y',
    'd:e': 3,
    list: ['one', 'two'],
    empty: '',
    none: [],
    braces: '{a}',
    __proto__: 'p',
  };
  for (const [template, text] of [
    ['plain', 'plain'],
    ['{a}', 'x'],
    ['<{a}-{b.c}-{d:e}-{a}>', '<x-y-3-x>'],
    ['{list}', 'one\ntwo'],
    ['{{a}}', '{a}'],
    ['{{{a}}}', '{x}'],
    ['{"key": "{a}"}', '{"key": "x"}'],
    ['{ a } {} {1} {a b} { {', '{ a } {} {1} {a b} { {'],
    ['{braces}', '{a}'],
    ['{{"n": {{"m": 1}}}}', '{"n": {"m": 1}}'],
  ] as const) {
    it(`fills ${template}`, () => {
      expect(parseTemplate(template).fill(ROW)).to.deep.equal({ text });
    });
  }

  it('reports the first field that is missing or empty', () => {
    for (const field of ['missing', 'empty', 'none']) {
      expect(parseTemplate(`{a} {${field}} {other}`).fill(ROW)).to.deep.equal({ missing: field });
    }
    expect(parseTemplate('{b} {a} {b} {{c}}').fields).to.deep.equal(['b', 'a']);
  });
});
