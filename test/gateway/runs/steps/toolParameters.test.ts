import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { toolParameters } from '../../../../src/gateway/runs/steps/toolParameters.ts';

type Json = Record<string, unknown>;

const string = { type: 'string' };
const LIMIT_WORDS = /\(\?(?:[=!]|<[=!])|\\[1-9]/;

/** What the interfaces of models refuse, as far as it can be seen in a schema. */
function refusals(schema: Json): string[] {
  const found: string[] = [];
  if (schema.type !== 'object') found.push('the root is no object');
  for (const key of ['anyOf', 'oneOf', 'allOf', 'enum', 'not', '$ref'])
    if (key in schema) found.push(`${key} at the root`);
  const visit = (one: unknown, path: string) => {
    if (typeof one !== 'object' || one === null) return;
    const { type, items, properties, pattern } = one as Json;
    if (typeof type === 'string' || Array.isArray(type)) {
      if ([type].flat().includes('array') && (typeof items !== 'object' || Array.isArray(items)))
        found.push(`${path}: items`);
      if ([type].flat().includes('object') && typeof properties !== 'object') found.push(`${path}: properties`);
    }
    if (typeof pattern === 'string' && LIMIT_WORDS.test(pattern)) found.push(`${path}: pattern`);
    for (const [key, inner] of Object.entries(one)) visit(inner, `${path}/${key}`);
  };
  visit(schema, '');
  if (!new Ajv2020({ strict: false, logger: false, validateFormats: false }).validateSchema(schema))
    found.push('no schema');
  return found;
}

describe('parameters of tools for models', () => {
  const a = { type: 'object', properties: { a: string }, required: ['a'] };
  const b = { type: 'object', properties: { b: string }, required: ['b'] };
  const inside = (schema: unknown) => ({ type: 'object', properties: { x: schema } });
  const insideOf = (schema: unknown) => (toolParameters(inside(schema)).properties as Json).x;
  const none = { type: 'object', properties: {} };

  const ROOTS: [string, unknown, Json][] = [
    ['nothing', undefined, none],
    ['an object without properties', { type: 'object' }, none],
    ['no type', { properties: { a: string } }, { type: 'object', properties: { a: string } }],
    ['another type', { type: ['object', 'null'] }, none],
    ['alternatives', { ...a, anyOf: [b, { required: ['a'] }] }, { ...a, properties: { a: string, b: string } }],
    [
      'only alternatives',
      { type: 'object', oneOf: [a, { ...a, properties: { a: string, b: string } }] },
      { ...a, properties: { a: string, b: string } },
    ],
    [
      'different alternatives',
      { anyOf: [a, inside({ type: 'integer' }), inside(string)] },
      { type: 'object', properties: { a: string, x: { anyOf: [{ type: 'integer' }, string] } } },
    ],
    ['parts', { allOf: [a, b] }, { type: 'object', properties: { a: string, b: string }, required: ['a', 'b'] }],
    ['a reference', { $ref: '#/$defs/A', $defs: { A: a } }, { ...a, $defs: { A: a } }],
    [
      'a closed root with alternatives',
      { ...a, additionalProperties: false, anyOf: [b] },
      { ...a, properties: { a: string, b: string }, required: ['a', 'b'] },
    ],
    ['a closed root', { ...a, additionalProperties: false }, { ...a, additionalProperties: false }],
    ['a dialect', { $schema: 'http://json-schema.org/draft-04/schema#', $id: 'x', ...a }, a],
    ['a condition that it is something else', { ...a, not: b, enum: [{}] }, a],
  ];
  for (const [name, schema, expected] of ROOTS) {
    it(`are fit for a root with ${name}`, () => {
      expect(toolParameters(schema)).to.deep.equal(expected);
      expect(refusals(toolParameters(schema))).to.deep.equal([]);
    });
  }

  const PARTS: [unknown, unknown][] = [
    [{ type: 'array' }, { type: 'array', items: {} }],
    [
      { type: 'array', items: [string, { type: 'integer' }] },
      { type: 'array', items: { anyOf: [string, { type: 'integer' }] } },
    ],
    [{ type: ['array', 'null'] }, { type: ['array', 'null'], items: {} }],
    [{ type: 'object' }, none],
    [
      { type: 'number', minimum: 5, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 5 },
    ],
    [
      { type: 'number', minimum: 5, exclusiveMinimum: false },
      { type: 'number', minimum: 5 },
    ],
    [{ type: 'number', exclusiveMaximum: true }, { type: 'number' }],
    [{ type: 'string', pattern: '^(?=x)' }, string],
    [{ type: 'string', pattern: '(?<!a)b' }, string],
    [{ type: 'string', pattern: '(a)\\1' }, string],
    [{ type: 'string', pattern: '(?P<a>b)' }, string],
    [
      { type: 'string', pattern: '^[a-z]+$' },
      { type: 'string', pattern: '^[a-z]+$' },
    ],
    [{ type: 'any' }, {}],
    [{ type: 'string', required: true, minLength: '5', enum: [], description: 7 }, string],
    [true, {}],
    [null, {}],
    [{ $ref: 'https://example.com/x.json' }, {}],
    [{ $ref: '#/$defs/none' }, {}],
    [{ anyOf: [string, { type: 'array' }] }, { anyOf: [string, { type: 'array', items: {} }] }],
    ...[
      'additionalProperties',
      'not',
      'if',
      'contains',
      'propertyNames',
      'unevaluatedProperties',
      'contentSchema',
    ].flatMap((key): [unknown, unknown][] => [null, 'no', 5, []].map((value) => [{ ...string, [key]: value }, string])),
    [
      { ...none, additionalProperties: false, unevaluatedItems: true },
      { ...none, additionalProperties: false, unevaluatedItems: true },
    ],
    ...[
      'title',
      'format',
      'contentEncoding',
      'contentMediaType',
      'examples',
      'deprecated',
      'readOnly',
      'uniqueItems',
    ].flatMap((key): [unknown, unknown][] => [null, 5, {}].map((value) => [{ ...string, [key]: value }, string])),
    ...['minLength', 'maxItems', 'minProperties', 'maxProperties', 'minContains', 'multipleOf'].flatMap(
      (key): [unknown, unknown][] => [null, '5', -1].map((value) => [{ ...string, [key]: value }, string]),
    ),
    [
      { ...string, minLength: 1.5, multipleOf: 0, maxLength: 2 },
      { ...string, maxLength: 2 },
    ],
    [{ items: null }, {}],
    [{ type: ['string', 'string', 'null'] }, { type: ['string', 'null'] }],
    [{ ...none, dependentRequired: { a: 'b' }, dependencies: null, $vocabulary: 5 }, none],
    [
      { ...none, dependentRequired: { a: ['b'] } },
      { ...none, dependentRequired: { a: ['b'] } },
    ],
    [{ $dynamicRef: '#x', $dynamicAnchor: 'x y', $recursiveRef: '#' }, {}],
    [{ maximum: 18446744073709551615n }, { maximum: 18446744073709551615n }],
  ];
  for (const [schema, expected] of PARTS) {
    it(`have a part that is fit for ${String(schema && JSON.stringify(schema, (_, v) => (typeof v === 'bigint' ? String(v) : v)))}`, () => {
      expect(insideOf(schema)).to.deep.equal(expected);
      if (typeof (expected as Json).maximum !== 'bigint')
        expect(refusals(toolParameters(inside(schema)))).to.deep.equal([]);
    });
  }

  it('keep regular schemas as they are', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid', description: 'An id' },
        list: { type: 'array', items: { $ref: '#/$defs/entry' }, minItems: 1, uniqueItems: true },
        either: { oneOf: [string, { type: 'null' }], default: null },
      },
      required: ['id'],
      additionalProperties: false,
      $defs: { entry: { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, required: ['n'] } },
    };
    expect(toolParameters(schema)).to.deep.equal(schema);
  });

  it('are none for a schema without an end', () => {
    let deep: Json = {};
    for (let level = 0; level < 400; level += 1) deep = { properties: { a: deep } };
    expect(toolParameters(deep)).to.deep.equal(none);
    const twice = { allOf: [{ $ref: '#' }, { $ref: '#' }], anyOf: [{ $ref: '#' }, a] };
    expect(toolParameters(twice)).to.deep.include({ type: 'object', properties: { a: string } });
  });
});
