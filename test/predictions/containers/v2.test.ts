import { expect } from 'chai';
import { faultOf } from '../../support/fault.ts';
import { outboundOf, type Served, ServedContainer } from './served.ts';

const input = (name: string, shape: number[], datatype = 'FP32') => ({ name, datatype, shape });

describe('a V2 server in a container', () => {
  let server: ServedContainer;
  beforeEach(async () => {
    server = await new ServedContainer().start('v2');
  });

  /** Answers for each row how many rows there were. */
  const counted: Served = (_, body) => {
    const [count] = body.inputs[0].shape;
    return { outputs: [{ name: 'y', datatype: 'INT64', shape: [count], data: Array(count).fill(count) }] };
  };
  const serving = (metadata: object, infer: Served = counted) => {
    server.serve = (path, body) => {
      if (path === '/v2/models/Churn') return metadata;
      return path === '/v2/models/Churn/infer' ? infer(path, body) : undefined;
    };
  };
  const sent = () => server.asked.at(-1)?.body;

  it('that declares nothing gets a data frame by the names of its columns', async () => {
    serving({ name: 'Churn', inputs: [], outputs: [] });
    const { result } = await server.predict([
      { n: '1', t: 'x', b: true },
      { n: 2, t: 'y', b: false },
    ]);
    expect(sent()).to.deep.equal({
      parameters: { content_type: 'pd' },
      inputs: [
        { name: 'n', datatype: 'FP64', shape: [2, 1], data: [1, 2] },
        { name: 't', datatype: 'BYTES', shape: [2, 1], data: ['x', 'y'], parameters: { content_type: 'str' } },
        { name: 'b', datatype: 'BOOL', shape: [2, 1], data: [true, false] },
      ],
    });
    expect(result).to.deep.equal([{ y: 2 }, { y: 2 }]);
  });

  it('gets inputs by the names of the fields, whatever else the rows have', async () => {
    serving({ inputs: [input('a', [-1]), input('b', [-1, 1], 'INT64'), input('c', [-1, 1], 'BYTES')] });
    const { result, errors } = await server.predict([
      { c: 5, a: '1.5', b: '2', other: 'x' },
      { c: 'y', a: 1, b: 2.5 },
      { c: 'y', a: [1], b: 2 },
      { c: '', a: 1, b: 2 },
    ]);
    expect(sent()).to.deep.equal({
      inputs: [
        { name: 'a', datatype: 'FP32', shape: [1], data: [1.5] },
        { name: 'b', datatype: 'INT64', shape: [1, 1], data: [2] },
        { name: 'c', datatype: 'BYTES', shape: [1, 1], data: ['5'] },
      ],
    });
    expect(result).to.deep.equal([{ y: 1 }, null, null, null]);
    expect(errors.map(({ row, error_code, message }) => [row, error_code, message])).to.deep.equal([
      [1, 'unreadable_value', 'The value of the field b must be a whole number'],
      [2, 'unreadable_value', 'The value of the field a must be a number'],
      [3, 'missing_field', 'The field c is missing or empty'],
    ]);
  });

  it('gets whole numbers with all their digits', async () => {
    const types = ['INT64', 'UINT64', 'INT32', 'FP64', 'BYTES'];
    serving({ inputs: types.map((type) => input(type, [-1], type)) });
    let text = '';
    const before = server.containers.answer;
    server.containers.answer = (path, body, ...more) => {
      if (path.endsWith('/infer')) text = String(body);
      return before(path, body, ...more);
    };
    const row = { INT64: '9007199254740993', UINT64: 2n ** 64n - 1n, INT32: 1, FP64: 1, BYTES: '007' };
    const { errors } = await server.predict([
      row,
      { ...row, INT64: 9007199254740993n, BYTES: 9007199254740993n },
      { ...row, INT64: 2n ** 63n },
      { ...row, UINT64: -9007199254740993n },
      { ...row, INT32: '9007199254740993' },
      { ...row, FP64: 'NaN' },
      { ...row, FP64: 'Infinity' },
    ]);
    const data = [...text.matchAll(/"data":(\[[^\]]*\])/g)].map(([, list]) => list);
    expect(data).to.deep.equal([
      '[9007199254740993,9007199254740993]',
      '[18446744073709551615,18446744073709551615]',
      '[1,1]',
      '[1,1]',
      '["007","9007199254740993"]',
    ]);
    expect(
      errors.map(({ row: index, error_code, message }) => [index, error_code, message.split(' ')[5]]),
    ).to.deep.equal([
      [2, 'unreadable_value', 'INT64'],
      [3, 'unreadable_value', 'UINT64'],
      [4, 'unreadable_value', 'INT32'],
      [5, 'unreadable_value', 'FP64'],
      [6, 'unreadable_value', 'FP64'],
    ]);
  });

  it('gets inputs by order: one matrix, or one for each field', async () => {
    serving({ inputs: [input('x', [-1, 2], 'FP64')] });
    await server.predict([
      { p: 1, q: 2 },
      { q: 4, p: 3 },
    ]);
    expect(sent()).to.deep.equal({ inputs: [{ name: 'x', datatype: 'FP64', shape: [2, 2], data: [1, 2, 3, 4] }] });
    const sparse = await server.predict([{ q: 2 }, { p: 3, q: 4 }, { q: 6, p: 5 }]);
    expect(sent().inputs[0].data).to.deep.equal([3, 4, 5, 6]);
    expect(sparse.errors.map(({ row }) => row)).to.deep.equal([0]);
    const fault = await faultOf(server.predict([{ p: 1, q: 2, r: 3 }]));
    expect(fault.code).to.equal('validation_failed');
    expect(fault.message).to.equal('rows: must have 2 fields, in the order of the model; they have p, q, r');
    serving({ inputs: [input('x0', [-1]), input('x1', [-1], 'BOOL')] });
    await server.predict([{ p: 1, q: 'false' }]);
    expect(sent().inputs.map(({ name, data }: { name: string; data: unknown[] }) => [name, ...data])).to.deep.equal([
      ['x0', 1],
      ['x1', false],
    ]);
    serving({ inputs: [input('x0', [-1]), input('x1', [-1])] });
    const { errors } = await server.predict([{ p: 1 }]);
    expect(errors[0]).to.include({ error_code: 'missing_field', message: 'The field x0 is missing or empty' });
  });

  it('with a fixed number of rows gets that number', async () => {
    serving({ inputs: [input('a', [4])] });
    const rows = Array.from({ length: 6 }, (_, a) => ({ a }));
    expect((await server.predict(rows)).result).to.deep.equal(Array(6).fill({ y: 4 }));
    expect(server.asked.map(({ body }) => body.inputs[0].data)).to.deep.equal([
      [0, 1, 2, 3],
      [4, 5, 5, 5],
    ]);
  });

  it('with tensors of more than two dimensions gets the fields as one row of them', async () => {
    serving({ inputs: [input('x', [-1, 2, 2])] });
    await server.predict([
      { a: 1, b: 2, c: 3, d: 4 },
      { a: 5, b: 6, c: 7, d: 8 },
    ]);
    expect(sent().inputs).to.deep.equal([
      { name: 'x', datatype: 'FP32', shape: [2, 2, 2], data: [1, 2, 3, 4, 5, 6, 7, 8] },
    ]);
    const fault = await faultOf(server.predict([{ a: 1, b: 2 }]));
    expect(fault.message).to.equal('rows: must have 4 fields, in the order of the model; they have a, b');
  });

  it('that declares an absurd number of rows or dimensions gets no request for it', async () => {
    for (const [shape, row] of [
      [[1e9, 2], { a: 1, b: 2 }],
      [[Number.MAX_SAFE_INTEGER], { a: 1 }],
      [[10_001], { a: 1 }],
      [[9000], { a: 'x'.repeat(5000) }],
    ] as const) {
      serving({ inputs: [input('a', [...shape], 'BYTES')] });
      const { code, message } = await outboundOf(server.predict([row]));
      expect([code, message]).to.deep.equal([
        'upstream_error',
        `The container has a model that takes ${shape[0]} rows a call: such a request is too large`,
      ]);
    }
    expect(server.asked).to.deep.equal([]);
    serving({ inputs: [input('a', Array(100_000).fill(-1))] }, counted);
    await server.predict([{ a: 1 }]);
    expect(sent().inputs[0].shape).to.deep.equal([1, 1]);
  });

  it('answers a field for each output', async () => {
    serving({ inputs: [] }, () => ({
      outputs: [
        { name: 'label', datatype: 'BYTES', shape: [2, 1], data: ['a', 'b'] },
        {
          name: 'scores',
          datatype: 'FP32',
          shape: [2, 2],
          data: [
            [0.25, 0.75],
            [null, 1],
          ],
        },
      ],
    }));
    expect((await server.predict([{ x: 1 }, { x: 2 }])).result).to.deep.equal([
      { label: 'a', scores: '[0.25,0.75]' },
      { label: 'b', scores: '[null,1]' },
    ]);
  });

  it('may call its only model otherwise', async () => {
    const others: Record<string, unknown> = { '/v2/repository/index': [{ name: 'iris', state: 'READY' }] };
    server.serve = (path, body) =>
      path === '/v2/models/iris/infer'
        ? counted(path, body)
        : path === '/v2/models/iris'
          ? { inputs: [] }
          : (others[path] as object);
    expect((await server.predict([{ x: 1 }])).result).to.deep.equal([{ y: 1 }]);
    delete others['/v2/repository/index'];
    others['/v2/models'] = { models: ['iris'] };
    expect((await server.predict([{ x: 1 }])).result).to.deep.equal([{ y: 1 }]);
    others['/v2/models'] = { models: ['iris', 'other'] };
    const { code, message } = await outboundOf(server.predict([{ x: 1 }]));
    expect([code, message]).to.deep.equal(['upstream_error', 'The container has 2 models, and none named Churn']);
  });

  it('is asked for its only model, of whatever versions, that is ready', async () => {
    const version = (number: string, state = 'READY') => ({ name: 'iris', version: number, state });
    for (const [index, models] of [
      [[version('1'), version('2')], 1],
      [[{ name: 'stale' }, version('1')], 1],
      [[version('1'), { name: 'stale', version: '1', state: 'UNAVAILABLE', reason: 'unloaded' }], 1],
      [[{ name: 'stale', state: '' }, version('1'), version('2', 'LOADING')], 1],
      [[{ name: 'iris' }, { name: 'iris' }], 1],
      [[{ name: 'iris', state: null }], 1],
      [['iris', 'iris'], 1],
      [[version('1'), { name: 'other', version: '1', state: 'READY' }], 2],
      [[{ name: 'iris' }, { name: 'other' }], 2],
      [[version('1', 'LOADING')], 0],
    ] as [unknown[], number][]) {
      server.serve = (path, body) => {
        if (path === '/v2/repository/index') return index;
        if (path === '/v2/models/iris') return { inputs: [] };
        return path === '/v2/models/iris/infer' ? counted(path, body) : undefined;
      };
      const shown = JSON.stringify(index);
      if (models === 1) expect((await server.predict([{ x: 1 }])).result, shown).to.deep.equal([{ y: 1 }]);
      else
        expect((await outboundOf(server.predict([{ x: 1 }]))).message, shown).to.include(
          models ? '2 models' : 'no model',
        );
    }
  });

  it('has no model whose name is no text that an address can have', async () => {
    server.serve = (path) =>
      path === '/v2/repository/index' ? { status: 200, text: '[{"name": "\\ud800"}, {"name": 7}]' } : undefined;
    const { code, message } = await outboundOf(server.predict([{ x: 1 }]));
    expect([code, message]).to.deep.equal(['upstream_error', 'The container has no model, and none named Churn']);
  });

  it('fails the request for an answer that is none', async () => {
    const output = { name: 'y', datatype: 'FP32', shape: [1], data: [1] };
    const bad = [
      ...[{}, { outputs: [] }, { outputs: {} }, { outputs: [null] }, { outputs: [output, { ...output, name: 1 }] }],
      { outputs: [{ ...output, shape: [2], data: [1, 2] }] },
      { outputs: [{ ...output, data: [] }] },
      { outputs: [{ ...output, shape: undefined }] },
      { outputs: [{ ...output, data: 'x' }] },
      ...[[1, 2], [1, 0], [1, -1], [1, 1e9], [1, 1.5], [1, '1'], Array(9).fill(1), []].map((shape) => ({
        outputs: [{ ...output, shape }],
      })),
      ...[[[1]], [[1], [2]], [[1, 2], 3], [[1, 2, 3]], [[1], [2, 3, 4]], [[[1, 2]]], [1, [2]]].map((data) => ({
        outputs: [{ ...output, shape: [1, 2], data }],
      })),
      { outputs: [{ ...output, shape: [1, 2, 2], data: [[[1, 2], [3]]] }] },
    ];
    for (const body of bad) {
      serving({ inputs: [] }, () => body);
      expect((await outboundOf(server.predict([{ x: 1 }]))).code, JSON.stringify(body)).to.equal('upstream_error');
    }
    const metadata = [
      { inputs: 7 },
      { inputs: [{ name: 'x' }] },
      { inputs: [input('x', [])] },
      { inputs: [input('x', [-1], 'X')] },
    ];
    for (const one of metadata) {
      serving(one);
      expect((await server.predict([{ x: 1 }])).result, JSON.stringify(one)).to.deep.equal([{ y: 1 }]);
    }
  });

  it('tells the last words of a traceback, not the places in files', async () => {
    const text =
      'Traceback (most recent call last):\n  File "/srv/app.py", line 1, in infer\nValueError: Input X contains NaN.\nmore';
    serving({ inputs: [] }, () => ({ status: 500, text }));
    expect((await server.predict([{ x: 1 }])).errors).to.deep.equal([
      {
        row: 0,
        error_code: 'upstream_error',
        message: 'The container answered 500: ValueError: Input X contains NaN.',
      },
    ]);
  });
});
