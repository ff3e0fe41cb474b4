import { Fault, invalid } from '../contract/codes/faults.ts';
import { stringifyExact } from '../contract/exactJson.ts';
import { startDeadline, unlessAborted } from '../domain/async/deadline.ts';
import { checkBody } from '../masking/checkedBody.ts';
import { ModelGone, type OnnxModel, type OnnxRuntime, type PredictedColumn } from '../ports/onnx/onnxRuntime.ts';
import type { Deadline } from '../ports/platform/clock.ts';
import { shortFloat } from './rows/floats.ts';
import type {
  PredictionRows,
  Predictions,
  PredictionValue,
  Predictor,
  UploadedModelFile,
  UploadedModelPredictors,
} from './rows/prediction.ts';
import { charactersOf, MAX_REPLY_CHARACTERS } from './rows/replySize.ts';

/** Kept while nobody uses them. Each is a process with the model in its memory. */
const MAX_LOADED = 2;
const IDLE_MS = 60_000;
/** Longest time to read and load a file. 30 MB take 3 s on a busy machine. */
const LOAD_MS = 20_000;

interface LoadedModel {
  key: string;
  model: Promise<OnnxModel>;
  /** Once it is loaded. */
  opened?: OnnxModel;
  hasFailed: boolean;
  /** Calls that wait for it, or run. */
  users: number;
  idle?: NodeJS.Timeout;
  /** Stops loading it. */
  stop: AbortController;
}

export function onnxPredictors(runtime: OnnxRuntime): UploadedModelPredictors {
  const loaded = new LoadedModels(runtime);
  return {
    of: (file): Predictor => ({
      type: 'onnx',
      model: file.model,
      connection: 'onnx',
      predict(content, upstream) {
        const { rows } = content;
        return upstream.request(() => {
          checkBody(content, () => stringifyExact(rows));
          return loaded.use(file, upstream, (model) => predictAll(model, rows, upstream));
        });
      },
    }),
  };
}

/** Keeps the models of the last calls: loading takes longer than most calls. */
class LoadedModels {
  readonly #runtime: OnnxRuntime;
  /** The one used last at the end. */
  readonly #models: LoadedModel[] = [];

  constructor(runtime: OnnxRuntime) {
    this.#runtime = runtime;
  }

  async use<T>(file: UploadedModelFile, deadline: Deadline, work: (model: OnnxModel) => Promise<T>): Promise<T> {
    for (;;) {
      const entry = this.#take(file);
      try {
        return await work(await loadedIn(entry, deadline));
      } catch (error) {
        // Another call has stopped the model before this one began.
        if (!(error instanceof ModelGone) || deadline.signal.aborted) throw error;
      } finally {
        this.#leave(entry);
      }
    }
  }

  #take(file: UploadedModelFile): LoadedModel {
    const { version, features, targets } = file;
    const key = JSON.stringify([version, features, targets]);
    const present = this.#models.find((entry) => entry.key === key);
    const entry = present ?? this.#load(key, file);
    clearTimeout(entry.idle);
    entry.users += 1;
    this.#forget(entry);
    this.#models.push(entry);
    this.#evict();
    return entry;
  }

  #load(key: string, file: UploadedModelFile): LoadedModel {
    const stop = new AbortController();
    const open = async () => {
      using limit = startDeadline(LOAD_MS);
      const deadline = { signal: AbortSignal.any([limit.signal, stop.signal]), remaining: limit.remaining };
      return await this.#runtime.open(await file.read(), file, deadline);
    };
    const entry: LoadedModel = { key, model: open(), hasFailed: false, users: 0, stop };
    entry.model.then(
      (model) => {
        entry.opened = model;
      },
      () => {
        entry.hasFailed = true;
      },
    );
    return entry;
  }

  #leave(entry: LoadedModel): void {
    entry.users -= 1;
    const { opened, hasFailed, users } = entry;
    if (hasFailed || opened?.isClosed) this.#forget(entry);
    else if (users === 0 && !opened) this.#drop(entry);
    else if (users === 0) {
      entry.idle = setTimeout(() => this.#drop(entry), IDLE_MS).unref();
      this.#evict();
      void this.#makeRoom(entry);
    }
  }

  /** Others may wait for the memory of a model that nobody uses. */
  async #makeRoom(entry: LoadedModel): Promise<void> {
    const hasRoom = await this.#runtime.hasRoom?.().catch(() => true);
    if (hasRoom === false && entry.users === 0) this.#drop(entry);
  }

  #evict(): void {
    const unused = this.#models.filter(({ users }) => users === 0);
    for (const entry of unused.slice(0, Math.max(0, this.#models.length - MAX_LOADED))) this.#drop(entry);
  }

  #forget(entry: LoadedModel): void {
    const index = this.#models.indexOf(entry);
    if (index >= 0) this.#models.splice(index, 1);
  }

  #drop(entry: LoadedModel): void {
    clearTimeout(entry.idle);
    this.#forget(entry);
    entry.stop.abort();
    entry.model.then(
      (model) => model.close(),
      () => {},
    );
  }
}

/** @throws Fault `timeout`, and those of `OnnxRuntime.open` */
async function loadedIn({ model }: LoadedModel, { signal }: Deadline): Promise<OnnxModel> {
  try {
    return await unlessAborted(model, signal);
  } catch (error) {
    if (error instanceof Fault || !signal.aborted) throw error;
    throw new Fault('timeout', 'The model did not answer in time');
  }
}

const NOT_RUNNABLE = 'model_not_runnable';

type Rows = PredictionRows['rows'];

/** In runs of bounded size. @throws Fault `model_not_runnable` if the model refuses all rows, and those of its calls */
async function predictAll(model: OnnxModel, rows: Rows, deadline: Deadline): Promise<Predictions> {
  const result: Predictions['result'] = new Array(rows.length).fill(null);
  const errors: Predictions['errors'] = [];
  let characters = 0;
  for (let from = 0; from < rows.length; from += model.mostRows) {
    const some = rows.slice(from, from + model.mostRows);
    const columns = model.features.map((feature) =>
      some.map((row) => (Object.hasOwn(row, feature) ? row[feature] : undefined)),
    );
    const predicted = await model.predict(columns, { rows: some.length, probabilities: true, deadline });
    characters += charactersIn(predicted.columns);
    if (characters > MAX_REPLY_CHARACTERS) throw tooLarge(rows.length, predicted.columns.length);
    for (const { row, ...error } of predicted.failed) errors.push({ row: from + row, ...error });
    const indices = predicted.rows ?? some.keys();
    let next = 0;
    for (const row of indices) {
      const place = next++;
      result[from + row] = Object.fromEntries(
        predicted.columns.map((column) => [column.field, predictionOf(column, place)]),
      );
    }
  }
  const [first] = errors;
  const isRefused = errors.length === rows.length && errors.every(({ error_code }) => error_code === NOT_RUNNABLE);
  if (first && isRefused) throw new Fault(NOT_RUNNABLE, first.message);
  return { result, errors };
}

function charactersIn(columns: readonly PredictedColumn[]): number {
  let characters = 0;
  for (const { field, values } of columns) {
    for (let row = 0; row < values.length; row += 1) characters += charactersOf(field, values[row]);
  }
  return characters;
}

const tooLarge = (rows: number, fields: number): Fault => {
  const message = `are ${rows}, and the model answers ${fields} fields for each: more than ${MAX_REPLY_CHARACTERS} characters; send fewer rows`;
  return invalid([{ field: 'rows', message }]);
};

function predictionOf({ type, values }: PredictedColumn, index: number): PredictionValue {
  const value = values[index] as number | bigint | string;
  if (type === 'bool') return value !== 0;
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : String(value);
  if (!Number.isFinite(value)) return null;
  return type === 'float32' ? shortFloat(value) : value;
}

const isSafe = (value: bigint): boolean => value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
