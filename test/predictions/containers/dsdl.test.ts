import { expect } from 'chai';
import { outboundOf, ServedContainer, TOKEN } from './served.ts';

const success = (results: string) => ({ status: 'success', message: '/apply done successfully', results });

describe('the data-science application in a container', () => {
  let server: ServedContainer;
  beforeEach(async () => {
    server = await new ServedContainer().start('dsdl');
  });

  it('is sent CSV and what names the model, and its results are fields', async () => {
    const label = 'x "1"\ny';
    server.serve = () => ({
      status: 200,
      text: JSON.stringify(success(`label,score,n,zip\n"x ""1""\ny",0.5,9007199254740993,007\nz,,nan,-inf\n`)),
    });
    const rows = [
      { age: 41, note: 'a,"b"\nc' },
      { age: '3', note: 'd' },
    ];
    const { result, errors } = await server.predict(rows);
    expect(server.asked).to.deep.equal([
      {
        path: '/apply',
        body: {
          data: 'age,note\n41,"a,""b""\nc"\n3,d\n',
          meta: {
            options: { params: { algo: 'Churn' }, model_name: 'Churn', feature_variables: ['age', 'note'] },
            feature_variables: ['age', 'note'],
          },
        },
      },
    ]);
    expect(result).to.deep.equal([
      { label, score: 0.5, n: '9007199254740993', zip: '007' },
      { label: 'z', score: null, n: null, zip: null },
    ]);
    expect(errors).to.deep.equal([]);
  });

  it('may answer JSON in a JSON text, as its banner', async () => {
    server.serve = () => ({ status: 200, text: JSON.stringify(JSON.stringify(success('p\n1\n'))) });
    expect((await server.predict([{ a: 1 }])).result).to.deep.equal([{ p: 1 }]);
  });

  it('may answer a data frame with its index, and blank lines at the end', async () => {
    for (const [text, expected] of [
      [
        ',p,q\n0,1,x\n1,,007\n',
        [
          { p: 1, q: 'x' },
          { p: null, q: '007' },
        ],
      ],
      [
        'p,q\n1,x\n2,y\n\n\n',
        [
          { p: 1, q: 'x' },
          { p: 2, q: 'y' },
        ],
      ],
      ['p\n1\n2\n\n', [{ p: 1 }, { p: 2 }]],
      ['p\n1\n""\n', [{ p: 1 }, { p: null }]],
      ['p\n1\n\n', [{ p: 1 }, { p: null }]],
      ['p\n"[0.1, 0.2]"\n-Infinity\n', [{ p: '[0.1, 0.2]' }, { p: null }]],
    ] as const) {
      server.serve = () => ({ status: 200, text: JSON.stringify(success(text)) });
      expect((await server.predict([{ a: 1 }, { a: 2 }])).result, text).to.deep.equal(expected);
    }
    server.serve = () => ({ status: 200, text: JSON.stringify(success('p,q\n1,[0.1, 0.2]\n')) });
    expect((await outboundOf(server.predict([{ a: 1 }]))).code).to.equal('upstream_error');
  });

  it('has failed although it answers 200: its rows are halved', async () => {
    server.serve = (_, { data }) =>
      data.includes('bad')
        ? { status: 200, text: JSON.stringify({ status: 'error', message: `/apply: ERROR: no ${TOKEN} bad` }) }
        : { status: 200, text: JSON.stringify(success(data.replace('a\n', 'p\n'))) };
    const { result, errors } = await server.predict([{ a: 'u' }, { a: 'bad' }, { a: 'v' }]);
    expect(result).to.deep.equal([{ p: 'u' }, null, { p: 'v' }]);
    expect(errors).to.deep.equal([
      { row: 1, error_code: 'bad_request', message: 'The container answered: /apply: ERROR: no [redacted] bad' },
    ]);
  });

  it('that answers more rows than it was sent is not read to the end', async () => {
    server.serve = () => ({ status: 200, text: JSON.stringify(success(`p\n${'1\n'.repeat(1_000_000)}`)) });
    const { code, message } = await outboundOf(server.predict([{ a: 1 }]));
    expect([code, message]).to.deep.equal(['upstream_error', 'The container has 2 predictions for 1 rows']);
  });

  it('fails the request for an answer that is none', async () => {
    const staged = { status: 'staged', message: 'Model data staged successfully' };
    const answers: object[] = [staged, {}, { status: 'success' }, success(''), success('p\n'), success('p\n1\n2\n')];
    for (const answer of [...answers, success('p,q\n1\n'), success('"p\n1')]) {
      server.serve = () => ({ status: 200, text: JSON.stringify(answer) });
      expect((await outboundOf(server.predict([{ a: 1 }]))).code, JSON.stringify(answer)).to.equal('upstream_error');
    }
  });
});
