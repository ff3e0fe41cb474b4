import { expect } from 'chai';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import type { FetchedOutput, RunOrder } from '../../../src/adapters/onnx/runner/messages.ts';
import { runRows } from '../../../src/adapters/onnx/runner/rowRuns.ts';

interface Given {
  type: string;
  data: Float32Array;
  dims: readonly number[];
}

class FakeTensor implements Given {
  readonly type: string;
  readonly data: Float32Array;
  readonly dims: readonly number[];
  constructor(type: string, data: Float32Array, dims: readonly number[]) {
    this.type = type;
    this.data = data;
    this.dims = dims;
  }
}

/** Sizes of the runs, and their values. */
let runs: number[][];

/** Runs with an output `Y` as `answer` makes it of the values of the input `X`. */
async function run(
  order: Partial<RunOrder> & { data: readonly number[]; width?: number },
  answer: (values: readonly number[]) => Partial<Given>,
  output: Partial<FetchedOutput> = {},
) {
  const { data, width = 1, block, ...more } = order;
  const session = {
    run: async ({ X }: { X: Given }) => {
      runs.push(Array.from(X.data));
      return { Y: { type: 'float32', ...answer(Array.from(X.data)) } };
    },
  };
  return runRows(session as never as InferenceSession, FakeTensor as never as typeof Tensor, {
    inputs: { X: { type: 'float32', rowShape: [width], hasRows: true, data: Float32Array.from(data) } },
    rows: data.length / width,
    block,
    fetch: [{ name: 'Y', columns: 1, isWhole: false, ...output }],
    ...more,
  });
}
const column = (values: readonly number[]) => ({ data: Float32Array.from(values), dims: [values.length, 1] });
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const messageOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail('no error'),
    (error: Error) => error.message,
  );

describe('rows in runs of a model', () => {
  beforeEach(() => {
    runs = [];
  });

  it('are halved down to those that it refuses', async () => {
    const answer = (values: readonly number[]) => {
      if (values.some((value) => value === 3 || value === 6)) throw new Error('no 3 and 6');
      return column(values);
    };
    const { outputs, refused } = await run({ data: numbers(8) }, answer);
    expect(Array.from(outputs.Y?.data as Float32Array)).to.deep.equal([0, 1, 2, 4, 5, 7]);
    expect(refused).to.deep.equal([
      { row: 3, error: 'no 3 and 6' },
      { row: 6, error: 'no 3 and 6' },
    ]);
    const all = await run({ data: [3, 6] }, answer);
    expect([all.outputs, all.refused.map(({ row }) => row)]).to.deep.equal([{}, [0, 1]]);
  });

  it('are filled up to a fixed number, also where they are halved', async () => {
    const { outputs, refused } = await run({ data: numbers(6), block: 4 }, (values) => {
      if (values.includes(2)) throw new Error('no 2');
      return column(values);
    });
    expect(Array.from(outputs.Y?.data as Float32Array)).to.deep.equal([0, 1, 3, 4, 5]);
    expect(refused).to.deep.equal([{ row: 2, error: 'no 2' }]);
    expect(runs).to.deep.equal([
      [0, 1, 2, 3],
      [0, 1, 1, 1],
      [2, 3, 3, 3],
      [2, 2, 2, 2],
      [3, 3, 3, 3],
      [4, 5, 5, 5],
    ]);
  });

  it('stop where the runtime has crashed, or one row does not fit its memory', async () => {
    const crash = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    expect(await messageOf(run({ data: numbers(8) }, crash))).to.equal('unreachable');
    expect(runs).to.have.length(1);
    const tooLarge = () => {
      throw new Error('std::bad_alloc');
    };
    expect(await messageOf(run({ data: numbers(8) }, tooLarge))).to.equal('std::bad_alloc');
    expect(runs.map(({ length }) => length)).to.deep.equal([8, 8, 4, 2, 1]);
  });

  it('answer the first columns of an output, or refuse a wide one', async () => {
    const wide = (values: readonly number[]) => ({
      data: Float32Array.from(values.flatMap((value) => [value, -1, -2])),
      dims: [values.length, 3],
    });
    const { outputs } = await run({ data: numbers(5), block: 2 }, wide, { columns: 2 });
    expect(outputs.Y).to.deep.equal({
      type: 'float32',
      width: 2,
      rank: 2,
      data: Float32Array.from(numbers(5).flatMap((value) => [value, -1])),
    });
    expect(await messageOf(run({ data: numbers(2) }, wide, { columns: 2, isWhole: true }))).to.equal(
      'the output Y has 3 values for each row; it may have 2',
    );
    expect(await messageOf(run({ data: numbers(2) }, () => ({ data: Float32Array.of(1), dims: [] })))).to.equal(
      'the output Y has no value for each row',
    );
  });

  it('are not answered where the number of values in a row changes', async () => {
    const answer = (values: readonly number[]) => ({
      data: Float32Array.from(values.flatMap((value) => (values.includes(0) ? [value, value] : [value]))),
      dims: [values.length, values.includes(0) ? 2 : 1],
    });
    expect(await messageOf(run({ data: numbers(4), block: 2 }, answer, { columns: 2 }))).to.equal(
      'the output Y has 2 values for some rows and 1 for others',
    );
    const { outputs } = await run({ data: numbers(4), block: 2 }, answer);
    expect(Array.from(outputs.Y?.data as Float32Array)).to.deep.equal(numbers(4));
  });

  it('answer a bounded number of bytes', async () => {
    const label = 'x'.repeat(1_000_000);
    const texts = (values: readonly number[]) =>
      ({ type: 'string', data: values.map(() => label), dims: [values.length] }) as never as Given;
    expect(await messageOf(run({ data: numbers(200), block: 1 }, texts))).to.equal(
      '200 rows have outputs of more than 134217728 bytes',
    );
    expect(runs.length).to.be.at.most(136);
  });
});
