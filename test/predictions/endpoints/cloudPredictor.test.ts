import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { Invocation, InvocationRequest } from '../../../src/ports/cloud/cloudEndpoints.ts';
import { rejection } from '../../support/fault.ts';
import { CloudModel, csv, json, type Maps, type Rows, specOf } from './cloudModel.ts';

const jsonSpec = (schema: object) => specOf({ 'application/json': { schema } });
const listOf = (properties: object, name = 'instances') => ({
  type: 'object',
  properties: { [name]: { type: 'array', items: { type: 'object', properties } } },
});

describe('predictions of a registered model', () => {
  let model: CloudModel;

  beforeEach(() => {
    model = new CloudModel();
  });
  afterEach(() => expect(model.open).to.equal(0));

  const predict = (rows: Rows, maps: Maps, answer: (request: InvocationRequest) => Invocation | Promise<Invocation>) =>
    model.predict(rows, maps, answer);
  /** What rows become in a request, or in one for each row. */
  async function bodyOf(rows: Rows, maps: Maps): Promise<unknown> {
    model.sent = [];
    // A first answer for all rows says how many requests there are.
    const all = await predict(rows, maps, () => json(rows.map(() => 1))).catch(() => undefined);
    if (!all) {
      model.sent = [];
      await predict(rows, maps, () => json([1]));
    }
    return model.sent.length === 1 ? model.bodies()[0] : model.bodies();
  }
  const failure = (rows: Rows, maps: Maps, answer: Invocation) =>
    rejection(
      predict(rows, maps, () => answer),
      OutboundError,
    );

  describe('requests', () => {
    it('put features at their places, by default as objects in instances', async () => {
      const rows = [
        { cpu: 1, mem: 2 },
        { cpu: 3, mem: 4 },
      ];
      for (const [inputs, body] of [
        [
          { cpu: 'c', mem: 'm' },
          {
            instances: [
              { c: 1, m: 2 },
              { c: 3, m: 4 },
            ],
          },
        ],
        [{ cpu: 'instances[*].cpu' }, { instances: [{ cpu: 1 }, { cpu: 3 }] }],
        [{ mem: '$.data.rows[*].x.y' }, { data: { rows: [{ x: { y: 2 } }, { x: { y: 4 } }] } }],
        [
          { cpu: 'instances[*][0]', mem: 'instances[*][1]' },
          {
            instances: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
        [
          { cpu: '[*].a', mem: '[*].b' },
          [
            { a: 1, b: 2 },
            { a: 3, b: 4 },
          ],
        ],
        [{ cpu: 'columns.cpu[*]', mem: 'columns.mem[*]' }, { columns: { cpu: [1, 3], mem: [2, 4] } }],
        [{ cpu: 'instances[*].values[*]' }, { instances: [{ values: [1] }, { values: [3] }] }],
        [{ cpu: 'instances[*].constructor.x' }, { instances: [{ constructor: { x: 1 } }, { constructor: { x: 3 } }] }],
      ] as [Record<string, string>, unknown][]) {
        expect(JSON.stringify(await bodyOf(rows, { inputs }))).to.equal(JSON.stringify(body));
        expect(model.sent[0]).to.include({ contentType: 'application/json', accept: 'application/json' });
      }
    });

    it('send one row a call where a place has no list', async () => {
      const rows = [{ cpu: 1 }, { cpu: 2 }];
      expect(await bodyOf(rows, { inputs: { cpu: 'input.cpu' } })).to.deep.equal([
        { input: { cpu: 1 } },
        { input: { cpu: 2 } },
      ]);
    });

    it('send rows as they are where there is no map', async () => {
      expect(await bodyOf([{ cpu: '1.5', host: 'a', gone: null }], {})).to.deep.equal({
        instances: [{ cpu: 1.5, host: 'a', gone: null }],
      });
    });

    it('follow the specification: a name alone is where it says', async () => {
      const rows = [{ cpu: '1' }, { cpu: '2' }];
      const inputs = { cpu: 'c' };
      for (const [schema, body] of [
        [listOf({ c: { type: 'number' } }, 'inputs'), { inputs: [{ c: 1 }, { c: 2 }] }],
        [{ type: 'array', items: { type: 'object', properties: { c: {} } } }, [{ c: 1 }, { c: 2 }]],
        [{ type: 'object', properties: { c: { type: 'integer' } } }, [{ c: 1 }, { c: 2 }]],
        [{ type: 'object', properties: { c: { type: 'array', items: { type: 'number' } } } }, { c: [1, 2] }],
        [{ type: 'object', properties: { rows: { type: 'array', items: {} } } }, { rows: [{ c: 1 }, { c: 2 }] }],
        [{ type: 'object' }, { instances: [{ c: 1 }, { c: 2 }] }],
      ] as const) {
        expect(await bodyOf(rows, { inputs, spec: jsonSpec(schema) }), JSON.stringify(schema)).to.deep.equal(body);
      }
    });

    it('convert values to the types of the specification, and name the feature of one that does not fit', async () => {
      const cases: [type: unknown, value: unknown, sent: unknown][] = [
        ['number', '1.5e3', 1500],
        ['number', true, 1],
        ['number', ' 7 ', 7],
        ['integer', '7', 7],
        ['integer', 7.0, 7],
        ['string', 7, '7'],
        ['string', '7', '7'],
        ['string', '', ''],
        ['string', { a: 1 }, '{"a":1}'],
        ['boolean', 'TRUE', true],
        ['boolean', 0, false],
        ['array', '[1,2]', [1, 2]],
        ['object', '{"a":1}', { a: 1 }],
        [['number', 'string'], '7', 7],
        [['number', 'string'], 'x', 'x'],
        [['null', 'integer'], '7', 7],
        [undefined, '007x', '007x'],
        [undefined, '.5', 0.5],
        [undefined, '1e999', '1e999'],
        [undefined, '0x10', '0x10'],
      ];
      for (const [type, value, expected] of cases) {
        const spec = jsonSpec(listOf({ f: type === undefined ? {} : { type } }));
        const body = await bodyOf([{ f: value }], { inputs: { f: 'f' }, spec });
        expect(body, `${type} ${value}`).to.deep.equal({ instances: [{ f: expected }] });
      }
      for (const [type, value, what] of [
        ['number', 'high', 'a number'],
        ['number', 'NaN', 'a number'],
        ['integer', '1.5', 'an integer'],
        ['boolean', 'maybe', 'true or false'],
        ['array', 'x', 'a list'],
        ['object', '[1]', 'an object'],
        [['integer', 'boolean'], 'x', 'an integer or true or false'],
      ] as const) {
        model.sent = [];
        const spec = jsonSpec(listOf({ f: { type } }));
        const found = await predict([{ f: value }], { inputs: { f: 'f' }, spec }, () => json([1]));
        expect(found).to.deep.equal({
          result: [null],
          errors: [{ row: 0, error_code: 'unreadable_value', message: `The value of the field f must be ${what}` }],
        });
        expect(model.sent).to.deep.equal([]);
      }
    });

    it('have no values that are nested without end', async () => {
      const depth = 50_000;
      const deep = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
      const inputs = { f: 'f' };
      const text = specOf({ 'text/csv': {} });
      const typed = (type: unknown) => jsonSpec(listOf({ f: { type } }));
      for (const [maps, value, what] of [
        [{ inputs }, deep, 'nested 32 levels deep at most'],
        [{}, deep, 'nested 32 levels deep at most'],
        [{ inputs, spec: text }, deep, 'nested 32 levels deep at most'],
        [{ inputs: { f: 'x[*].f[*]' } }, deep, 'nested 32 levels deep at most'],
        [{ inputs, spec: typed('string') }, deep, 'nested 32 levels deep at most'],
        [{ inputs, spec: typed('array') }, `${'['.repeat(depth)}${']'.repeat(depth)}`, 'a list'],
        [{ inputs, spec: typed('object') }, `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`, 'an object'],
      ] as [Maps, unknown, string][]) {
        const found = await predict([{ f: value }, { f: '[1]' }, { f: '{}' }], maps, (request) =>
          request.contentType === 'text/csv' ? csv('1\n2') : json(JSON.parse(request.body).instances ?? [1, 2]),
        );
        expect(found.errors[0], what).to.deep.equal({
          row: 0,
          error_code: 'unreadable_value',
          message: `The value of the field f must be ${what}`,
        });
      }
    });

    it('leave out rows that lack a feature, and keep the others at their places', async () => {
      const rows = [{ a: 1 }, { a: null }, { a: 3 }, {}, { a: '' }];
      const { result, errors } = await predict(rows, { inputs: { a: 'a' }, outputs: { 'predictions[*]': 'p' } }, () =>
        json({ predictions: [10, 30] }),
      );
      expect(model.bodies()).to.deep.equal([{ instances: [{ a: 1 }, { a: 3 }] }]);
      expect(result).to.deep.equal([{ p: 10 }, null, { p: 30 }, null, null]);
      expect(errors.map(({ row, error_code }) => [row, error_code])).to.deep.equal([
        [1, 'missing_field'],
        [3, 'missing_field'],
        [4, 'missing_field'],
      ]);
      expect(errors[0]?.message).to.equal('The field a is missing or empty');
    });

    it('read only what a row has itself', async () => {
      for (const feature of ['constructor', 'toString']) {
        const { errors } = await predict([{ a: 1 }], { inputs: { [feature]: 'a' } }, () => json([1]));
        expect(
          errors.map(({ error_code }) => error_code),
          feature,
        ).to.deep.equal(['missing_field']);
      }
    });

    it('are CSV where the specification has nothing else', async () => {
      const both = specOf({ 'text/csv': {} }, { 'text/csv': {} });
      const rows = [
        { b: 'x,"y"', a: 1 },
        { a: 2, b: 'z' },
      ];
      const named = await predict(rows, { spec: both, inputs: { a: 'a', b: 'b' } }, () => csv('1\n2\n'));
      expect(model.sent[0]).to.deep.equal({ body: '1,"x,""y"""\n2,z', contentType: 'text/csv', accept: 'text/csv' });
      expect(named.result).to.deep.equal([{ prediction: 1 }, { prediction: 2 }]);
      await predict(rows, { spec: both }, () => csv('1\n2'));
      expect(model.sent[1]?.body).to.equal('"x,""y""",1\nz,2');
    });

    it('in CSV have the fields of all rows, in the order of a row that has them all', async () => {
      const spec = specOf({ 'text/csv': {} }, { 'text/csv': {} });
      const rows = [{ b: 2 }, { a: 1, b: 2 }, { b: 4, a: 3 }, { a: 5, b: null }];
      const { result, errors } = await predict(rows, { spec }, () => csv('10\n30'));
      expect(model.sent[0]?.body).to.equal('1,2\n3,4');
      expect(result).to.deep.equal([null, { prediction: 10 }, { prediction: 30 }, null]);
      expect(errors).to.deep.equal([
        { row: 0, error_code: 'missing_field', message: 'The field a is missing or empty' },
        { row: 3, error_code: 'missing_field', message: 'The field b is missing or empty' },
      ]);
      const apart = await predict([{ a: 1 }, { b: 1 }], { spec }, () => csv(''));
      expect(apart.errors.map(({ message }) => message)).to.deep.equal([
        'The field b is missing or empty',
        'The field a is missing or empty',
      ]);
      expect(model.sent).to.have.length(1);
    });

    it('go nowhere where the specification is too large to be searched', async () => {
      const properties = Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`p${at}`, { type: 'object', properties: { x: { type: 'number' } } }]),
      );
      const inputs = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [`f${at}`, `missing${at}`]));
      const row = Object.fromEntries(Object.keys(inputs).map((name) => [name, 1]));
      const { code, message } = await failure(
        [row],
        { inputs, spec: jsonSpec({ type: 'object', properties }) },
        json([1]),
      );
      expect([code, message]).to.deep.equal([
        'configuration_invalid',
        'openapi_spec is too large to find the places of all features: leave out schemas that the maps do not need',
      ]);
      expect(model.sent).to.deep.equal([]);
    });

    it('keep the digits of integers, and those of a text', async () => {
      const large = '9007199254740993';
      const sent = async (value: unknown, type?: string | string[], inputs: Record<string, string> = { id: 'id' }) => {
        model.sent = [];
        const spec = type === undefined ? undefined : jsonSpec(listOf({ id: { type } }));
        const { errors } = await predict([{ id: value }], { inputs: type === undefined ? {} : inputs, spec }, () =>
          json([1]),
        );
        return errors[0]?.error_code ?? model.sent[0]?.body;
      };
      const body = (id: string) => `{"instances":[{"id":${id}}]}`;
      for (const [value, type, id] of [
        [large, undefined, large],
        [BigInt(large), undefined, large],
        [` -${large} `, undefined, `-${large}`],
        [[BigInt(large)], undefined, `[${large}]`],
        ['007', undefined, '7'],
        ['1e20', undefined, '100000000000000000000'],
        [large, 'integer', large],
        [BigInt(large), 'number', large],
        [BigInt(large), 'string', `"${large}"`],
        [large, 'string', `"${large}"`],
        ['007', 'string', '"007"'],
        ['007', ['integer', 'string'], '"007"'],
        ['007', 'integer', '7'],
        [`[${large}]`, 'array', `[${large}]`],
      ] as const) {
        expect(await sent(value, type as string), `${value} as ${type}`).to.equal(body(id));
      }
      for (const value of ['NaN', 'Infinity', '-inf', ' ']) {
        expect(await sent(value, 'number'), value).to.equal('unreadable_value');
      }
      const spec = specOf({ 'text/csv': {} });
      await predict([{ id: BigInt(large), list: [BigInt(large)] }], { spec }, () => json([1]));
      expect(model.sent.at(-1)?.body).to.equal(`${large},[${large}]`);
    });

    it('refuse maps that are no places, before anything is sent', async () => {
      for (const path of ['a..b', 'instances[*', 'instances[99999].x']) {
        const { code, message } = await failure([{ a: 1 }], { inputs: { a: path } }, json([1]));
        expect([code, message.startsWith('input_feature_map.a ')], path).to.deep.equal(['configuration_invalid', true]);
      }
      expect(model.sent).to.deep.equal([]);
    });
  });

  describe('answers', () => {
    const two = [{ a: 1 }, { a: 2 }];
    const results = async (answer: Invocation, outputs: Record<string, string> = {}, rows: Rows = two) =>
      (await predict(rows, { outputs }, () => answer)).result;

    it('are read at the places of the map', async () => {
      for (const [outputs, answer, result] of [
        [{ 'predictions[*]': 'p' }, { predictions: [1, 2] }, [{ p: 1 }, { p: 2 }]],
        [{ predictions: 'p' }, { predictions: ['x', 'y'] }, [{ p: 'x' }, { p: 'y' }]],
        [{ 'predictions[*].score': 's' }, { predictions: [{ score: 1 }, { score: 2 }] }, [{ s: 1 }, { s: 2 }]],
        [
          { score: 's', label: 'l' },
          { predictions: [{ score: 1, label: 'a' }, { score: 2 }] },
          [
            { s: 1, l: 'a' },
            { s: 2, l: null },
          ],
        ],
        [{ score: 's' }, [{ score: 1 }, { score: 2 }], [{ s: 1 }, { s: 2 }]],
        [
          { '[*][1]': 's' },
          [
            [0, 1],
            [0, 2],
          ],
          [{ s: 1 }, { s: 2 }],
        ],
        [
          { 'out.scores[*]': 's', 'out.labels[*]': 'l' },
          { out: { scores: [1, 2], labels: ['a', 'b'] } },
          [
            { s: 1, l: 'a' },
            { s: 2, l: 'b' },
          ],
        ],
        [{ 'predictions[*].p[*]': 'p' }, { predictions: [{ p: [1, 2] }, { p: [] }] }, [{ p: '[1,2]' }, { p: '[]' }]],
        [{ 'predictions[*].x.y': 'p' }, { predictions: [{ x: { y: true } }, { x: null }] }, [{ p: true }, { p: null }]],
      ] as [Record<string, string>, unknown, unknown][]) {
        expect(await results(json(answer), outputs), JSON.stringify(outputs)).to.deep.equal(result);
      }
      expect(await results(json({ score: 1 }), { score: 's' }, [{ a: 1 }])).to.deep.equal([{ s: 1 }]);
    });

    it('have their own names where there is no map', async () => {
      for (const [answer, result] of [
        [{ predictions: [1, 'x'] }, [{ prediction: 1 }, { prediction: 'x' }]],
        [
          [[1, 2], null],
          [{ prediction: '[1,2]' }, { prediction: null }],
        ],
        [{ model: 'm', outputs: [{ label: 'a', p: 0.5 }, { label: 'b' }] }, [{ label: 'a', p: 0.5 }, { label: 'b' }]],
      ] as const) {
        expect(await results(json(answer))).to.deep.equal(result);
      }
    });

    it('keep large integers, and make null of what is no number', async () => {
      const text =
        '{"predictions": [{"id": 9007199254740993, "p": NaN, "t": "NaN, \\"Infinity\\""}, {"id": 1, "p": -Infinity, "t": ""}]}';
      expect(await results(json(text))).to.deep.equal([
        { id: '9007199254740993', p: null, t: 'NaN, "Infinity"' },
        { id: 1, p: null, t: '' },
      ]);
      expect(await results(csv('9007199254740993\nnan'))).to.deep.equal([
        { prediction: '9007199254740993' },
        { prediction: null },
      ]);
    });

    it('may be CSV in all its forms, or JSON lines', async () => {
      for (const [body, outputs, result] of [
        ['0.5\n1e-3\n', {}, [{ prediction: 0.5 }, { prediction: 0.001 }]],
        ['0.5,0.25', {}, [{ prediction: 0.5 }, { prediction: 0.25 }]],
        ['a,0.5\r\n"b, c",1\r\n', {}, [{ prediction: '["a",0.5]' }, { prediction: '["b, c",1]' }]],
        [
          'label,p\na,0.5\nb,1',
          {},
          [
            { label: 'a', p: 0.5 },
            { label: 'b', p: 1 },
          ],
        ],
        ['label,p\na,0.5\nb,1', { p: 'score' }, [{ score: 0.5 }, { score: 1 }]],
        [
          'a,0.5\nb,1',
          { label: 'l', score: 's' },
          [
            { l: 'a', s: 0.5 },
            { l: 'b', s: 1 },
          ],
        ],
        ['a,0.5\nb,1', { '[*][1]': 's' }, [{ s: 0.5 }, { s: 1 }]],
        ['007\n"say ""x"""', {}, [{ prediction: '007' }, { prediction: 'say "x"' }]],
        ['1,\n2,', {}, [{ prediction: '[1,null]' }, { prediction: '[2,null]' }]],
      ] as [string, Record<string, string>, unknown][]) {
        expect(await results(csv(body), outputs), body).to.deep.equal(result);
      }
      const lines: Invocation = { kind: 'answered', contentType: 'application/jsonlines', body: '{"a":1}\n{"a":2}\n' };
      expect(await results(lines)).to.deep.equal([{ a: 1 }, { a: 2 }]);
    });

    it('that are called CSV may be JSON, and are never cut at its commas', async () => {
      const rows = (count: number) => Array.from({ length: count }, () => ({ a: 1 }));
      const list = (...texts: string[]) => texts.map((prediction) => ({ prediction }));
      for (const [body, count, expected, outputs = {}] of [
        ['[0.1, 0.2, 0.7],[0.3, 0.3, 0.4]', 2, list('[0.1,0.2,0.7]', '[0.3,0.3,0.4]')],
        ['[0.1, 0.2, 0.7]\n[0.3, 0.3, 0.4]\n', 2, list('[0.1,0.2,0.7]', '[0.3,0.3,0.4]')],
        [' [[0.1, 0.9], [0.8, 0.2]]', 2, list('[0.1,0.9]', '[0.8,0.2]')],
        ['[0.1, 0.2, 0.7]', 1, list('[0.1,0.2,0.7]')],
        ['[0.1]', 1, [{ prediction: 0.1 }]],
        ['[0.1, 0.2]', 2, [{ prediction: 0.1 }, { prediction: 0.2 }]],
        ['["low", "high", "low"]', 3, list('low', 'high', 'low')],
        ['"low", "high", "low"', 3, list('low', 'high', 'low')],
        ['\ufeff[9007199254740993, NaN]', 2, [{ prediction: '9007199254740993' }, { prediction: null }]],
        ['{"score": 1}\n{"score": 2}', 2, [{ score: 1 }, { score: 2 }]],
        ['{"score": 1},{"score": 2}', 2, [{ score: 1 }, { score: 2 }]],
        ['{"predictions": [1, 2]}', 2, [{ prediction: 1 }, { prediction: 2 }]],
        ['[0.1, 0.9],[0.8, 0.2]', 2, [{ p: 0.9 }, { p: 0.2 }], { '[*][1]': 'p' }],
        [
          '["a", 0.9],["b", 0.2]',
          2,
          [
            { l: 'a', s: 0.9 },
            { l: 'b', s: 0.2 },
          ],
          { label: 'l', score: 's' },
        ],
        ['[UNK],0.5\nx,1', 2, list('["[UNK]",0.5]', '["x",1]')],
        ['1,"[0.1, 0.2]"\n2,"[]"', 2, list('[1,"[0.1, 0.2]"]', '[2,"[]"]')],
        ['[0.1, 0.2, 0.7]', 2, /has 3 predictions for 2 rows/],
        ["['low', 'high']", 2, /has JSON in its CSV/],
        ['[0.1, 0.2', 2, /has JSON in its CSV/],
        ['1,[0.1, 0.2]\n2,[0.3, 0.4]', 2, /has JSON in its CSV/],
        ['[[0.1], [0.2]', 2, /has JSON in its CSV/],
        ['1,{"a": 1, "b": 2}\n2,{"a": 3, "b": 4}', 2, /has JSON in its CSV/],
        ['scores\n[0.1, 0.2]\n[0.3, 0.4]', 2, /has JSON in its CSV/],
      ] as [string, number, unknown, Record<string, string>?][]) {
        if (expected instanceof RegExp) {
          const { code, message } = await failure(rows(count), { outputs }, csv(body));
          expect([code, expected.test(message)], `${body}: ${message}`).to.deep.equal(['upstream_error', true]);
        } else expect(await results(csv(body), outputs, rows(count)), body).to.deep.equal(expected);
      }
    });

    it('may be JSON lines under any type of JSON', async () => {
      for (const contentType of ['application/json', 'application/jsonlines', 'application/x-ndjson', 'text/plain']) {
        for (const [body, result] of [
          ['{"a": 1}\n\n{"a": 2}\n \n', [{ a: 1 }, { a: 2 }]],
          ['0.5\r\n0.25\r\n', [{ prediction: 0.5 }, { prediction: 0.25 }]],
          ['[1, 2]\n[3, 4]', [{ prediction: '[1,2]' }, { prediction: '[3,4]' }]],
          ['{"predictions": [1, 2]}\n', [{ prediction: 1 }, { prediction: 2 }]],
        ] as const) {
          expect(await results({ kind: 'answered', contentType, body }), `${contentType} ${body}`).to.deep.equal(
            result,
          );
        }
        for (const body of ['1\n2\n3\n'.repeat(100_000), '{"a": 1}\n', '{"a": 1}\n{"a":']) {
          const error = await failure(two, {}, { kind: 'answered', contentType, body });
          expect(error.code, `${contentType} ${body.slice(0, 20)}`).to.equal('upstream_error');
        }
      }
    });

    it('of another length, or without predictions, fail all', async () => {
      for (const [answer, outputs, why] of [
        [json({ predictions: [1] }), {}, /1 predictions for 2 rows/],
        [json({ predictions: [1, 2, 3] }), { 'predictions[*]': 'p' }, /3 predictions for 2 rows/],
        [json({ predictions: [1, 2] }), { 'scores[*]': 'p' }, /nothing at scores/],
        [json({ predictions: [{ a: 1 }, {}] }), { 'predictions[*].b': 'p' }, /nothing at predictions\[\*\]\.b/],
        [json({ status: 'ok' }), {}, /no list/],
        [json('null'), {}, /no list/],
        [json('not JSON'), {}, /neither JSON nor CSV/],
        [json(''), {}, /neither JSON nor CSV/],
        [csv('1'), {}, /1 predictions for 2 rows/],
        [csv(''), {}, /0 predictions/],
        ...['[', '{"a":['].flatMap((open): [Invocation, Record<string, string>, RegExp][] => {
          const deep = `[${open.repeat(50_000)}1${open.includes('{') ? ']}'.repeat(50_000) : ']'.repeat(50_000)},1]`;
          const lines: Invocation = { kind: 'answered', contentType: 'application/jsonl', body: `${deep}\n1` };
          return [json(deep), lines].flatMap((answer) => [
            [answer, {}, /is nested deeper than 32 levels/],
            [answer, { '[*]': 'p' }, /is nested deeper than 32 levels/],
          ]);
        }),
      ] as [Invocation, Record<string, string>, RegExp][]) {
        const { code, message, isAnswered } = await failure(two, { outputs }, answer);
        expect([code, isAnswered], message).to.deep.equal(['upstream_error', true]);
        expect(message).to.match(why);
      }
    });

    it('of which a map makes more than a reply can hold fail all', async () => {
      const entries = (entry: (at: number) => [string, string]) =>
        Object.fromEntries(Array.from({ length: 64 }, (_, at) => entry(at)));
      const answer = json({ predictions: two.map(() => ({ p: 1, text: 'x'.repeat(1_000_000) })) });
      for (const outputs of [
        entries((at) => [`predictions[*].text${' '.repeat(at)}`, `f${at}`]),
        entries((at) => [`predictions[*].p${' '.repeat(at)}`, `${'n'.repeat(1_000_000)}${at}`]),
      ]) {
        const { code, message } = await failure(two, { outputs }, answer);
        expect([code, message]).to.deep.equal([
          'upstream_error',
          'The model answers more than 32000000 characters: send fewer rows',
        ]);
      }
    });

    it('made to be slow are read fast', async function () {
      this.timeout(20_000);
      const rows = [{ a: 1 }, { a: 2 }];
      for (const body of [
        '"'.repeat(2_000_000),
        `"${'\\"'.repeat(1_000_000)}`,
        `[${'NaN,"\\"'.repeat(300_000)}`,
        '['.repeat(20_000),
      ]) {
        await failure(rows, {}, json(body));
        await failure(rows, {}, csv(body));
      }
    });
  });

  describe('calls', () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
    const numbers = (request: InvocationRequest): number[] =>
      JSON.parse(request.body).instances.map(({ n }: { n: number }) => n);
    const maps = { inputs: { n: 'n' }, outputs: { 'predictions[*]': 'p' }, batch: 10 };

    it('have batch_size rows, four at a time, and keep the order', async () => {
      const { result, errors } = await predict(many(95), maps, async (request) => {
        const ns = numbers(request);
        await new Promise((resolve) => setTimeout(resolve, (100 - (ns[0] ?? 0)) / 10));
        return json({ predictions: ns });
      });
      expect(result).to.deep.equal(many(95).map(({ n }) => ({ p: n })));
      expect(errors).to.deep.equal([]);
      expect(model.sent.map((request) => numbers(request).length)).to.deep.equal([...Array(9).fill(10), 5]);
      expect(model.most).to.equal(4);
    });

    it('fail with model_not_found where the endpoint is gone', async () => {
      const { code, message } = await failure([{ n: 1 }], maps, { kind: 'missing' });
      expect([code, message]).to.deep.equal([
        'model_not_found',
        'There is no endpoint e in eu-central-1 for this account',
      ]);
    });

    it('have fewer rows where the names of places would make them large', async () => {
      const long = 'x'.repeat(1000);
      const inputs = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`f${at}`, `instances[*].${long}${at}`]));
      const row = Object.fromEntries(Object.keys(inputs).map((name) => [name, 1]));
      const rows = Array.from({ length: 300 }, () => row);
      await predict(rows, { inputs, batch: 10_000 }, (request) =>
        json(JSON.parse(request.body).instances.map(() => 1)),
      );
      expect(model.sent.length).to.be.above(3);
      for (const { body } of model.sent) expect(body.length).to.be.below(6 * 1024 * 1024);
    });
  });
});
