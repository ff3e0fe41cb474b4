import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Deadline } from '../../ports/platform/clock.ts';

export type PredictionType = 'onnx' | 'cloud' | 'container';

/** A value of a prediction. Integers beyond 2^53 are text; not-a-number and infinite values are null. */
export type PredictionValue = string | number | boolean | null;

/** What a model predicts of one row, by field. */
export type PredictedRow = Readonly<Record<string, PredictionValue>>;

/** Why one row has no prediction. The other rows of its call have theirs. */
export interface RowError {
  /** Index in the rows of the call. */
  row: number;
  /** `missing_field` and `unreadable_value` name the feature in their message; `not_reached` was not asked. */
  error_code: string;
  message: string;
}

export interface Predictions {
  /** By row of the call; null for a row with an error. */
  result: (PredictedRow | null)[];
  errors: RowError[];
}

/**
 * Sends one request to what runs the model, and repeats it once where that is safe. Whatever takes the model's time goes
 * through it: it counts requests and measures their time.
 */
export interface Ask {
  <T>(request: () => Promise<T>): Promise<T>;
  /** Told why a model refuses rows, which is the reason if the deadline passes while they are halved. */
  refused?(error: OutboundError): void;
  /** False once no further request may begin: rows that are not asked by then have the error `not_reached`. */
  mayBegin?(): boolean;
}

/** A model that is ready to be applied: its rights are checked, its secrets read. */
export interface Predictor {
  readonly type: PredictionType;
  /** Name of the model in records of use. */
  readonly model: string;
  /** Endpoint, container or `onnx`, as records of use name it. */
  readonly connection: string;
  /**
   * Applies the model to rows, in order.
   * @throws OutboundError, Fault if no row could be asked, or the model answers nothing usable
   */
  predict(rows: readonly Readonly<Record<string, unknown>>[], deadline: Deadline, ask: Ask): Promise<Predictions>;
}

/** The file of an uploaded model, which the caller may read. */
export interface UploadedModelFile {
  model: string;
  /** Empty if unknown. */
  features: readonly string[];
  targets: readonly string[];
  /** Changes with the content: a model stays loaded between calls. */
  version: string;
  /** @throws Fault `not_found` if the file is not on this member; `store_unavailable` if it was replaced meanwhile */
  read(): Promise<Uint8Array>;
}

/** Predictors of uploaded models, which run in processes of their own. Nothing is read or started before the first `predict`. */
export interface UploadedModelPredictors {
  of(file: UploadedModelFile): Predictor;
}
