import { expect } from 'chai';
import { PlanProblem, planInputs } from '../../../src/adapters/onnx/model/inputs.ts';
import { columnsOf, fetchedOf, planOutputs } from '../../../src/adapters/onnx/model/outputs.ts';
import { readValues } from '../../../src/adapters/onnx/model/values.ts';
import type { OnnxValue } from '../../../src/ports/onnx/onnxRuntime.ts';

const value = (
  name: string,
  shape: (number | null)[] | undefined,
  type: string | undefined = 'float32',
): OnnxValue => ({
  name,
  type,
  shape,
});
const sequence = (name: string): OnnxValue => ({ name, type: undefined, shape: undefined });
const planOf = (inputs: OnnxValue[], features: string[]) => {
  const { inputs: planned, block } = planInputs(inputs, features);
  return { inputs: planned.map(({ name, columns, rowShape, hasRows }) => [name, columns, rowShape, hasRows]), block };
};
function problemOf(plan: () => unknown): string {
  try {
    plan();
  } catch (error) {
    expect(error).to.be.instanceOf(PlanProblem);
    return `${(error as PlanProblem).field}: ${(error as PlanProblem).message}`;
  }
  return expect.fail('no problem');
}

describe('features as inputs', () => {
  it('one input takes all features, as far as its shape allows', () => {
    for (const [shape, block] of [
      [[null, 3], undefined],
      [[null, null], undefined],
      [[1, 3], 1],
      [[8, 3], 8],
    ] as [(number | null)[], number | undefined][]) {
      expect(planOf([value('X', shape)], ['a', 'b', 'c'])).to.deep.equal({
        inputs: [['X', [0, 1, 2], [3], true]],
        block,
      });
    }
    expect(planOf([value('X', [null, 2, 3])], [...'abcdef']).inputs).to.deep.equal([
      ['X', [0, 1, 2, 3, 4, 5], [2, 3], true],
    ]);
    expect(planOf([value('X', [null, null, 3])], [...'abcdef']).inputs[0]?.[2]).to.deep.equal([2, 3]);
    expect(planOf([value('X', [null])], ['a'])).to.deep.equal({ inputs: [['X', [0], [], true]], block: undefined });
    expect(planOf([value('X', [4])], ['a'])).to.deep.equal({ inputs: [['X', [0], [], true]], block: 4 });
    expect(planOf([value('X', [3])], ['a', 'b', 'c'])).to.deep.equal({
      inputs: [['X', [0, 1, 2], [3], false]],
      block: 1,
    });
    expect(planOf([value('X', [])], ['a'])).to.deep.equal({ inputs: [['X', [0], [], false]], block: 1 });
  });

  it('an input has the feature of its name, the others the rest in order', () => {
    const inputs = [value('b', [null, 1]), value('a', [null, 1]), value('n', [null, 2]), value('s', [null], 'string')];
    expect(planOf(inputs, ['a', 'x', 'y', 'b', 's']).inputs.map(([name, columns]) => [name, columns])).to.deep.equal([
      ['b', [3]],
      ['a', [0]],
      ['n', [1, 2]],
      ['s', [4]],
    ]);
    expect(planOf([value('a', [null, 2]), value('b', [null, 1])], ['a', 'b', 'c']).inputs).to.deep.equal([
      ['a', [0, 2], [2], true],
      ['b', [1], [1], true],
    ]);
  });

  it('without features the inputs are the features', () => {
    expect(planInputs([value('a', [null, 1]), value('b', [null])], []).features).to.deep.equal(['a', 'b']);
  });

  it('says what does not fit', () => {
    expect(problemOf(() => planInputs([value('X', [null, 3])], ['a']))).to.equal(
      'features: are 1, of which 1 would be the input X of the shape [?, 3], which they cannot fill',
    );
    expect(problemOf(() => planInputs([value('a', [null, 1]), value('b', [null, 1])], ['a', 'b', 'c']))).to.equal(
      'features: are 3, but the inputs of the model (a, b) take 2 values in a row',
    );
    expect(problemOf(() => planInputs([value('X', [null, 1], 'float16')], ['a']))).to.equal(
      'model_file: its input X has the type float16; rows can fill tensors of float32, float64, int32, int64, bool, string',
    );
    expect(problemOf(() => planInputs([sequence('X')], ['a']))).to.match(/^model_file: its input X is not/);
    expect(problemOf(() => planInputs([value('a', [2, 1]), value('b', [3, 1])], ['a', 'b']))).to.equal(
      'model_file: its inputs take different numbers of rows: 2, 3',
    );
    expect(problemOf(() => planInputs([value('X', [3_000_000, 3])], ['a', 'b', 'c']))).to.equal(
      'model_file: it takes 3000000 rows at a time, which is too many; export it with a dynamic number of rows',
    );
  });
});

describe('values of features', () => {
  const read = (type: string, ...values: unknown[]) => {
    const plan = planInputs([value('X', [null, 1], type)], ['f']);
    const { data, rows, failed } = readValues(plan, [values], values.length);
    return {
      data: Array.from(data.X as ArrayLike<unknown>),
      rows: rows && [...rows],
      failed: failed.map(({ row, error_code, message }) => [row, error_code, message]),
    };
  };
  const failures = (type: string, ...values: unknown[]) => read(type, ...values).failed.map(([, code]) => code);

  it('are converted to the type of the input', () => {
    expect(read('float32', 1.5, '2.5', ' -3e1 ', true, 0, '0', '.5').data).to.deep.equal([1.5, 2.5, -30, 1, 0, 0, 0.5]);
    expect(read('float64', 0.1, '1e300').data).to.deep.equal([0.1, 1e300]);
    expect(read('int32', 7, '-7', '7.0').data).to.deep.equal([7, -7, 7]);
    expect(read('int64', 7, '9007199254740993', '-9223372036854775808', '+5').data).to.deep.equal([
      7n,
      9007199254740993n,
      -9223372036854775808n,
      5n,
    ]);
    expect(read('int64', 9007199254740993n, -9223372036854775808n).data).to.deep.equal([
      9007199254740993n,
      -9223372036854775808n,
    ]);
    expect(read('float64', 9007199254740993n).data).to.deep.equal([9007199254740992]);
    expect(read('string', 9007199254740993n, '007').data).to.deep.equal(['9007199254740993', '007']);
    expect(failures('int64', 2n ** 63n)).to.deep.equal(['unreadable_value']);
    expect(failures('int32', 2n ** 53n + 1n)).to.deep.equal(['unreadable_value']);
    expect(read('bool', true, false, 'true', 'FALSE', 1, '0').data).to.deep.equal([1, 0, 1, 0, 1, 0]);
    expect(read('string', 'a', ' ', 5, true).data).to.deep.equal(['a', ' ', '5', 'true']);
  });

  it('that cannot be read fail their row alone, with the name of the feature', () => {
    expect(read('float32', 1, undefined, 'x', null, '', 2)).to.deep.equal({
      data: [1, 2],
      rows: [0, 5],
      failed: [
        [1, 'missing_field', 'The field f is missing or empty'],
        [2, 'unreadable_value', 'The field f is "x", which cannot be read as a number'],
        [3, 'missing_field', 'The field f is missing or empty'],
        [4, 'missing_field', 'The field f is missing or empty'],
      ],
    });
    const bad = ['0x10', ' 0x10', '0b1', ' ', 'NaN', 'Infinity', Number.NaN, 1e39, [1], {}, '1,5', '1 2'];
    expect(failures('float32', ...bad)).to.deep.equal(bad.map(() => 'unreadable_value'));
    expect(failures('int32', 1.5, '2147483648', 'x')).to.have.length(3);
    expect(failures('int64', 1.5, '9223372036854775808', '1e30', 1e30)).to.have.length(4);
    expect(failures('bool', 2, 'maybe', [], '')).to.deep.equal([
      'unreadable_value',
      'unreadable_value',
      'unreadable_value',
      'missing_field',
    ]);
    expect(failures('string', ['a'], {}, null, 'a\0b', '\0')).to.deep.equal([
      'unreadable_value',
      'unreadable_value',
      'missing_field',
      'unreadable_value',
      'unreadable_value',
    ]);
  });

  it('of several inputs stay in their rows, whatever rows are left out', () => {
    const plan = planInputs([value('X', [null, 2]), value('t', [null, 1], 'string')], ['a', 'b', 't']);
    const { data, rows, failed } = readValues(
      plan,
      [
        [1, 2, 3, 4],
        [5, 'x', 7, 8],
        ['p', 'q', 'r', undefined],
      ],
      4,
    );
    expect([[...(data.X ?? [])], data.t, [...(rows ?? [])]]).to.deep.equal([
      [1, 5, 3, 7],
      ['p', 'r'],
      [0, 2],
    ]);
    expect(failed.map(({ row, message }) => [row, message.split(' ')[2]])).to.deep.equal([
      [1, 'b'],
      [3, 't'],
    ]);
  });
});

describe('outputs as predictions', () => {
  const label = value('label', [null], 'int64');
  const shares = value('probabilities', [null, 2]);

  it('the columns of the tensors are the targets in order, without the probabilities', () => {
    const plan = planOutputs([label, shares, value('score', [null, 2])], ['y', 's1'], { label: ['no', 'yes'] });
    expect(plan).to.deep.equal({
      targets: ['y', 's1'],
      predicted: ['label', 'score'],
      probability: { name: 'probabilities', classes: ['no', 'yes'], width: 2 },
    });
    const columns = columnsOf(plan, {
      label: { type: 'int64', width: 1, rank: 1, data: BigInt64Array.from([0n, 1n]) },
      score: { type: 'float32', width: 2, rank: 2, data: Float32Array.from([1, 2, 3, 4]) },
      probabilities: { type: 'float32', width: 2, rank: 2, data: Float32Array.from([0.25, 0.75, 0.5, 0.5]) },
    });
    expect(columns.map(({ field, type, values }) => [field, type, Array.from(values)])).to.deep.equal([
      ['predicted(y)', 'integer', [0n, 1n]],
      ['predicted(s1)', 'float32', [1, 3]],
      ['probability(no)', 'float32', [0.25, 0.5]],
      ['probability(yes)', 'float32', [0.75, 0.5]],
    ]);
  });

  it('only the outputs that are needed are computed', () => {
    expect(planOutputs([label, value('score', [null, 2])], ['y'], {}).predicted).to.deep.equal(['label']);
    expect(planOutputs([value('both', [null, 2]), label], ['a', 'b'], {}).predicted).to.deep.equal(['both']);
  });

  it('no column is made beyond the targets', () => {
    let made = 0;
    class Counted extends Float32Array<ArrayBuffer> {
      constructor(length: number) {
        super(new ArrayBuffer(length * 4));
        made += 1;
      }
    }
    const plan = planOutputs([value('wide', [null, null])], ['y'], {});
    const columns = columnsOf(plan, { wide: { type: 'float32', width: 100_000, rank: 2, data: new Counted(200_000) } });
    expect(columns.map(({ field }) => field)).to.deep.equal(['predicted(y)']);
    expect(made).to.equal(2);
    expect(fetchedOf(plan)).to.deep.equal([{ name: 'wide', columns: 1, isWhole: false }]);
  });

  it('without targets each output is one', () => {
    expect(planOutputs([label, shares], [], {}).targets).to.deep.equal(['label']);
  });

  it('probabilities stand beside a label, and have numbers where the classes are unknown', () => {
    expect(planOutputs([shares], ['p'], {})).to.deep.include({ predicted: ['probabilities'], probability: undefined });
    const plan = planOutputs([label, shares], ['y'], { label: ['a', 'b', 'c'] });
    const data = Float32Array.from([0.25, 0.75]);
    expect(
      columnsOf(plan, { probabilities: { type: 'float32', width: 2, rank: 2, data } }).map(({ field }) => field),
    ).to.deep.equal(['probability(0)', 'probability(1)']);
  });

  it('what is no tensor is ignored, and a model without any refused', () => {
    const zipmap = sequence('output_probability');
    expect(planOutputs([label, zipmap], ['y'], {}).probability).to.equal(undefined);
    expect(problemOf(() => planOutputs([zipmap], ['y'], {}))).to.equal(
      'model_file: it has no output that is a tensor; export it so that it answers tensors',
    );
  });
});
