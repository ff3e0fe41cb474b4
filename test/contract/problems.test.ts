import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { problemsOf, problemText, type SchemaError } from '../../src/contract/codes/problems.ts';

/** The problems that a schema has with a value, as field and message. */
function problems(schema: object, value: unknown): string[] {
  const validate = new Ajv2020({ strict: false, allErrors: true, logger: false }).compile(schema);
  validate(value);
  return problemsOf((validate.errors ?? []) as SchemaError[], {}).map(({ field, message }) => `${field} | ${message}`);
}
const NONE = 'is not allowed: the schema has no such property';

describe('problems of a value with its schema', () => {
  it('name a property that the schema does not have', () => {
    const closed = { properties: { n: { type: 'integer' } }, additionalProperties: false };
    expect(problems(closed, { n: 1, colour: 'red' })).to.deep.equal([`colour | ${NONE}`]);
    expect(problems(closed, { colour: 'red', 'a/b~c': 1, n: 'x' })).to.have.members([
      `colour | ${NONE}`,
      `a/b~c | ${NONE}`,
      'n | must be an integer',
    ]);
    const { additionalProperties: _, ...open } = closed;
    expect(problems({ allOf: [open], unevaluatedProperties: false }, { n: 1, colour: 1 })).to.deep.equal([
      `colour | ${NONE}`,
    ]);
    const list = { properties: { list: { type: 'array', items: closed } } };
    expect(problems(list, { list: [{ n: 1 }, { colour: 1 }] })).to.deep.equal([`list.1.colour | ${NONE}`]);
    expect(problems({ properties: { o: { properties: { p: closed } } } }, { o: { p: { q: 1 } } })).to.deep.equal([
      `o.p.q | ${NONE}`,
    ]);
  });

  it('name a property whose name is not allowed', () => {
    expect(problems({ propertyNames: { pattern: '^[a-z]+$' } }, { Colour: 1, n: 1 })).to.deep.equal([
      'Colour | has a name that must match ^[a-z]+$',
    ]);
    expect(problems({ propertyNames: { maxLength: 2 } }, { abc: 1 })).to.deep.equal([
      'abc | has a name that must have at most 2 characters',
    ]);
    expect(problems({ properties: { o: { propertyNames: false } } }, { o: { x: 1 } })[0]).to.match(
      /^o\.x \| has a name/,
    );
  });

  it('name a property that another one requires', () => {
    expect(problems({ dependentRequired: { a: ['b'] } }, { a: 1 })[0]).to.match(/^b \| /);
  });

  it('of the value as a whole have a name in words', () => {
    const whole = { field: '$body', message: 'must be an object' };
    expect(problemText(whole, 'the answer')).to.equal('the answer must be an object');
    expect(problemText({ field: 'n', message: 'is required' }, 'the answer')).to.equal('n is required');
  });
});
