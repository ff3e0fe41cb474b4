import type { OutboundError } from '../../contract/codes/outbound.ts';
import type { Outgoing } from '../../masking/checkedBody.ts';
import type { Upstream } from '../../ports/platform/upstream.ts';

export type PredictionType = 'onnx' | 'cloud' | 'container';

/** A value of a prediction. Integers beyond 2^53 are text; not-a-number and infinite values are null. */
export type PredictionValue = string | number | boolean | null;

/** Prediction for one row, by field. */
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

/** Called with the reason why a model refuses rows, which is the reason if the deadline passes while they are halved. */
export type OnRefused = (error: OutboundError) => void;

/** The rows of one prediction. */
export interface PredictionRows {
  rows: readonly Readonly<Record<string, unknown>>[];
}

/** A model that is ready to be applied: its rights are checked, its secrets read. */
export interface Predictor {
  readonly type: PredictionType;
  /** Name of the model in records of use. */
  readonly model: string;
  /** Endpoint, container or `onnx`, as records of use name it. */
  readonly connection: string;
  /**
   * Applies the model to rows, in order. Each request is repeated once where that is safe; rows that are not asked when none may
   * begin any more have the error `not_reached`.
   * @throws OutboundError, Fault if no row could be asked, or the model answers nothing usable
   */
  predict(content: Outgoing<PredictionRows>, upstream: Upstream, onRefused: OnRefused): Promise<Predictions>;
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
