import { expect } from 'chai';
import { parseArguments } from '../../src/search/arguments.ts';
import { SearchError } from '../../src/search/command.ts';

const parse = (text: string) => Object.fromEntries(parseArguments(text, ['agent_name', 'action', 'timeout']));

describe('arguments of a search command', () => {
  for (const text of [
    'agent_name=x action=create',
    'agent_name="x" action="create"',
    "agent_name='x' action='create'",
    'agent_name = x action =create',
    'agent_name = "x"   action= create ',
    'AGENT_NAME=x Action=create',
    '  agent_name=x\taction=create',
  ]) {
    it(`reads ${JSON.stringify(text)}`, () => {
      expect(parse(text)).to.deep.equal({ agent_name: 'x', action: 'create' });
    });
  }

  it('reads quotes inside quotes, and nothing at all', () => {
    expect(parse(String.raw`agent_name="a \"b\" \\ c"`)).to.deep.equal({ agent_name: String.raw`a "b" \ c` });
    expect(parse(`agent_name=''`)).to.deep.equal({ agent_name: '' });
    expect(parse('')).to.deep.equal({});
  });

  for (const text of [
    'x',
    'agent_name',
    'agent_name=',
    'agent_name="x',
    'agent_name=x"y"',
    'agent_name="x"y',
    'agent_name=x=y',
    '=x',
    'agent_name=x create',
    'nothing=x',
    '__proto__=x',
    'agent_name=x agent_name=y',
    'agent_name=x | delete',
    'agent_name=x [search *]',
    `agent_name${'='.repeat(5000)}`,
  ]) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => {
      expect(() => parse(text)).to.throw(SearchError);
    });
  }

  it('quotes what it refuses cut and on one line', () => {
    try {
      parse(`${'x'.repeat(500)}\u0000\u202e`);
    } catch (error) {
      expect((error as Error).message.length).to.be.below(140);
      expect((error as Error).message).to.not.match(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it('takes a long text in one walk', () => {
    expect(() => parse(`agent_name="${'\\a'.repeat(200_000)}`)).to.throw(SearchError);
    expect(() => parse(' '.repeat(200_000))).to.not.throw();
  });
});
