import { mock } from 'node:test';
import { expect } from 'chai';
import { startDeadline } from '../../src/domain/async/deadline.ts';
import { unmetered } from '../../src/domain/async/unmetered.ts';
import { unmasked } from '../../src/masking/outgoing.ts';
import type { OnnxModel, OnnxRuntime, PredictedColumn } from '../../src/ports/onnx/onnxRuntime.ts';
import { onnxPredictors } from '../../src/predictions/onnxPredictors.ts';
import { faultOf } from '../support/fault.ts';

/** A model that answers when the test says so. */
class FakeModel implements OnnxModel {
  readonly inputs = [];
  readonly outputs = [];
  readonly features = ['a'];
  readonly targets = ['y'];
  mostRows = 10;
  isClosed = false;
  /** Rows of each call. */
  readonly calls: number[] = [];
  /** Resolved by the test, if it holds calls. */
  held: PromiseWithResolvers<void> | undefined;
  columns = (rows: readonly unknown[]): PredictedColumn[] => [
    { field: 'predicted(y)', type: 'float64', values: rows.map(Number) },
  ];

  async predict(given: readonly (readonly unknown[])[], { rows }: { rows: number }) {
    this.calls.push(rows);
    await this.held?.promise;
    const [values = []] = given;
    // Refuses what is negative.
    const failed = values.flatMap((value, row) =>
      Number(value) < 0 ? [{ row, error_code: 'model_not_runnable' as const, message: `no ${value}` }] : [],
    );
    const good = values.map(Number).flatMap((value, row) => (value < 0 ? [] : row));
    return { rows: Int32Array.from(good), columns: this.columns(good.map((row) => values[row])), failed };
  }
  close(): void {
    this.isClosed = true;
  }
}

describe('predictors of uploaded models', () => {
  let models: FakeModel[];
  /** What new models wait for, if anything. */
  let held: PromiseWithResolvers<void> | undefined;
  beforeEach(() => {
    models = [];
    held = undefined;
  });
  const runtime = {
    open: async () => {
      const model = new FakeModel();
      model.held = held;
      models.push(model);
      return model;
    },
  } as never as OnnxRuntime;
  const LONG_MS = 200_000;

  function predictorsOf() {
    const predictors = onnxPredictors(runtime);
    return (version: string, rows: readonly Record<string, unknown>[] = [{ a: 1 }]) =>
      predictors
        .of({ model: 'm', features: ['a'], targets: ['y'], version, read: async () => new Uint8Array() })
        .predict(unmasked({ rows }), unmetered(startDeadline(LONG_MS)), () => {});
  }
  const called = async (count: number): Promise<void> => {
    while (models.flatMap(({ calls }) => calls).length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('keep a model that is in use, however long, and end it a minute after its last use', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const predict = predictorsOf();
      await predict('1');
      const [model] = models as [FakeModel];
      mock.timers.tick(59_000);
      model.held = Promise.withResolvers();
      const calls = [predict('1'), predict('1')];
      mock.timers.tick(61_000);
      await Promise.resolve();
      expect(model.isClosed).to.equal(false);
      model.held.resolve();
      await Promise.all(calls);
      mock.timers.tick(59_000);
      await Promise.resolve();
      expect(model.isClosed).to.equal(false);
      mock.timers.tick(2000);
      await Promise.resolve();
      expect(model.isClosed).to.equal(true);
    } finally {
      mock.timers.reset();
    }
  });

  it('keep two that nobody uses, and any number in use', async () => {
    const predict = predictorsOf();
    held = Promise.withResolvers();
    const calls = [];
    for (const version of ['1', '2', '3']) {
      calls.push(predict(version));
      await called(calls.length);
    }
    expect(models.map(({ isClosed }) => isClosed)).to.deep.equal([false, false, false]);
    held.resolve();
    await Promise.all(calls);
    await new Promise((resolve) => setImmediate(resolve));
    expect(models.filter(({ isClosed }) => !isClosed)).to.have.length(2);
    await predict('3');
    expect(models).to.have.length(3);
  });

  it('give a model its rows in runs', async () => {
    const predict = predictorsOf();
    const rows = Array.from({ length: 25 }, (_, a) => ({ a }));
    const { result } = await predict('1', rows);
    expect(result).to.deep.equal(rows.map(({ a }) => ({ 'predicted(y)': a })));
    expect(models[0]?.calls).to.deep.equal([10, 10, 5]);
  });

  it('fail where the model refuses all rows, not those of one run alone', async () => {
    const predict = predictorsOf();
    const values = [...Array.from({ length: 10 }, () => -1), 7];
    const rows = values.map((a) => ({ a }));
    const { result, errors } = await predict('1', rows);
    expect(result).to.deep.equal([...Array(10).fill(null), { 'predicted(y)': 7 }]);
    expect(errors.map(({ row, message }) => [row, message])).to.deep.equal(
      Array.from({ length: 10 }, (_, row) => [row, 'no -1']),
    );
    const fault = await faultOf(predict('1', rows.slice(0, 10)));
    expect([fault.code, fault.message]).to.deep.equal(['model_not_runnable', 'no -1']);
  });

  it('refuse more predictions than one answer holds', async () => {
    const predict = predictorsOf();
    await predict('1');
    const [model] = models as [FakeModel];
    model.mostRows = 1000;
    const field = `probability(${'x'.repeat(1000)})`;
    const wide = (): PredictedColumn[] =>
      Array.from({ length: 4 }, () => ({ field, type: 'float32', values: new Float32Array(1000) }));
    model.columns = wide;
    const rows = Array.from({ length: 10_000 }, (_, a) => ({ a }));
    const fault = await faultOf(predict('1', rows));
    expect([fault.code, fault.extra.errors]).to.deep.equal([
      'validation_failed',
      [
        {
          field: 'rows',
          message: 'are 10000, and the model answers 4 fields for each: more than 32000000 characters; send fewer rows',
        },
      ],
    ]);
    expect(model.calls.length).to.be.at.most(9);
    expect(model.isClosed).to.equal(false);
  });
});
