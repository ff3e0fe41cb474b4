import { Fault } from '../../../contract/codes/faults.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import type { SearchModels, UploadedModelPlace } from '../../../ports/onnx/onnxRuntime.ts';
import { excerpt } from '../../arguments.ts';
import { type AddedColumns, type CommandParts, SearchError, type SearchInfo, type Step } from '../../command.ts';
import type { CsvTable } from '../../csvTable.ts';
import { RunReport } from '../runReport.ts';
import { type Failure, failureError } from '../task.ts';
import type { ChunkPredictions } from './chunkPredictions.ts';
import { GatewayRows } from './gatewayRows.ts';
import { OnnxRows } from './onnxRows.ts';

export interface PredictOptions {
  model: string;
  probabilities: boolean;
  /** Prefix of all added fields; empty without. */
  prefix: string;
  on_error: 'keep' | 'fail';
  timeoutS: number;
}

/** Applies the model here, or through the gateway. */
interface Predictor {
  predict(table: CsvTable, signal: AbortSignal): Promise<ChunkPredictions>;
  close?(): void;
}

interface ModelRuntime {
  models: SearchModels;
  /** Ends a runtime that no model was opened in. */
  discard(): void;
}

/** The reply of `POST /ai_gateway/predict/begin`. */
interface BeginReply extends UploadedModelPlace {
  use_id?: string;
  type: string;
  features: string[];
  targets: string[];
}

export const ERROR = 'prediction_error';
export const ERROR_MESSAGE = 'prediction_error_message';

/** Applies a model to the rows of a search. Asks the gateway once before the first row, and reports once at the end. */
export class PredictRun implements Step {
  readonly #options: PredictOptions;
  readonly #info: SearchInfo;
  readonly #parts: CommandParts;
  readonly #report = new RunReport({ command: 'mlpredict' });
  #runtime: Promise<ModelRuntime> | undefined;
  #predictor: Predictor | undefined;
  /** Fields that every chunk has, even one without a good row. */
  #fields: readonly string[] = [];
  #useId: string | undefined;
  #count = 0;
  #failed = 0;
  #durationMs = 0;
  /** When the chunk under way was given to the model. */
  #begunAt: number | undefined;
  #errorCode: string | undefined;

  constructor(options: PredictOptions, info: SearchInfo, parts: CommandParts) {
    this.#options = options;
    this.#info = info;
    this.#parts = parts;
  }

  /** Starts the runtime, which takes longer to load than the first rows to read. */
  prepare(): void {
    this.#runtime ??= this.#start();
    // `next` reports a failure, if there are rows.
    this.#runtime.catch(() => {});
  }

  async #start(): Promise<ModelRuntime> {
    const models = await this.#parts.models(this.#info);
    return { models, discard: await models.runtime.prepare() };
  }

  async next(table: CsvTable, { isLast, signal }: { isLast: boolean; signal: AbortSignal }): Promise<AddedColumns> {
    try {
      const columns = table.count === 0 ? new Map<string, string[]>() : await this.#predict(table, signal);
      if (!isLast) return { columns };
      this.#report.assertAnswered();
      return { columns, messages: this.#report.messages() };
    } catch (error) {
      this.#errorCode ??= error instanceof Fault ? error.code : 'search_failed';
      throw error;
    }
  }

  async end(): Promise<void> {
    const runtime = await this.#runtime?.catch(() => undefined);
    runtime?.discard();
    this.#stopClock();
    this.#predictor?.close?.();
    if (this.#useId === undefined) return;
    const end = {
      use_id: this.#useId,
      rows: this.#count,
      failed: this.#failed,
      duration_ms: Math.round(this.#durationMs),
    };
    try {
      await runtime?.models.use.end({ ...end, ...(this.#errorCode ? { error_code: this.#errorCode } : {}) });
    } catch (error) {
      // The predictions are made; only their record is missing.
      if (!(error instanceof Fault)) throw error;
    }
  }

  #stopClock(): void {
    if (this.#begunAt !== undefined) this.#durationMs += performance.now() - this.#begunAt;
    this.#begunAt = undefined;
  }

  async #predict(table: CsvTable, signal: AbortSignal): Promise<Map<string, string[]>> {
    this.#predictor ??= await this.#open();
    // Counted before: a search that is cancelled meanwhile has used the model, too.
    this.#count += table.count;
    this.#begunAt = performance.now();
    const { columns, failures } = await this.#predictor.predict(table, signal).finally(() => this.#stopClock());
    this.#failed += failures.size;
    this.#note(failures, table.count);
    const empty = () => new Array<string>(table.count).fill('');
    const added = new Map(this.#fields.map((field) => [field, columns.get(field) ?? empty()]));
    const { prefix } = this.#options;
    for (const [field, texts] of columns) {
      // An endpoint names fields as it likes. Those that begin with _ are the platform's, `_chunked_idx` among them.
      const isReplaced = prefix === '' && field.startsWith('_') && table.fields.includes(field);
      if (!isReplaced) added.set(field, texts);
    }
    const [codes, messages] = [empty(), empty()];
    for (const [row, { error_code, message }] of failures) {
      codes[row] = error_code;
      messages[row] = message;
    }
    added.set(ERROR, codes).set(ERROR_MESSAGE, messages);
    return prefix === '' ? added : new Map([...added].map(([field, texts]) => [`${prefix}_${field}`, texts]));
  }

  /** @throws SearchError for a failed row with `on_error=fail` */
  #note(failures: ReadonlyMap<number, Failure>, count: number): void {
    for (const failure of failures.values()) {
      if (this.#options.on_error === 'fail') {
        this.#errorCode = failure.error_code;
        throw failureError(failure);
      }
      this.#report.failed(failure, true);
    }
    if (failures.size < count) this.#report.answered();
  }

  async #open(): Promise<Predictor> {
    const { model, probabilities, timeoutS, on_error } = this.#options;
    this.prepare();
    const { models, discard } = await (this.#runtime as Promise<ModelRuntime>);
    const { status, body } = await models.use.begin(model);
    if (status !== 200) {
      const { message = `The platform answered ${status}`, error_code = status } = body;
      const name = error_code === 'not_found' ? `model=${excerpt(model)}: ` : '';
      throw new SearchError(`${name}${message} (${error_code})`);
    }
    const reply = body as unknown as BeginReply;
    // Set before anything can fail: `end` reports it.
    this.#useId = reply.use_id;
    if (reply.type !== 'onnx') {
      discard();
      const { features = [], targets = [] } = reply;
      this.#fields = targets;
      const options = { model, features, probabilities, timeoutS, failsFast: on_error === 'fail' };
      return new GatewayRows(await this.#parts.gateway(this.#info), this.#parts.clock, options);
    }
    const bytes = await models.read(reply);
    using deadline = startDeadline(LOAD_MS);
    const onnx = await models.runtime.open(bytes, reply, deadline);
    this.#fields = onnx.targets.map((target) => `predicted(${target})`);
    return new OnnxRows(onnx, { probabilities, timeoutS });
  }
}

/** Longest time to load a model; `timeout` is for a run. */
const LOAD_MS = 20_000;
