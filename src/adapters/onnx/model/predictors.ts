import { shortFloat } from '../../../domain/predictions/floats.ts';
import type {
  Predictions,
  PredictionValue,
  Predictor,
  UploadedModelFile,
  UploadedModelPredictors,
} from '../../../domain/predictions/prediction.ts';
import type { OnnxModel, OnnxRuntime, PredictedColumn, PredictedColumns } from '../../../ports/llm/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';

/** Each is a process with the model in its memory. */
const MAX_LOADED = 2;
const IDLE_MS = 60_000;

interface Loaded {
  key: string;
  model: Promise<OnnxModel>;
  idle?: NodeJS.Timeout;
}

export function onnxPredictors(runtime: OnnxRuntime): UploadedModelPredictors {
  const loaded = new LoadedModels(runtime);
  return {
    of: (file): Predictor => ({
      type: 'onnx',
      model: file.model,
      connection: 'onnx',
      async predict(rows, deadline, ask) {
        const run = (model: OnnxModel) =>
          model.predict(
            model.features.map((feature) =>
              rows.map((row) => (Object.hasOwn(row, feature) ? row[feature] : undefined)),
            ),
            { rows: rows.length, probabilities: true, deadline },
          );
        const predicted = await ask(() => loaded.use(file, deadline, run));
        return predictionsOf(predicted, rows.length);
      },
    }),
  };
}

/** Keeps the models of the last calls: loading takes longer than most calls. */
class LoadedModels {
  readonly #runtime: OnnxRuntime;
  readonly #models: Loaded[] = [];

  constructor(runtime: OnnxRuntime) {
    this.#runtime = runtime;
  }

  async use<T>(file: UploadedModelFile, deadline: Deadline, work: (model: OnnxModel) => Promise<T>): Promise<T> {
    const entry = this.#take(file, deadline);
    let model: OnnxModel | undefined;
    try {
      model = await entry.model;
      return await work(model);
    } finally {
      if (!model || model.isClosed) this.#drop(entry);
      else {
        clearTimeout(entry.idle);
        entry.idle = setTimeout(() => this.#drop(entry), IDLE_MS).unref();
      }
    }
  }

  #take(file: UploadedModelFile, deadline: Deadline): Loaded {
    const { version, features, targets } = file;
    const key = JSON.stringify([version, features, targets]);
    const found = this.#models.find((one) => one.key === key);
    if (found) return found;
    const open = async () => this.#runtime.open(await file.read(), { features, targets }, deadline);
    const entry: Loaded = { key, model: open() };
    this.#models.push(entry);
    if (this.#models.length > MAX_LOADED) this.#drop(this.#models[0] as Loaded);
    return entry;
  }

  #drop(entry: Loaded): void {
    clearTimeout(entry.idle);
    const at = this.#models.indexOf(entry);
    if (at >= 0) this.#models.splice(at, 1);
    entry.model.then(
      (model) => model.close(),
      () => {},
    );
  }
}

function predictionsOf({ rows, columns, failed }: PredictedColumns, count: number): Predictions {
  const result: Predictions['result'] = new Array(count).fill(null);
  const indices = rows ?? Array.from({ length: count }, (_, row) => row);
  for (const [index, row] of indices.entries()) {
    result[row] = Object.fromEntries(columns.map((column) => [column.field, predictionOf(column, index)]));
  }
  return { result, errors: failed };
}

function predictionOf({ type, values }: PredictedColumn, index: number): PredictionValue {
  const value = values[index] as number | bigint | string;
  if (type === 'bool') return value !== 0;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : String(value);
  if (!Number.isFinite(value)) return null;
  return type === 'float32' ? shortFloat(value) : value;
}

const isSafe = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
