import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { onnxPredictors } from '../../../src/predictions/onnxPredictors.ts';
import '../../support/splunkHome.ts';
import { modelProcesses } from '../../../src/app/dependencies/models/onnx.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { PredictionValue } from '../../../src/predictions/rows/prediction.ts';
import { CsvTable } from '../../../src/search/csvTable.ts';
import { mlPredict } from '../../../src/search/gateway/predict/mlPredict.ts';
import { writeRows } from '../../../src/search/rows.ts';
import { FakeModels } from '../../search/gateway/fakeModels.ts';
import { ManualClock } from '../../support/memory/clock.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { preparePython, pythonOf } from '../../support/programs/python.ts';
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

const unused = async () => expect.fail('not asked for');
const UNUSED = { agents: unused, health: unused, usage: unused, gateway: unused, runs: unused, catalogue: unused };

const KINDS = [
  ...['gradient_boosting', 'gradient_boosting_regressor', 'isolation_forest', 'k_means', 'linear_regression'],
  ...['linear_regression_double', 'logistic_regression', 'logistic_regression_texts', 'logistic_regression_zipmap'],
  ...['lightgbm', 'lightgbm_binary', 'lightgbm_regressor', 'xgboost', 'xgboost_binary', 'xgboost_regressor'],
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

describe('models of scikit-learn, LightGBM and XGBoost, as Python runs them', function () {
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

  const read = (name: string) => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Facts;

  for (const name of KINDS) {
    it(`${name} predicts the same`, async () => {
      const facts = read(name);
      const { features, targets } = facts;
      // Searches send numbers as text.
      const rows = facts.rows.map((row, index) =>
        index % 2 === 0 ? row : Object.fromEntries(Object.entries(row).map(([key, value]) => [key, String(value)])),
      );
      // A fixed number of rows is filled up and cut: half of them once more.
      const all = facts.fixed === null ? rows : [...rows, ...rows.slice(0, Math.ceil(rows.length / 2))];
      const file = {
        ...{ model: name, features, targets, version: name },
        read: async () => readFileSync(join(folder, `${name}.onnx`)),
      };
      const { result, errors } = await predictors
        .of(file)
        .predict(unmasked({ rows: all }), unmetered(startDeadline(patience(60_000))), () => {});
      expect(errors).to.deep.equal([]);
      expect(result).to.have.length(all.length);
      for (const [index, row] of result.entries()) {
        const expected = expectedOf(name, facts, index % rows.length);
        expect(Object.keys(row ?? {})).to.deep.equal(expected.map(([field]) => field));
        for (const [field, value] of expected) expectSame(row?.[field], value, `${field} of row ${index}`);
      }
    });

    it(`${name} predicts the same in a search`, async () => {
      const facts = read(name);
      const { features, targets, rows } = facts;
      const models = new FakeModels();
      models.reply = { ...models.reply, features, targets };
      models.bytes = readFileSync(join(folder, `${name}.onnx`));
      const clock = new ManualClock();
      const parts = { ...UNUSED, models: async () => models, clock };
      const info = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };
      const options = { model: name, probabilities: true, timeout: patience(60) };
      const step = mlPredict.prepare(options, new Map()).start(info, parts);
      const cells = rows.map((row) => Object.fromEntries(features.map((field) => [field, String(row[field])])));
      const table = new CsvTable(writeRows(features, cells));
      const { columns, messages } = await step.next(table, { isLast: true, signal: new AbortController().signal });
      await step.end();
      expect(messages).to.deep.equal([]);
      for (const index of rows.keys()) {
        const expected = expectedOf(name, facts, index);
        const errors = ['prediction_error', 'prediction_error_message'];
        expect([...columns.keys()].toSorted()).to.deep.equal(
          [...expected.map(([field]) => field), ...errors].toSorted(),
        );
        for (const [field, value] of expected) {
          const text = columns.get(field)?.[index] ?? '';
          const found = typeof value === 'number' ? Number(text) : text;
          expectSame(found, typeof value === 'boolean' ? String(value) : value, `${field} of row ${index}`);
        }
      }
    });
  }
});

/** Fields of a row and their values, as Python's runtime predicts them. */
function expectedOf(name: string, { targets, outputs }: Facts, row: number): (readonly [string, PredictionValue])[] {
  const names = Object.keys(outputs);
  const probability = names.find((output) => /prob/.test(output));
  const predicted = names
    .filter((output) => output !== probability)
    .flatMap((output) => outputs[output]?.[row] ?? [])
    .slice(0, targets.length);
  const shares = probability ? (outputs[probability]?.[row] ?? []) : [];
  const classes = CLASSES[name] ?? shares.map((_, place) => String(place));
  return [
    ...targets.map((target, place) => [`predicted(${target})`, predicted[place] as PredictionValue] as const),
    ...shares.map((share, place) => [`probability(${classes[place]})`, share] as const),
  ];
}

/** Labels exactly, numbers to five digits. */
function expectSame(found: PredictionValue | undefined, expected: PredictionValue | undefined, what: string): void {
  if (typeof expected !== 'number' || Number.isInteger(expected)) expect(found, what).to.equal(expected);
  else
    expect(Math.abs(Number(found) - expected), `${what}: ${found}, ${expected}`).to.be.at.most(
      1e-5 * Math.max(1, Math.abs(expected)),
    );
}
