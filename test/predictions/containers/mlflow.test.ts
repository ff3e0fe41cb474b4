import { expect } from 'chai';
import { outboundOf, ServedContainer } from './served.ts';

describe('MLflow in a container', () => {
  let server: ServedContainer;
  beforeEach(async () => {
    server = await new ServedContainer().start('mlflow');
  });
  const answering = (text: string, status = 200) => {
    server.serve = (path) => (path === '/invocations' ? { status, text } : undefined);
  };

  it('is sent all fields by name, text that reads as a number as one, and answers in `prediction`', async () => {
    answering('{"predictions": ["no", "yes"]}');
    const rows = [
      { age: '41', plan: 'a', id: '9007199254740993', zip: '007', vip: true },
      { plan: '7', age: 3.5, id: '1', zip: '1', vip: false },
    ];
    const { result, errors } = await server.predict(rows);
    expect(server.asked).to.deep.equal([
      {
        path: '/invocations',
        body: {
          dataframe_split: {
            columns: ['age', 'plan', 'id', 'zip', 'vip'],
            data: [
              [41, 'a', '9007199254740993', 7, true],
              [3.5, '7', '1', 1, false],
            ],
          },
        },
      },
    ]);
    expect({ result, errors }).to.deep.equal({ result: [{ prediction: 'no' }, { prediction: 'yes' }], errors: [] });
  });

  it('is sent numbers although some values are none, and these rows fail', async () => {
    answering('{"predictions": [1, 2]}');
    const { result, errors } = await server.predict([{ x: '1.5' }, { x: 'NaN' }, { x: ' -Infinity' }, { x: 2 }]);
    expect(server.asked[0]?.body.dataframe_split.data).to.deep.equal([[1.5], [2]]);
    expect(result).to.deep.equal([{ prediction: 1 }, null, null, { prediction: 2 }]);
    expect(errors).to.deep.equal(
      [1, 2].map((row) => ({
        row,
        error_code: 'unreadable_value',
        message: 'The value of the field x must be a number',
      })),
    );
    await server.predict([{ x: 'a' }, { x: 'nan' }]);
    expect(server.asked[1]?.body.dataframe_split.data).to.deep.equal([['a'], ['nan']]);
  });

  it('answers numbers that JSON lacks, data frames, lists and a list for each output', async () => {
    const one = async (text: string) => {
      answering(text);
      return (await server.predict([{ a: 1 }])).result[0];
    };
    expect(await one('{"predictions": [NaN]}')).to.deep.equal({ prediction: null });
    expect(await one('{"predictions": [-Infinity]}')).to.deep.equal({ prediction: null });
    expect(await one('{"predictions": [9007199254740993]}')).to.deep.equal({ prediction: '9007199254740993' });
    expect(await one('{"predictions": [[0.25]]}')).to.deep.equal({ prediction: 0.25 });
    expect(await one('{"predictions": [[0.25, 0.75]]}')).to.deep.equal({ prediction: '[0.25,0.75]' });
    expect(await one('{"predictions": [{"label": "x", "__proto__": 1}]}')).to.have.property('label', 'x');
    expect(await one('{"predictions": {"a": [1], "b": [[2]]}}')).to.deep.equal({ a: 1, b: 2 });
    // The list alone is the answer of servers before MLflow 2.
    expect(await one('[0.25]')).to.deep.equal({ prediction: 0.25 });
    expect(await one('[{"label": "x", "p": [0.5]}]')).to.deep.equal({ label: 'x', p: 0.5 });
    expect(await one('\ufeff{"predictions": [1]}')).to.deep.equal({ prediction: 1 });
  });

  it('fails the request for an answer that is none', async () => {
    const texts = [
      ...['', 'OK', '[]', '{}', '{"predictions": 1}', '{"predictions": []}', '{"predictions": [1, 2, 3]}'],
      ...[
        '[1, 2]',
        'null',
        '{"predictions": {"a": [1], "b": []}}',
        '{"predictions": {}}',
        `{"predictions": ${'['.repeat(99)}`,
      ],
      `{"predictions": ${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    ];
    for (const text of texts) {
      answering(text);
      const error = await outboundOf(server.predict([{ a: 1 }]));
      expect(error.code, text.slice(0, 40)).to.equal('upstream_error');
    }
  });

  it('says why it refuses a row', async () => {
    const message = "Failed to convert column a to type 'float64'";
    answering(JSON.stringify({ error_code: 'BAD_REQUEST', message, stack_trace: 'File "/srv/x.py"' }), 400);
    const { result, errors } = await server.predict([{ a: 'x' }]);
    expect(result).to.deep.equal([null]);
    expect(errors).to.deep.equal([
      { row: 0, error_code: 'bad_request', message: `The container answered 400: ${message}` },
    ]);
  });
});
