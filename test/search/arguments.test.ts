import { expect } from 'chai';
import { parseArguments } from '../../src/search/arguments.ts';
import { boolean, choice, seconds, text, wholeSeconds } from '../../src/search/argumentTypes.ts';
import { SearchError } from '../../src/search/command.ts';

const ARGUMENTS = { agent_name: text(''), action: text(''), timeout: text('') };
const parse = (given: string) => parseArguments(given, ARGUMENTS).values;

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

  it('reads escaped quotes and empty input', () => {
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

  it('gives each argument the type that its command declares', () => {
    const types = {
      name: text('', { pattern: /^[a-z]+$/, message: 'must be lower case' }),
      state: choice(['on', 'off'], ''),
      check: boolean(''),
      wait: seconds(0.5, 10, ''),
      age: wholeSeconds(0, 300, ''),
    };
    const { values } = parseArguments('name=x state=ON check=1 wait=0.5 age=300', types);
    expect(values).to.deep.equal({ name: 'x', state: 'on', check: true, wait: 0.5, age: 300 });
    for (const [given, message] of [
      ['name=X', 'name must be lower case'],
      ['state=maybe', 'Unknown state maybe: use on, off'],
      ['check=maybe', 'check must be true or false, not maybe'],
      ['wait=0.4', 'wait must be a number of seconds from 0.5 to 10'],
      ['wait=1e1', 'wait must be a number of seconds from 0.5 to 10'],
      ['age=1.5', 'age must be a whole number of seconds from 0 to 300'],
      ['age=301', 'age must be a whole number of seconds from 0 to 300'],
      ['size=1', 'Unknown argument size: use name, state, check, wait, age'],
    ] as const) {
      expect(() => parseArguments(given, types), given)
        .to.throw(SearchError)
        .with.property('message', message);
    }
  });

  it('shortens refused input to one line', () => {
    try {
      parse(`${'x'.repeat(500)}\u0000\u202e`);
    } catch (error) {
      expect((error as Error).message.length).to.be.below(140);
      expect((error as Error).message).to.not.match(/[\p{Cc}\p{Cf}]/u);
    }
  });

  it('parses a long text in linear time', () => {
    expect(() => parse(`agent_name="${'\\a'.repeat(200_000)}`)).to.throw(SearchError);
    expect(() => parse(' '.repeat(200_000))).to.not.throw();
  });
});
