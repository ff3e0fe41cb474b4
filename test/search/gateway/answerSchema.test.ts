import { expect } from 'chai';
import { SearchError } from '../../../src/search/command.ts';
import { answerSchema, parseAnswer } from '../../../src/search/gateway/answerSchema.ts';

const read = (text: string) => answerSchema('').read(text, 'schema');

describe('the option schema', () => {
  it('becomes a JSON schema', () => {
    const { fields, jsonSchema } = read('severity: enum(low | high:1), cause,count:number , is_new:boolean,hosts:list');
    expect(fields).to.deep.equal(['severity', 'cause', 'count', 'is_new', 'hosts']);
    expect(jsonSchema).to.deep.equal({
      type: 'object',
      required: fields,
      additionalProperties: false,
      properties: {
        severity: { type: 'string', enum: ['low', 'high:1'] },
        cause: { type: 'string' },
        count: { type: 'number' },
        is_new: { type: 'boolean' },
        hosts: { type: 'array', items: { type: 'string' } },
      },
    });
  });

  for (const text of [
    '',
    ' ',
    'a,',
    'a,a',
    'a:int',
    'a:',
    'a:enum',
    'a:enum()',
    'a:enum(x|x)',
    'a:enum(x|)',
    'a:enum(x,y)',
    '_time',
    'a b',
    '1a',
  ]) {
    it(`refuses "${text}" and names the option and what it takes`, () => {
      expect(() => read(text)).to.throw(SearchError, /^schema cannot be read at .*: write name, name:number/);
    });
  }

  it('reads answers into fields', () => {
    const schema = read('a,b:number,c:boolean,d:list,error_code');
    const answer = '{"a":"x","b":1.5,"c":false,"d":["p","q"],"more":1}';
    expect(parseAnswer(schema, answer)).to.deep.equal({ a: 'x', b: '1.5', c: 'false', d: ['p', 'q'], error_code: '' });
    for (const other of ['', 'text', '[]', '"a"', 'null']) expect(parseAnswer(schema, other)).to.equal(undefined);
  });
});
