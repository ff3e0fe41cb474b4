import { expect } from 'chai';
import { parseCapabilityExpression } from '../../src/drivers/capabilityExpression.ts';

const allows = (text: string, ...held: string[]) => parseCapabilityExpression(text).allows(new Set(held));

describe('capability expressions', () => {
  it('are one name in the simplest case', () => {
    expect(allows('a_1', 'a_1')).to.equal(true);
    expect(allows('a_1', 'A_1')).to.equal(false);
    expect(allows('a_1')).to.equal(false);
  });

  it('bind and tighter than or', () => {
    expect(allows('a or b and c', 'a')).to.equal(true);
    expect(allows('a or b and c', 'b')).to.equal(false);
    expect(allows('a or b and c', 'b', 'c')).to.equal(true);
    expect(allows('b and c or a', 'a')).to.equal(true);
  });

  it('follow parentheses and not, in any case of the operators', () => {
    expect(allows('(a or b)and(c)', 'a')).to.equal(false);
    expect(allows('(a or b)and(c)', 'b', 'c')).to.equal(true);
    expect(allows('((a)) AND NOT b', 'a')).to.equal(true);
    expect(allows('a and not not b', 'a', 'b')).to.equal(true);
    expect(allows('not a or b', 'a')).to.equal(false);
  });

  it('accept names that begin like operators', () => {
    expect(allows('order and android or nothing', 'nothing')).to.equal(true);
  });

  it('explain what is wrong with a malformed one', () => {
    const bad: [string, string][] = [
      ['', 'a capability name is missing at the end'],
      ['a or', 'a capability name is missing at the end'],
      ['or a', 'a capability name is missing at "or" (character 1)'],
      ['a b', 'an operator is missing at "b" (character 3)'],
      ['(a or b', 'a closing parenthesis is missing at the end'],
      ['a)', 'an operator is missing at ")" (character 2)'],
      ['()', 'a capability name is missing at ")" (character 2)'],
      ['a && b', '"&" at character 3 is not allowed'],
      ['a-b', '"-" at character 2 is not allowed'],
    ];
    for (const [text, message] of bad) {
      expect(() => parseCapabilityExpression(text), text).to.throw(`bad capability expression "${text}": ${message}`);
    }
  });
});
