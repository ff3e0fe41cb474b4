import { expect } from 'chai';
import { mapProblems } from '../../../src/predictions/endpoints/openapi.ts';
import { type JsonSchema, SchemaPaths } from '../../../src/predictions/endpoints/schemaPaths.ts';
import { patience } from '../../support/time.ts';

const spec = (request: object, response: object = {}, components: object = {}) => ({
  openapi: '3.1.0',
  paths: { '/invocations': { post: { requestBody: { content: request }, responses: { 200: { content: response } } } } },
  components,
});
const json = (schema: object) => ({ 'application/json': { schema } });

describe('places in a schema', () => {
  const within = (schema: JsonSchema, path: string, components: object = {}) =>
    new SchemaPaths({ components }).has(schema, path);
  const ROWS = {
    type: 'object',
    properties: {
      instances: { type: 'array', items: { type: 'object', properties: { cpu: {}, tags: { type: 'array' } } } },
    },
  };

  it('follows properties and items', () => {
    for (const path of [
      'instances',
      'instances[*]',
      'instances[0].cpu',
      '$.instances[*].cpu',
      'instances[*].tags[*]',
    ]) {
      expect(within(ROWS, path), path).to.equal(true);
    }
    for (const path of [
      'instance',
      'instances.cpu',
      'instances[*].disk',
      'instances[*].tags.x',
      'instances[*][*]',
      '[*]',
    ]) {
      expect(within(ROWS, path), path).to.equal(false);
    }
  });

  it('refuses invalid paths', () => {
    for (const path of ['instances[', 'instances[]', 'instances[*', 'a..b', '.', 'instances[x]', 'instances]', '']) {
      expect(within(ROWS, path), path).to.equal(path === '');
    }
  });

  it('finds a bare name at any depth, a path only from the root', () => {
    expect(within(ROWS, 'cpu')).to.equal(true);
    expect(within(ROWS, 'disk')).to.equal(false);
    expect(within({ type: 'object', properties: { outer: ROWS } }, 'instances[*].cpu')).to.equal(false);
  });

  it('reads a root array, tuples and combinations', () => {
    expect(within({ type: 'array', items: { properties: { a: {} } } }, '[*].a')).to.equal(true);
    expect(within({ type: 'array', prefixItems: [{ properties: { a: {} } }], items: false }, '[0].a')).to.equal(true);
    for (const word of ['allOf', 'anyOf', 'oneOf']) {
      const schema = { [word]: [{ properties: { a: {} } }, { properties: { b: { properties: { c: {} } } } }] };
      expect(within(schema, 'b.c'), word).to.equal(true);
      expect(within(schema, 'b.d'), word).to.equal(false);
    }
    expect(within({ properties: { a: {} }, allOf: [{ properties: { b: {} } }] }, 'b')).to.equal(true);
  });

  it('accepts any path in an open schema', () => {
    expect(within({}, 'anything[*].goes')).to.equal(true);
    expect(within({ type: 'object' }, 'a')).to.equal(true);
    expect(within({ type: 'object', additionalProperties: true }, 'a.b')).to.equal(true);
    expect(within({ type: 'object', additionalProperties: { type: 'number' } }, 'a')).to.equal(true);
    expect(within({ type: 'object', additionalProperties: { type: 'number' } }, 'a.b')).to.equal(false);
    expect(within({ type: 'object', additionalProperties: false }, 'a')).to.equal(false);
    expect(within({ type: 'number' }, 'a')).to.equal(false);
    expect(within({ type: ['object', 'null'] }, 'a')).to.equal(true);
  });

  it('follows references inside the document, none outside, and no circle for ever', () => {
    const components = {
      schemas: {
        Row: { properties: { cpu: {}, next: { $ref: '#/components/schemas/Row' } } },
        'a/b': { properties: { x: {} } },
        Loop: { $ref: '#/components/schemas/Loop' },
        Wide: { anyOf: Array(50).fill({ $ref: '#/components/schemas/Wide' }) },
      },
    };
    const at = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(within(at('Row'), 'next.next.next.cpu', components)).to.equal(true);
    expect(within(at('Row'), 'next.disk', components)).to.equal(false);
    expect(within(at('Row'), 'disk', components)).to.equal(false);
    expect(within(at('a~1b'), 'x', components)).to.equal(true);
    for (const name of ['Loop', 'Wide', 'None', '__proto__'])
      expect(within(at(name), 'x', components), name).to.equal(false);
    expect(within({ $ref: 'https://elsewhere.example/schema' }, 'x')).to.equal(false);
  });

  it('ends soon for a wide, deep and circular schema', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`p${index}`, { $ref: '#/components/schemas/Wide' }]),
    );
    const components = {
      schemas: { Wide: { properties: wide, anyOf: Array(3000).fill({ $ref: '#/components/schemas/Wide' }) } },
    };
    const started = performance.now();
    const paths = new SchemaPaths({ components });
    for (let entry = 0; entry < 1000; entry++) {
      const path = entry % 2 ? `nowhere${entry}` : `${'p1.'.repeat(60)}nowhere`;
      expect(paths.has({ $ref: '#/components/schemas/Wide' }, path)).to.equal(false);
    }
    // Looking everywhere would take longer than anybody lives; this is no measurement.
    expect(performance.now() - started).to.be.below(patience(20_000));
  });

  it('ignores inherited properties', () => {
    for (const path of ['toString', '__proto__', 'constructor.name']) {
      expect(within({ type: 'object', properties: { a: {} } }, path), path).to.equal(false);
    }
  });
});

describe('maps of a registered model', () => {
  const MAPS = { input_feature_map: { cpu: 'rows[*].cpu' }, output_prediction_map: { 'predictions[*]': 'result' } };
  const REQUEST = json({ properties: { rows: { items: { properties: { cpu: {} } } } } });
  const RESPONSE = json({ properties: { predictions: { type: 'array' } } });
  const fields = (maps: Partial<typeof MAPS>, document: object) =>
    mapProblems({ ...MAPS, ...maps } as typeof MAPS, JSON.stringify(document)).problems.map(({ field }) => field);

  it('fit', () => {
    expect(mapProblems(MAPS, JSON.stringify(spec(REQUEST, RESPONSE)))).to.deep.equal({ problems: [], warnings: [] });
  });

  it('name the entry that does not fit', () => {
    const wrong = { input_feature_map: { cpu: 'rows[*].cpu', disk: 'rows[*].disk' } as { cpu: string } };
    expect(fields(wrong, spec(REQUEST, RESPONSE))).to.deep.equal(['input_feature_map.disk']);
    expect(fields({ input_feature_map: { cpu: '' } }, spec(REQUEST, RESPONSE))).to.deep.equal([]);
    const nameless = { input_feature_map: { ' ': 'rows[*].cpu' } as unknown as { cpu: string } };
    expect(fields(nameless, spec(REQUEST, RESPONSE))).to.deep.equal(['input_feature_map']);
  });

  it('must not lead to what all objects share, with a document and without', () => {
    const maps = {
      input_feature_map: {
        a: 'rows.__proto__.cpu',
        b: ' $__proto__[0]',
        c: 'constructor.prototype.x',
        d: 'rows[*].cpu',
        e: 'constructor',
        f: 'prototype.constructor',
      },
      output_prediction_map: { 'predictions[*].__proto__': 'p', 'predictions[*]': 'q' },
    };
    const open = spec(json({}), json({}));
    for (const text of [undefined, JSON.stringify(open)]) {
      const { problems } = mapProblems(maps, text);
      expect([...new Set(problems.map(({ field }) => field))]).to.deep.equal([
        'input_feature_map.a',
        'input_feature_map.b',
        'input_feature_map.c',
        'output_prediction_map.predictions[*].__proto__',
      ]);
    }
  });

  it('may be empty for text/csv alone', () => {
    const none = {
      input_feature_map: {} as { cpu: string },
      output_prediction_map: {} as { 'predictions[*]': string },
    };
    const csv = { 'text/csv': {} };
    expect(fields(none, spec(csv, csv))).to.deep.equal([]);
    expect(fields(none, spec(csv, RESPONSE))).to.deep.equal(['output_prediction_map']);
    expect(fields(none, spec(REQUEST, RESPONSE))).to.deep.equal(['input_feature_map', 'output_prediction_map']);
  });

  it('are taken with a warning where the document says nothing of JSON', () => {
    const problems = mapProblems(MAPS, JSON.stringify(spec({ 'application/x-recordio-protobuf': {} }, RESPONSE)));
    expect(problems.problems).to.deep.equal([]);
    expect(problems.warnings).to.have.length(1);
    expect(problems.warnings[0]).to.contain('input_feature_map');
    expect(mapProblems(MAPS, undefined).warnings).to.have.length(1);
  });

  it('are read from shared bodies and responses, and from any JSON type', () => {
    const components = {
      requestBodies: {
        In: { content: { 'application/vnd.model+json; v=1': { schema: REQUEST['application/json'].schema } } },
      },
      responses: { Out: { content: RESPONSE } },
    };
    const document = {
      openapi: '3.0.0',
      paths: {
        '/invocations': {
          post: {
            requestBody: { $ref: '#/components/requestBodies/In' },
            responses: { default: { $ref: '#/components/responses/Out' } },
          },
        },
      },
      components,
    };
    expect(mapProblems(MAPS, JSON.stringify(document))).to.deep.equal({ problems: [], warnings: [] });
    expect(fields({ input_feature_map: { cpu: 'nowhere' } }, document)).to.deep.equal(['input_feature_map.cpu']);
  });

  it('need a document of OpenAPI 3 with POST /invocations', () => {
    const { paths } = spec(REQUEST);
    for (const document of [
      {},
      { openapi: '2.0', paths },
      { openapi: 3, paths },
      { swagger: '2.0', paths },
      { openapi: '3.1.0' },
      { openapi: '3.1.0', paths: [] },
      { openapi: '3.1.0', paths: { '/invocations': { get: {} } } },
      { openapi: '3.1.0', paths: { '/invocations': { post: null } } },
      { openapi: '3.1.0', paths: { '/ping': { post: {} } } },
    ]) {
      expect(fields({}, document), JSON.stringify(document)).to.deep.equal(['openapi_spec']);
    }
  });
});
