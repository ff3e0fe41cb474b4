import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { onnxPredictors } from '../../../src/adapters/onnx/model/predictors.ts';
import { modelProcesses } from '../../../src/app/dependencies/models/onnx.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import type { PredictionValue } from '../../../src/domain/predictions/prediction.ts';
import { needsInstalled } from '../../support/part.ts';
import { preparePython, pythonOf } from '../../support/python.ts';
import { patience } from '../../support/time.ts';

const run = promisify(execFile);

interface Facts {
  features: string[];
  targets: string[];
  rows: Record<string, unknown>[];
  /** By output: the values of each row. */
  outputs: Record<string, PredictionValue[][]>;
  /** Rows of a run. */
  fixed: number | null;
}

const KINDS = [
  ...['gradient_boosting', 'gradient_boosting_regressor', 'isolation_forest', 'k_means', 'linear_regression'],
  ...['linear_regression_double', 'logistic_regression', 'logistic_regression_texts', 'logistic_regression_zipmap'],
  ...['neighbours', 'network', 'pipeline', 'random_forest', 'random_forest_fixed', 'random_forest_one_row', 'types'],
];
const CLASSES: Record<string, string[]> = {
  logistic_regression: ['0', '1', '2'],
  gradient_boosting: ['0', '1', '2'],
  pipeline: ['bad', 'ok', 'warn'],
  ...Object.fromEntries(
    ['logistic_regression_texts', 'random_forest', 'neighbours', 'network'].map((name) => [
      name,
      ['high', 'low', 'mid'],
    ]),
  ),
};

describe('models of scikit-learn, as Python runs them', function () {
  this.timeout(patience(120_000));
  const folder = mkdtempSync(join(tmpdir(), 'onnx-models-'));
  const predictors = onnxPredictors(modelProcesses());
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(async function () {
    await needsInstalled(this, 'scikit-learn and its converter', () => preparePython('onnx'));
    await run(pythonOf('onnx'), [join(import.meta.dirname, 'make_models.py'), folder]);
    expect(readdirSync(folder).filter((name) => name.endsWith('.onnx'))).to.have.members(
      KINDS.map((name) => `${name}.onnx`),
    );
  });

  for (const name of KINDS) {
    it(`${name} predicts the same`, async () => {
      const facts = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Facts;
      const { features, targets, outputs } = facts;
      const read = async () => readFileSync(join(folder, `${name}.onnx`));
      // Searches send numbers as text.
      const rows = facts.rows.map((row, index) =>
        index % 2 === 0 ? row : Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
      );
      // A fixed number of rows is filled up and cut: half of them once more.
      const all = facts.fixed === null ? rows : [...rows, ...rows.slice(0, Math.ceil(rows.length / 2))];
      const file = { model: name, features, targets, version: name, read };
      const { result, errors } = await predictors
        .of(file)
        .predict(all, startDeadline(patience(60_000)), (ask) => ask());
      expect(errors).to.deep.equal([]);
      expect(result).to.have.length(all.length);
      const names = Object.keys(outputs);
      const probability = names.find((output) => /prob/.test(output));
      const columns = names.filter((output) => output !== probability);
      for (const [index, row] of result.entries()) {
        const at = index % rows.length;
        const predicted = columns.flatMap((output) => outputs[output]?.[at] ?? []).slice(0, targets.length);
        const shares = probability ? (outputs[probability]?.[at] ?? []) : [];
        const classes = CLASSES[name] ?? shares.map((_, place) => String(place));
        const expected = [
          ...targets.map((target, place) => [`predicted(${target})`, predicted[place]] as const),
          ...shares.map((share, place) => [`probability(${classes[place]})`, share] as const),
        ];
        expect(Object.keys(row ?? {})).to.deep.equal(expected.map(([field]) => field));
        for (const [field, value] of expected) expectSame(row?.[field], value, `${field} of row ${index}`);
      }
    });
  }
});

/** Labels exactly, numbers to five digits. */
function expectSame(found: PredictionValue | undefined, expected: PredictionValue | undefined, what: string): void {
  if (typeof expected !== 'number' || Number.isInteger(expected)) expect(found, what).to.equal(expected);
  else
    expect(Math.abs(Number(found) - expected), `${what}: ${found}, ${expected}`).to.be.at.most(
      1e-5 * Math.max(1, Math.abs(expected)),
    );
}
