import { expect } from 'chai';
import type { SearchModels } from '../../../src/ports/onnx/onnxRuntime.ts';
import { planOf } from '../../../src/search/arguments.ts';
import { SearchError } from '../../../src/search/command.ts';
import { CsvTable } from '../../../src/search/csvTable.ts';
import { mlPredict } from '../../../src/search/gateway/predict/mlPredict.ts';
import { endless, hugeConstant, picking } from '../../adapters/onnx/hostileModels.ts';
import { fixture } from '../../support/models/onnx.ts';
import { onnxFile } from '../../support/models/onnxModel.ts';
import { patience } from '../../support/time.ts';
import { rowsOf } from '../peer.ts';
import { FakeGateway } from './fakeGateway.ts';
import { FakeModels } from './fakeModels.ts';

const unused = async () => {
  throw new Error('not asked for');
};
const NAMES = ['prediction_error', 'prediction_error_message'];

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };

describe('mlpredict', function () {
  this.timeout(patience(30_000));
  let models: FakeModels;
  let gateway: FakeGateway;
  beforeEach(() => {
    gateway = new FakeGateway();
    models = new FakeModels();
    models.bytes = fixture('linear');
  });

  const partsWith = (more: Partial<SearchModels>) => ({
    agents: unused,
    health: unused,
    usage: unused,
    catalogue: unused,
    gateway: async () => gateway,
    models: async () => Object.assign(models, more),
    runs: unused,
    clock: gateway.clock,
  });

  async function run(args: string, chunks: readonly string[], more: Partial<SearchModels> = {}) {
    const step = planOf(mlPredict, args).start(INFO, partsWith(more));
    const rows: Record<string, string>[] = [];
    const messages: string[] = [];
    try {
      for (const [index, text] of chunks.entries()) {
        if (text !== '') step.prepare();
        const table = new CsvTable(text);
        const { signal } = new AbortController();
        const added = await step.next(table, { isLast: index === chunks.length - 1, signal });
        rows.push(...rowsOf(table.with(added.columns)));
        messages.push(...(added.messages ?? []).map(([level, text]) => `${level} ${text}`));
      }
    } finally {
      await step.end();
    }
    return { rows, messages };
  }
  const errorOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => expect.fail('no error'),
      (thrown: unknown) => thrown,
    );
    expect(error, String(error)).to.be.instanceOf(SearchError);
    return (error as Error).message;
  };

  it('adds predictions to rows of several chunks, in order, and reports once', async () => {
    const { rows, messages } = await run('model=m', [
      'n,a,b,c\n1,1,2,3\n2,0,"1.5",0\n',
      'n,a,b,c\n',
      'c,b,n,a\n1,1,3,1\n',
    ]);
    expect(rows.map((row) => [row.n, row['predicted(y)'], ...NAMES.map((name) => row[name])])).to.deep.equal([
      ['1', '8', '', ''],
      ['2', '1.5', '', ''],
      ['3', '3', '', ''],
    ]);
    expect(messages).to.deep.equal([]);
    expect([models.begun, models.reads]).to.deep.equal([['m'], 1]);
    const [{ duration_ms, ...end } = { duration_ms: -1 }, ...others] = models.ended;
    expect([end, others]).to.deep.equal([{ use_id: 'use-1', rows: 3, failed: 0 }, []]);
    expect(duration_ms).to.be.at.least(0);
  });

  it('keeps a bad row with its reason; the others have their predictions', async () => {
    const { rows, messages } = await run('model=m as=p', ['a,b,c\n1,2,3\n1,,3\n1,x,3\n0,1,0\n']);
    expect(rows.map((row) => [row['p_predicted(y)'], ...NAMES.map((name) => row[`p_${name}`])])).to.deep.equal([
      ['8', '', ''],
      ['', 'missing_field', 'The field b is missing or empty'],
      ['', 'unreadable_value', 'The field b is "x", which cannot be read as a number'],
      ['1', '', ''],
    ]);
    expect(messages).to.deep.equal(['WARN mlpredict: 2 rows failed: missing_field 1, unreadable_value 1']);
    expect(models.ended).to.have.length(1);
    expect(models.ended[0]).to.deep.include({ rows: 4, failed: 2 });
    expect(models.ended[0]).not.to.have.property('error_code');
  });

  it('fails at the first bad row with on_error=fail, and when all rows are bad', async () => {
    expect(await errorOf(run('model=m on_error=fail', ['a,b,c\n1,2,3\n1,x,3\n']))).to.equal(
      'The field b is "x", which cannot be read as a number (unreadable_value)',
    );
    expect(models.ended[0]).to.deep.include({ rows: 2, failed: 1, error_code: 'unreadable_value' });
    expect(await errorOf(run('model=m', ['a,b\n1,2\n1,3\n']))).to.equal(
      'The field c is missing or empty (missing_field); all 2 rows failed',
    );
  });

  it('keeps a row that the model refuses, and goes on with it', async () => {
    models.reply = { ...models.reply, features: ['a'] };
    models.bytes = picking();
    const bad = [7, 20_000, 39_999];
    const lines = Array.from({ length: 40_000 }, (_, row) => (bad.includes(row) ? '99' : String(row % 3)));
    const { rows, messages } = await run('model=m', [`a\n${lines.join('\n')}\n`, 'a\n99\n', 'a\n2\n']);
    expect(rows).to.have.length(40_002);
    const failed = rows.flatMap((row, index) => (row['predicted(y)'] === '' ? [index] : []));
    expect(failed).to.deep.equal([...bad, 40_000]);
    for (const index of failed) {
      expect(rows[index]).to.include({ a: '99', prediction_error: 'model_not_runnable' });
      expect(rows[index]?.prediction_error_message).to.match(/^The model cannot run: .*out of data bounds/);
    }
    const good = rows.filter((_, index) => !failed.includes(index));
    expect(good.filter((row) => Number(row['predicted(y)']) !== Number(row.a) + 0.5)).to.deep.equal([]);
    expect(messages).to.deep.equal(['WARN mlpredict: 4 rows failed: model_not_runnable 4']);
    expect(models.reads).to.equal(1);
  });

  it('gives long rows to the model in smaller runs', async () => {
    const sizes: number[] = [];
    const { runtime } = models;
    const open: typeof runtime.open = async (...model) => {
      const opened = await runtime.open(...model);
      const { predict } = opened;
      return Object.assign(opened, {
        predict: (...call: Parameters<typeof predict>) => {
          sizes.push(call[1].rows);
          return predict(...call);
        },
      });
    };
    const long = 'x'.repeat(10_000);
    const text = `a,b,c,_raw\n${Array.from({ length: 1700 }, (_, row) => `0,${row},0,${long}\n`).join('')}`;
    const { rows } = await run('model=m', [text], { runtime: { prepare: () => runtime.prepare(), open } });
    expect(rows.filter((row, index) => row['predicted(y)'] !== String(index))).to.deep.equal([]);
    expect(Math.max(...sizes)).to.be.at.most(1600);
  });

  it('ends a search to whose rows the model would add too many fields', async () => {
    models.reply = { ...models.reply, features: ['x'], targets: ['class'] };
    models.bytes = onnxFile({
      inputs: [{ name: 'X', type: 'float', dims: ['rows', 1] }],
      outputs: [
        { name: 'label', type: 'int64', dims: ['rows', 1] },
        { name: 'probabilities', type: 'float', dims: ['rows', 'classes'] },
      ],
      nodes: [
        { operator: 'Tile', inputs: ['X', 'times'], outputs: ['probabilities'] },
        { operator: 'Cast', inputs: ['X'], outputs: ['label'], attributes: { to: 7 } },
      ],
      constants: [{ name: 'times', type: 'int64', dims: [2], values: [1, 5000] }],
    });
    const chunk = `x\n${'1\n'.repeat(3000)}`;
    expect((await run('model=m', [chunk])).rows).to.have.length(3000);
    expect(await errorOf(run('model=m probabilities=true', [chunk]))).to.equal(
      'The model adds 5001 fields to each of 3000 rows, which is too much: leave out probabilities=true, or apply it to fewer rows',
    );
  });

  it('asks nothing for a search without rows', async () => {
    const { runtime } = models;
    let discarded = 0;
    const prepare = async () => {
      const discard = await runtime.prepare();
      return () => {
        discarded += 1;
        discard();
      };
    };
    const more = { runtime: { prepare, open: runtime.open } };
    expect((await run('model=m', ['', 'a,b,c\n'], more)).rows).to.deep.equal([]);
    expect([models.begun, models.ended, discarded]).to.deep.equal([[], [], 1]);
    expect((await run('model=m', [''], more)).rows).to.deep.equal([]);
    expect(discarded).to.equal(1);
  });

  it('ends the search with the refusal of the gateway, and of the file', async () => {
    const body = { error_code: 'limit_exceeded', message: 'No more today' };
    models.refusal = { status: 429, body };
    expect(await errorOf(run('model=m', ['a,b,c\n1,2,3\n']))).to.equal('No more today (limit_exceeded)');
    expect(models.ended).to.deep.equal([]);
    models.refusal = undefined;
    models.bytes = Buffer.from('noise');
    await run('model=m', ['a,b,c\n1,2,3\n']).then(
      () => expect.fail('no error'),
      (error) =>
        expect([error.code, error.message]).to.satisfy(
          ([code, text]: string[]) => code === 'model_not_runnable' && text?.startsWith('The model cannot run: '),
        ),
    );
    expect(models.ended).to.deep.equal([
      { use_id: 'use-1', rows: 0, failed: 0, duration_ms: 0, error_code: 'model_not_runnable' },
    ]);
  });

  it('writes labels as text, integers without a point, probabilities only if asked', async () => {
    models.reply = { ...models.reply, features: ['x'], targets: ['class', 'count'] };
    models.bytes = onnxFile({
      inputs: [{ name: 'X', type: 'float', dims: ['rows', 1] }],
      outputs: [
        { name: 'label', type: 'string', dims: ['rows'] },
        { name: 'probabilities', type: 'float', dims: ['rows', 2] },
        { name: 'count', type: 'int64', dims: ['rows', 1] },
      ],
      nodes: [
        {
          operator: 'LinearClassifier',
          domain: 'ai.onnx.ml',
          inputs: ['X'],
          outputs: ['label', 'probabilities'],
          attributes: { coefficients: [-0.5, 0.5], intercepts: [0.1, -0.1], classlabels_strings: ['no', 'yes'] },
        },
        { operator: 'Cast', inputs: ['X'], outputs: ['count'], attributes: { to: 7 } },
      ],
    });
    const chunk = ['x\n"1"\n-3\n'];
    const { rows } = await run('model=m', chunk);
    expect(rows.map((row) => [row['predicted(class)'], row['predicted(count)']])).to.deep.equal([
      ['yes', '1'],
      ['no', '-3'],
    ]);
    expect(Object.keys(rows[0] ?? {})).not.to.include('probability(no)');
    const [first] = (await run('model=m probabilities=true', chunk)).rows;
    expect([first?.['probability(no)'], first?.['probability(yes)']]).to.deep.equal(['-0.4', '0.4']);
  });

  it('stops a model that does not end, and fails what is left', async () => {
    models.bytes = endless();
    const chunks = ['a,b,c\n1,2,3\n', 'a,b,c\n4,5,6\n'];
    expect(await errorOf(run('model=m timeout=1', chunks))).to.equal(
      'No answer within timeout=1 s (timeout); all 2 rows failed',
    );
    models.bytes = hugeConstant();
    expect(await errorOf(run('model=m', chunks))).to.match(
      /more memory than it may have \(model_not_runnable\); all 2/,
    );
  });

  it('sends rows of other models through the gateway', async () => {
    models.reply = { ...models.reply, type: 'cloud', features: ['a', 'b'], targets: ['score'] };
    gateway.answer = (item) => {
      const rows = item.rows as Record<string, string>[];
      const result = rows.map(({ a }) => (a === '7' ? null : { score: Number(a) / 2, 'probability(x)': 1 }));
      const errors = rows.flatMap(({ a }, row) =>
        a === '7' ? [{ row, error_code: 'bad_request', message: 'No 7' }] : [],
      );
      return { status: 'done', response: { model: 'm', type: 'cloud', result, errors } };
    };
    const text = `a,b,other\n${Array.from({ length: 1200 }, (_, index) => `${index},,x\n`).join('')}`;
    const { rows, messages } = await run('model=m', [text]);
    expect(rows.map(({ score }) => score)).to.deep.equal(rows.map(({ a }) => (a === '7' ? '' : String(Number(a) / 2))));
    expect(rows[7]).to.include({ prediction_error: 'bad_request', prediction_error_message: 'No 7' });
    expect(rows[0]).not.to.have.property('probability(x)');
    expect(messages).to.deep.equal(['WARN mlpredict: 1 row failed: bad_request 1']);
    const sent = gateway.requests.flatMap(({ items }) => items);
    expect(gateway.requests[0]).to.deep.include({ operation: 'predict', common: { model: 'm' } });
    expect(sent.map((item) => (item.rows as unknown[]).length)).to.deep.equal([500, 500, 200]);
    expect(sent.flatMap((item) => item.rows as unknown[])[3]).to.deep.equal({ a: '3' });
    expect(models.reads).to.equal(0);
    // The gateway records each of these calls by itself; the end only closes what was begun.
    expect(models.ended.map(({ use_id, rows, failed }) => [use_id, rows, failed])).to.deep.equal([['use-1', 1200, 1]]);
  });

  it('sends the rows again that the gateway had no time for', async () => {
    models.reply = { ...models.reply, type: 'container', features: [], targets: [] };
    let isBroken = false;
    gateway.answer = (item) => {
      const rows = item.rows as Record<string, string>[];
      // Every third row, and the first, as the calls of an endpoint end in any order.
      const isReached = (row: number) => row % 3 === 0;
      const isAnswered = (row: number) => isReached(row) && !isBroken && rows[row]?.a !== '6';
      const errors = rows.flatMap((_, row) => {
        if (isAnswered(row)) return [];
        return [{ row, error_code: isReached(row) ? 'upstream_error' : 'not_reached', message: 'why' }];
      });
      const result = rows.map(({ a }, row) => (isAnswered(row) ? { prediction: Number(a) * 2 } : null));
      return { status: 'done', response: { model: 'm', type: 'container', result, errors } };
    };
    const text = `a,b\n${Array.from({ length: 700 }, (_, index) => `${index},${index === 0 ? 'x' : ''}\n`).join('')}`;
    const { rows, messages } = await run('model=m', [text]);
    expect(rows.map(({ prediction }) => prediction)).to.deep.equal(
      rows.map((_, index) => (index === 6 ? '' : String(index * 2))),
    );
    expect(rows[6]?.prediction_error).to.equal('upstream_error');
    expect(messages).to.deep.equal(['WARN mlpredict: 1 row failed: upstream_error 1']);
    const items = gateway.requests.flatMap(({ items }) => items).map((item) => item.rows as Record<string, unknown>[]);
    expect(
      new Set(
        items.map(([first]) =>
          Object.keys(first ?? {})
            .toSorted()
            .join(),
        ),
      ),
    ).to.deep.equal(new Set(['a,b']));
    // A model that only fails is not asked for all rows.
    isBroken = true;
    gateway.requests.length = 0;
    expect(await errorOf(run('model=m', [text]))).to.equal('why (upstream_error); all 700 rows failed');
    expect(gateway.requests.length).to.be.below(10);
  });

  it('names the model that is not there', async () => {
    models.refusal = { status: 404, body: { message: 'The model does not exist', error_code: 'not_found' } };
    expect(await errorOf(run('model=nosuch', ['a\n1\n']))).to.equal(
      'model=nosuch: The model does not exist (not_found)',
    );
  });

  it('names the same fields in all items of a model that does not say what it takes', async () => {
    models.reply = { ...models.reply, type: 'container', features: [], targets: [] };
    gateway.answer = (item) => {
      const result = (item.rows as unknown[]).map(() => ({ prediction: 1 }));
      return { status: 'done', response: { model: 'm', type: 'container', result, errors: [] } };
    };
    const lines = Array.from({ length: 1200 }, (_, index) => `,${index},${index < 500 ? 'x' : ''}\n`).join('');
    await run('model=m', [`never,a,b\n${lines}`, 'a,b,_time\n1,,2\n']);
    const items = gateway.requests.flatMap(({ items }) => items).map(({ rows }) => rows as Record<string, unknown>[]);
    const names = items.map((rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))]);
    expect(names).to.deep.equal(Array(4).fill(['a', 'b']));
    expect([items[1]?.[0], items[1]?.[1]]).to.deep.equal([{ a: '500', b: null }, { a: '501' }]);
  });

  it('counts the rows of the chunk under way when a search is cancelled', async () => {
    const asked = Promise.withResolvers<void>();
    const predict = (): Promise<never> => {
      asked.resolve();
      return new Promise(() => {});
    };
    const names = { features: ['a'], targets: ['y'], inputs: [], outputs: [] };
    const model = { ...names, mostRows: 10, isClosed: false, predict, close() {} };
    const runtime = { prepare: async () => () => {}, open: async () => model };
    const step = planOf(mlPredict, 'model=m').start(INFO, partsWith({ runtime }));
    step.next(new CsvTable('a\n1\n2\n'), { isLast: true, signal: new AbortController().signal });
    await asked.promise;
    await step.end();
    const [{ duration_ms = -1, ...end } = {}] = models.ended;
    expect(end).to.deep.equal({ use_id: 'use-1', rows: 2, failed: 0 });
    expect(duration_ms).to.be.at.least(0);
  });

  it('writes fields of an endpoint under their own names, but none of the platform', async () => {
    models.reply = { ...models.reply, type: 'cloud', features: ['a'], targets: [] };
    gateway.answer = (item) => {
      const result = (item.rows as unknown[]).map(() => ({ a: 'theirs', _time: 0, _chunked_idx: 9, _new: 1 }));
      return { status: 'done', response: { model: 'm', type: 'cloud', result, errors: [] } };
    };
    const chunk = ['a,_time,_chunked_idx\nmine,5,0\n'];
    const none = { prediction_error: '', prediction_error_message: '' };
    expect((await run('model=m', chunk)).rows.map((row) => ({ ...none, ...row }))).to.deep.equal([
      { a: 'theirs', _time: '5', _chunked_idx: '0', _new: '1', ...none },
    ]);
    const [row] = (await run('model=m as=p', chunk)).rows;
    expect(row).to.include({ a: 'mine', p_a: 'theirs', _time: '5', p__time: '0' });
  });

  it('ends a search to whose rows an endpoint would add too many fields', async () => {
    models.reply = { ...models.reply, type: 'cloud', features: ['a'], targets: [] };
    gateway.answer = (item) => {
      const rows = item.rows as { a: string }[];
      const result = rows.map(({ a }) => ({ [`field ${a}`]: 1 }));
      return { status: 'done', response: { model: 'm', type: 'cloud', result, errors: [] } };
    };
    const chunk = `a\n${Array.from({ length: 4000 }, (_, index) => `${index}\n`).join('')}`;
    expect(await errorOf(run('model=m', [chunk]))).to.equal(
      'The model adds 2501 fields to each of 4000 rows, which is too much: leave out probabilities=true, or apply it to fewer rows',
    );
  });

  it('takes only what it knows', async () => {
    for (const [args, message] of [
      ['', 'The argument model is missing: write model=<string>'],
      ['model=" "', 'model must not be empty'],
      ['model=m as=1x', 'as must be the beginning of names of fields: a letter, then letters, digits and _'],
      ['model=m max_rows=5', /^Unknown argument max_rows: use model, probabilities, as, on_error, timeout/],
      ['model=m timeout=0', 'timeout must be a number of seconds from 1 to 3600'],
    ] as const) {
      const thrown = await errorOf(run(args, ['a\n1\n']));
      if (typeof message === 'string') expect(thrown).to.equal(message);
      else expect(thrown).to.match(message);
    }
  });
});
