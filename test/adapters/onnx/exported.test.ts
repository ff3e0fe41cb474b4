import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { onnxInspector } from '../../../src/adapters/onnx/inspector.ts';
import '../../support/splunkHome.ts';
import { modelProcesses } from '../../../src/app/dependencies/models/onnx.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { patience } from '../../support/time.ts';
import { Predicting } from './predicting.ts';

interface Facts {
  features: string[];
  targets: string[];
  rows: Record<string, number>[];
  /** By output: the values of each row, as Python's onnxruntime computes them. */
  outputs: Record<string, number[][]>;
  /** Rows of a run. */
  fixed: number | null;
}

const FOLDER = join(import.meta.dirname, '../../fixtures/onnx/exported');
const MEASURES = (rows: number | null) => [{ name: 'measures', type: 'float32', shape: [rows, 4] }];
const COLUMNS = [
  { name: 'load', type: 'float32', shape: [null, 1] },
  { name: 'age', type: 'float32', shape: [null, 1] },
  { name: 'kind', type: 'int64', shape: [null, 1] },
];
const output = (name: string, columns: number, rows: number | null = null) => ({
  ...{ name, type: 'float32', shape: [rows, columns] },
});
const LABELS = [{ name: 'label', type: 'int64', shape: [null] }, output('probabilities', 3)];

/** Inputs and outputs of each model, as an upload answers them. */
const MODELS: Record<string, { opset: number; inputs: Json[]; outputs: Json[] }> = {
  keras_classifier: { opset: 15, inputs: MEASURES(null), outputs: [output('Identity:0', 3)] },
  keras_inputs: { opset: 15, inputs: COLUMNS, outputs: [output('Identity:0', 1)] },
  tensorflow_labels: { opset: 18, inputs: MEASURES(null), outputs: LABELS },
  tensorflow_fixed: { opset: 15, inputs: MEASURES(3), outputs: [output('Identity:0', 2, 3)] },
  pytorch_classifier: { opset: 11, inputs: MEASURES(null), outputs: [output('shares', 3)] },
  pytorch_inputs: { opset: 17, inputs: COLUMNS, outputs: [output('cost', 1)] },
  pytorch_labels: { opset: 16, inputs: MEASURES(null), outputs: LABELS },
  pytorch_fixed: { opset: 13, inputs: MEASURES(3), outputs: [output('outcome', 2, 3)] },
};

const bytesOf = (name: string) => readFileSync(join(FOLDER, `${name}.onnx`));
const factsOf = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Facts;

describe('models of Keras, TensorFlow and PyTorch, as Python runs them', function () {
  this.timeout(patience(60_000));
  const predicting = new Predicting();

  it('are each file of the folder', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.onnx'));
    expect(names).to.have.members(Object.keys(MODELS).map((name) => `${name}.onnx`));
  });

  for (const [name, { opset, inputs, outputs }] of Object.entries(MODELS)) {
    it(`${name} predicts the same`, async () => {
      const facts = factsOf(name);
      const { features, targets } = facts;
      // A fixed number of rows is filled up and cut: two of them once more.
      const rows = facts.fixed === null ? facts.rows : [...facts.rows, ...facts.rows.slice(0, 2)];
      const { result, errors } = await predicting.predict(bytesOf(name), rows, { features, targets });
      expect(errors).to.deep.equal([]);
      expectSame(result as Json[], facts, rows.length);
    });

    it(`${name} is accepted and predicts the same after the upload`, async () => {
      const facts = factsOf(name);
      const { features, targets, rows } = facts;
      const app = new MemoryApp();
      app.onnx = modelProcesses();
      app.user('owner', { capabilities: ['upload_ml_models', 'use_ai_gateway'] });
      const model_file = bytesOf(name).toString('base64');
      const body = { model_name: name, features, targets, model_file };
      const uploaded = await app.call('owner', 'POST', '/upload_model', body);
      expect(uploaded.status, JSON.stringify(uploaded.json)).to.equal(200);
      expect(uploaded.json.config).to.deep.include({ features, targets, inputs, outputs, opset_version: opset });
      const { status, json } = await app.call('owner', 'POST', '/ai_gateway/predict', { model: name, rows });
      expect(status, JSON.stringify(json)).to.equal(200);
      expectSame(json.result, facts, rows.length);
    });

    it(`${name} cut off is refused`, async () => {
      const bytes = bytesOf(name);
      const outcome = await onnxInspector()
        .inspect(bytes.subarray(0, bytes.length - 1))
        .catch((error) => error);
      expect(outcome).to.have.property('code', 'validation_failed');
    });
  }
});

/** Labels exactly, other numbers to five digits; an output beside a label that is called probabilities has classes 0 to C-1. */
function expectSame(result: Json[], { targets, outputs, rows }: Facts, count: number): void {
  expect(result).to.have.length(count);
  const { probabilities, ...rest } = outputs;
  for (const [index, row] of result.entries()) {
    const place = index % rows.length;
    const predicted = Object.values(rest).flatMap((values) => values[place] ?? []);
    const expected = [
      ...targets.map((target, column) => [`predicted(${target})`, predicted[column]] as const),
      ...(probabilities?.[place] ?? []).map((share, column) => [`probability(${column})`, share] as const),
    ];
    expect(Object.keys(row)).to.deep.equal(expected.map(([field]) => field));
    for (const [field, value] of expected) {
      if (Number.isInteger(value)) expect(row[field], field).to.equal(value);
      else expect(row[field], `${field} of row ${index}`).to.be.closeTo(value as number, 1e-5);
    }
  }
}
