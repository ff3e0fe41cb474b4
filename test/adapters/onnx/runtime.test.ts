import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import '../../support/splunkHome.ts';
import { modelProcesses } from '../../../src/app/dependencies/models/onnx.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { faultOf } from '../../support/fault.ts';
import { fixture } from '../../support/models/onnx.ts';
import { type Graph, type Node, onnxFile, type Value } from '../../support/models/onnxModel.ts';
import { LONG_MS, Predicting } from './predicting.ts';

/** Process ids of the children of this process. */
const children = (): string[] =>
  readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );

describe('uploaded models in their process', function () {
  this.timeout(LONG_MS * 2);
  const predicting = new Predicting();
  const predict = predicting.predict.bind(predicting);

  it('predict rows in order; a bad row fails alone', async () => {
    // Y = X * [0, 1, 2] + 0
    const rows = [
      { a: 1, b: 2, c: 3 },
      { a: 1, b: '2.5' },
      { a: '1', b: 'x', c: 1 },
      { a: 0, b: 0.1, c: 0 },
    ];
    expect(await predict(fixture('linear'), rows)).to.deep.equal({
      result: [{ 'predicted(y)': 8 }, null, null, { 'predicted(y)': 0.1 }],
      errors: [
        { row: 1, error_code: 'missing_field', message: 'The field c is missing or empty' },
        { row: 2, error_code: 'unreadable_value', message: 'The field b is "x", which cannot be read as a number' },
      ],
    });
    expect(await predict(fixture('linear'), [{}])).to.deep.include({ result: [null] });
  });

  it('take and give all types; integers beyond 2^53 are text and what is no number is null', async () => {
    const types = ['float', 'double', 'int32', 'int64', 'bool', 'string'] as const;
    const named = (prefix: string) => types.map((type): Value => ({ name: prefix + type, type, dims: ['rows', 1] }));
    const nodes = types.map((type) => ({ operator: 'Identity', inputs: [`in_${type}`], outputs: [`out_${type}`] }));
    const bytes = onnxFile({ inputs: named('in_'), outputs: named('out_'), nodes });
    const features = types.map((type) => `in_${type}`).reverse();
    const row = {
      in_float: '0.1',
      in_double: 0.1,
      in_int32: '-3',
      in_int64: '9007199254740993',
      in_bool: 'true',
      in_string: 'ä"',
    };
    const { result } = await predict(bytes, [row, { ...row, in_int64: 5 }], { features, targets: [...types] });
    const expected = {
      'predicted(float)': 0.1,
      'predicted(double)': 0.1,
      'predicted(int32)': -3,
      'predicted(int64)': '9007199254740993',
      'predicted(bool)': true,
      'predicted(string)': 'ä"',
    };
    expect(result).to.deep.equal([expected, { ...expected, 'predicted(int64)': 5 }]);

    const log: Graph = {
      inputs: [{ name: 'X', type: 'float', dims: ['rows', 1] }],
      outputs: [{ name: 'Y', type: 'float', dims: ['rows', 1] }],
      nodes: [{ operator: 'Log', inputs: ['X'], outputs: ['Y'] }],
    };
    expect((await predict(onnxFile(log), [{ x: 0 }, { x: -1 }, { x: 1 }], { features: ['x'] })).result).to.deep.equal([
      { 'predicted(y)': null },
      { 'predicted(y)': null },
      { 'predicted(y)': 0 },
    ]);
  });

  it('with a fixed number of rows are filled up and cut', async () => {
    const sum: Graph = {
      inputs: [{ name: 'X', type: 'float', dims: [4, 2] }],
      outputs: [{ name: 'Y', type: 'float', dims: [4, 1] }],
      nodes: [{ operator: 'ReduceSum', inputs: ['X', 'axes'], outputs: ['Y'] }],
      constants: [{ name: 'axes', type: 'int64', dims: [1], values: [1] }],
    };
    for (const count of [1, 4, 5, 9]) {
      const rows = Array.from({ length: count }, (_, index) => ({ a: index, b: 1 }));
      const { result } = await predict(onnxFile(sum), rows, { features: ['a', 'b'], version: 'sum' });
      expect(result).to.deep.equal(rows.map(({ a }) => ({ 'predicted(y)': a + 1 })));
    }
    const texts: Value = { name: 'X', type: 'string', dims: [2, 1] };
    const same = {
      inputs: [texts],
      outputs: [{ ...texts, name: 'Y' }],
      nodes: [{ operator: 'Identity', inputs: ['X'], outputs: ['Y'] }],
    };
    const { result } = await predict(onnxFile(same), [{ a: 'p' }, { a: 'q' }, { a: 'r' }], { features: ['a'] });
    expect(result.map((row) => row?.['predicted(y)'])).to.deep.equal(['p', 'q', 'r']);
  });

  it('have the names of classes from the classifier, else from the constant behind the label', async () => {
    const outputs: Value[] = [
      { name: 'label', type: 'string', dims: ['rows'] },
      { name: 'probabilities', type: 'float', dims: ['rows', 2] },
    ];
    const inputs: Value[] = [{ name: 'X', type: 'float', dims: ['rows', 1] }];
    const classifier: Graph = {
      inputs,
      outputs,
      nodes: [
        {
          operator: 'LinearClassifier',
          domain: 'ai.onnx.ml',
          inputs: ['X'],
          outputs: ['label', 'probabilities'],
          attributes: {
            coefficients: [-1.5, 1.5],
            intercepts: [0.5, -0.5],
            classlabels_strings: ['no', 'yes'],
            multi_class: 0,
          },
        },
      ],
    };
    const { result } = await predict(onnxFile(classifier), [{ x: 2 }], { features: ['x'] });
    expect(result).to.deep.equal([{ 'predicted(y)': 'yes', 'probability(no)': -2.5, 'probability(yes)': 2.5 }]);
    const picking: Graph = {
      inputs,
      outputs,
      nodes: [
        { operator: 'Concat', inputs: ['X', 'X'], outputs: ['probabilities'], attributes: { axis: 1 } },
        { operator: 'ArgMax', inputs: ['probabilities'], outputs: ['best'], attributes: { axis: 1, keepdims: 0 } },
        { operator: 'Gather', inputs: ['classes', 'best'], outputs: ['label'] },
      ],
      constants: [{ name: 'classes', type: 'string', dims: [2], values: ['left', 'right'] }],
    };
    expect((await predict(onnxFile(picking), [{ x: 2 }], { features: ['x'] })).result).to.deep.equal([
      { 'predicted(y)': 'left', 'probability(left)': 2, 'probability(right)': 2 },
    ]);
  });

  it('without a declared shape are what a run answers', async () => {
    // As onnxmltools writes classifiers: a normaliser, whose shape nothing infers.
    const classifier = Buffer.from(
      'CAg6sgIKsgEKAXgSBWxhYmVsEgNyYXciEExpbmVhckNsYXNzaWZpZXIqGQoQY2xhc3NsYWJlbHNfaW50c0AAQAGgAQcqGwoMY29lZmZpY2llbnRzPQAA' +
        'gD89AACAv6ABBioZCgppbnRlcmNlcHRzPQAAAAA9AAAAAKABBioSCgttdWx0aV9jbGFzcxgAoAECKhwKDnBvc3RfdHJhbnNmb3JtIgdTT0ZUTUFYoAEDOgph' +
        'aS5vbm54Lm1sCjsKA3JhdxINcHJvYmFiaWxpdGllcyIKTm9ybWFsaXplcioNCgRub3JtIgJMMaABAzoKYWkub25ueC5tbBIBZ1oRCgF4EgwKCggBEgYKAAoC' +
        'CAFiEQoFbGFiZWwSCAoGCAcSAgoAYhUKDXByb2JhYmlsaXRpZXMSBAoCCAFCBAoAEBFCDgoKYWkub25ueC5tbBAD',
      'base64',
    );
    const { result } = await predict(classifier, [{ x: 1 }, { x: -2 }], { features: ['x'], targets: ['label'] });
    const rounded = result.map((row) =>
      Object.fromEntries(Object.entries(row ?? {}).map(([field, share]) => [field, Number(Number(share).toFixed(7))])),
    );
    expect(rounded).to.deep.equal([
      { 'predicted(label)': 0, 'probability(0)': 0.8807971, 'probability(1)': 0.1192029 },
      { 'predicted(label)': 1, 'probability(0)': 0.0179862, 'probability(1)': 0.9820138 },
    ]);

    // The label is the text of the row's number; `shares` makes the output that is called like probabilities.
    const open = (shares: Node[], more: string[] = []): Graph => ({
      inputs: [{ name: 'X', type: 'float', dims: undefined }],
      outputs: ['label', 'probability', ...more].map((name) => ({
        name,
        type: name === 'label' ? 'int64' : 'float',
        dims: undefined,
      })),
      nodes: [
        { operator: 'Cast', inputs: ['X'], outputs: ['label'], attributes: { to: 7 } },
        ...shares,
        ...more.map((name) => ({ operator: 'Concat', inputs: ['X', 'X'], outputs: [name], attributes: { axis: 1 } })),
      ],
    });
    const flat: Node = { operator: 'Squeeze', inputs: ['X', 'axes'], outputs: ['probability'] };
    const axes = [{ name: 'axes', type: 'int64' as const, dims: [1], values: [1] }];
    const both: Node = { operator: 'Concat', inputs: ['X', 'X'], outputs: ['probability'], attributes: { axis: 1 } };
    const rows = [{ x: 2 }, { x: 3 }];
    const of = async (graph: Graph, targets: string[]) =>
      (await predict(onnxFile(graph), rows, { features: ['x'], targets })).result;
    expect(await of(open([both]), ['y'])).to.deep.equal(
      [2, 3].map((x) => ({ 'predicted(y)': x, 'probability(0)': x, 'probability(1)': x })),
    );
    // One value for each row is none of a class.
    expect(await of({ ...open([flat]), constants: axes }, ['y', 'p'])).to.deep.equal(
      [2, 3].map((x) => ({ 'predicted(y)': x, 'predicted(p)': x })),
    );
    expect(await of({ ...open([flat], ['probabilities']), constants: axes }, ['y', 'p'])).to.deep.equal(
      [2, 3].map((x) => ({ 'predicted(y)': x, 'predicted(p)': x, 'probability(0)': x, 'probability(1)': x })),
    );
    // A search that leaves the probabilities out has the same predictions.
    const file = onnxFile({ ...open([flat]), constants: axes });
    const model = await modelProcesses().open(file, { features: ['x'], targets: ['y', 'p'] }, startDeadline(LONG_MS));
    const options = { rows: 2, probabilities: false, deadline: startDeadline(LONG_MS) };
    const { columns } = await model.predict([[2, 3]], options);
    model.close();
    expect(columns.map(({ field, values }) => [field, Array.from(values, Number)])).to.deep.equal([
      ['predicted(y)', [2, 3]],
      ['predicted(p)', [2, 3]],
    ]);
    // A declared scalar takes one row at a time.
    const scalar = { ...open([both]), inputs: [{ name: 'X', type: 'float' as const, dims: [] }] };
    const axis0 = scalar.nodes.map((node) =>
      node === both ? { ...node, operator: 'Identity', inputs: ['X'], attributes: {} } : node,
    );
    expect(await of({ ...scalar, nodes: axis0 }, ['y', 'p'])).to.deep.equal(
      [2, 3].map((x) => ({ 'predicted(y)': x, 'predicted(p)': x })),
    );
  });

  it('are not given a text that the runtime would cut', async () => {
    const encoder = Buffer.from(
      'CAg6kwEKaAoBcxIBeSIMTGFiZWxFbmNvZGVyKhcKDWRlZmF1bHRfZmxvYXQVAAAAAKABASoUCgxrZXlzX3N0cmluZ3NKAWGgAQgqFwoNdmFsdWVzX2Zsb2F0' +
        'cz0AAIA/oAEGOgphaS5vbm54Lm1sEgFnWhEKAXMSDAoKCAgSBgoACgIIAWIRCgF5EgwKCggBEgYKAAoCCAFCBAoAEBFCDgoKYWkub25ueC5tbBAD',
      'base64',
    );
    const rows = ['a', 'a\0b', '\0', 'b'].map((s) => ({ s }));
    const { result, errors } = await predict(encoder, rows, { features: ['s'] });
    expect(result).to.deep.equal([{ 'predicted(y)': 1 }, null, null, { 'predicted(y)': 0 }]);
    expect(errors.map(({ row, error_code, message }) => [row, error_code, message])).to.deep.equal([
      [1, 'unreadable_value', 'The field s is "a b", which cannot be read as a text without NUL characters'],
      [2, 'unreadable_value', 'The field s is " ", which cannot be read as a text without NUL characters'],
    ]);
  });

  it('with more classes than fields make sense have no names of them, and are refused', async () => {
    const count = 10_001;
    const nodes = [
      {
        operator: 'LinearClassifier',
        domain: 'ai.onnx.ml',
        inputs: ['X'],
        outputs: ['label', 'probabilities'],
        attributes: {
          coefficients: Array.from({ length: count }, (_, index) => index / 2),
          intercepts: Array.from({ length: count }, () => 0.5),
          classlabels_ints: Array.from({ length: count }, (_, index) => index),
        },
      },
    ];
    const outputs: Value[] = [
      { name: 'label', type: 'int64', dims: ['rows'] },
      { name: 'probabilities', type: 'float', dims: ['rows', count] },
    ];
    const bytes = onnxFile({ inputs: [{ name: 'X', type: 'float', dims: ['rows', 1] }], outputs, nodes });
    const fault = await faultOf(predict(bytes, [{ a: 2 }], { features: ['a'] }));
    expect([fault.code, fault.message]).to.deep.equal([
      'model_not_runnable',
      'The model cannot run: the output probabilities has 10001 values for each row; it may have 10000',
    ]);
  });

  it('stay loaded between calls, the last two of them', async () => {
    const before = children();
    predicting.reads = 0;
    const row = { a: 1, b: 2, c: 3 };
    for (const version of ['v1', 'v1', 'v2', 'v1']) await predict(fixture('linear'), [row], { version });
    expect(predicting.reads).to.equal(2);
    const other = await predict(fixture('linear'), [row], { version: 'v1', targets: ['z'] });
    expect(other.result).to.deep.equal([{ 'predicted(z)': 8 }]);
    expect(children().length).to.be.at.most(before.length + 2);
  });
});
