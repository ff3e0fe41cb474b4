import { Fault } from '../../../contract/codes/faults.ts';
import type { OnnxModel, PredictedColumn } from '../../../ports/onnx/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { shortFloat } from '../../../predictions/rows/floats.ts';
import type { CsvTable } from '../../csvTable.ts';
import type { Failure } from '../task.ts';
import { ChunkPredictions } from './chunkPredictions.ts';

/** Characters of the rows of a run, by their average: rows may have long texts. */
const RUN_CHARACTERS = 16_000_000;

const FIRST_SHARE = 8;

/** Applies a model to the rows of chunks, by column. */
export class OnnxRows {
  readonly #model: OnnxModel;
  readonly #options: { probabilities: boolean; timeoutS: number };
  /** After it, the model is not asked again. */
  #broken: Failure | undefined;

  constructor(model: OnnxModel, options: { probabilities: boolean; timeoutS: number }) {
    this.#model = model;
    this.#options = options;
  }

  async predict(table: CsvTable): Promise<ChunkPredictions> {
    const predictions = new ChunkPredictions(table.count);
    const size = Math.max(1, Math.min(this.#model.mostRows, Math.floor(RUN_CHARACTERS / table.meanLength)));
    let previous: Promise<void> = Promise.resolve();
    let last = previous;
    let from = 0;
    while (from < table.count) {
      // One run is computed, and one waits for it.
      await previous;
      // The first is small: nothing is computed while its values are read.
      const most = from === 0 ? Math.ceil(size / FIRST_SHARE) : size;
      const rows = { from, count: Math.min(most, table.count - from) };
      from += rows.count;
      previous = last;
      last = this.#run(rows, { table, predictions, last });
    }
    await Promise.all([previous, last]);
    return predictions;
  }

  close(): void {
    this.#model.close();
  }

  async #run(
    { from, count }: { from: number; count: number },
    { table, predictions, last }: { table: CsvTable; predictions: ChunkPredictions; last: Promise<void> },
  ): Promise<void> {
    const places = () => Array.from({ length: count }, (_, index) => from + index);
    if (this.#broken) return predictions.fail(places(), this.#broken);
    const { probabilities, timeoutS } = this.#options;
    using deadline = lateDeadline(last, timeoutS * 1000);
    try {
      const inputs = this.#model.features.map((feature) => table.column(feature, from, count) ?? []);
      const { rows, columns, failed } = await this.#model.predict(inputs, { rows: count, probabilities, deadline });
      predictions.assertFits(columns.length);
      for (const { row, ...failure } of failed) predictions.fail([from + row], failure);
      for (const column of columns) writeTexts(column, rows, predictions.column(column.field), from);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const message = error.code === 'timeout' ? `No answer within timeout=${timeoutS} s` : error.message;
      const failure = { error_code: error.code, message };
      if (this.#model.isClosed) this.#broken ??= failure;
      predictions.fail(places(), this.#broken ?? failure);
    }
  }
}

/** A deadline that begins when the work before it has ended. */
function lateDeadline(before: Promise<unknown>, ms: number): Deadline & Disposable {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let ends = Number.POSITIVE_INFINITY;
  let isOver = false;
  const begin = (): void => {
    if (isOver) return;
    ends = performance.now() + ms;
    timer = setTimeout(() => controller.abort(new DOMException('The deadline has passed.', 'TimeoutError')), ms);
  };
  before.then(begin, begin);
  return {
    signal: controller.signal,
    remaining: () => Math.max(0, ends - performance.now()),
    [Symbol.dispose]() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

function writeTexts(
  { type, values }: PredictedColumn,
  rows: Int32Array | undefined,
  into: string[],
  from: number,
): void {
  const { length } = values;
  for (let index = 0; index < length; index += 1) {
    const row = from + (rows ? (rows[index] as number) : index);
    const value = values[index] as number | bigint | string;
    into[row] = typeof value === 'number' ? numberText(value, type) : String(value);
  }
}

/** A value that is not a number is empty, as in a row without the field. */
function numberText(value: number, type: PredictedColumn['type']): string {
  if (type === 'bool') return value === 0 ? 'false' : 'true';
  if (!Number.isFinite(value)) return '';
  return String(type === 'float32' ? shortFloat(value) : value);
}
