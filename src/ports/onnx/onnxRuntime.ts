import { Fault } from '../../contract/codes/faults.ts';
import type { Deadline } from '../platform/clock.ts';
import type { PredictionsApi } from '../platform/ownApi.ts';

/** An input or output of a model as the runtime sees it. */
export interface OnnxValue {
  name: string;
  /** Type of its elements, such as `float32`; undefined if it is no tensor. */
  type: string | undefined;
  /** Size of each dimension, null = dynamic. Undefined if it is no tensor, or a tensor of any shape. */
  shape: (number | null)[] | undefined;
}

export interface OnnxSignature {
  inputs: OnnxValue[];
  outputs: OnnxValue[];
}

/** Names of the fields that a model takes and predicts. */
export interface FieldNames {
  /** Empty = the names of the inputs. */
  features: readonly string[];
  /** Empty = the names of the outputs. */
  targets: readonly string[];
}

/** Values of a feature by row: a value of JSON or of a search. Undefined and null = the row lacks it. */
export type FeatureColumn = readonly unknown[];

/** A row that cannot be given to the model, or that it refuses alone (`model_not_runnable`). */
export interface FailedRow {
  /** Index in the columns of the call. */
  row: number;
  error_code: 'missing_field' | 'unreadable_value' | 'model_not_runnable';
  message: string;
}

/** Values of a field by row that the model has answered. */
export interface PredictedColumn {
  /** `predicted(<target>)` or `probability(<class>)`. */
  field: string;
  type: 'float32' | 'float64' | 'integer' | 'bool' | 'string';
  values: ArrayLike<number | bigint | string>;
}

export interface PredictedColumns {
  /** Indices of the rows that the columns are about, ascending; undefined = all rows. */
  rows: Int32Array | undefined;
  columns: PredictedColumn[];
  failed: FailedRow[];
}

/** The model was ended by another call before this one began: a model that is opened anew can answer it. */
export class ModelGone extends Fault {
  constructor() {
    super('model_not_runnable', 'The model was stopped together with an earlier call');
  }
}

/** A model in a runtime of its own, which takes one call at a time and queues the others. */
export interface OnnxModel extends OnnxSignature {
  /** Names of the columns that `predict` takes, in order. */
  readonly features: readonly string[];
  /** The fields `predicted(<target>)` are made of, as far as the model has columns for them. */
  readonly targets: readonly string[];
  /** Most rows of a call: what they and their predictions need is bounded. */
  readonly mostRows: number;
  /**
   * Rows that the model refuses together are halved, down to single rows.
   * @param columns a column for each feature
   * @param probabilities whether to add `probability(<class>)` where the model has them
   * @throws Fault `model_not_runnable`, `timeout`, by which the model is closed; ModelGone
   */
  predict(
    columns: readonly FeatureColumn[],
    options: { rows: number; probabilities: boolean; deadline: Deadline },
  ): Promise<PredictedColumns>;
  close(): void;
  /** Whether it was closed, or has ended by a failure. */
  readonly isClosed: boolean;
}

export interface OnnxRuntime {
  /**
   * Starts what the next `open` needs, while its file is looked for.
   * @returns stops it if there is no `open`
   */
  prepare(): Promise<() => void>;
  /**
   * Loads a model. A hostile one is stopped at the limits of time and memory.
   * @throws Fault `validation_failed` for features that do not fit the inputs, and inputs and outputs of which none are tensors;
   * `model_not_runnable`, `timeout`; `too_many_requests` if the machine has no memory for another one
   */
  open(bytes: Uint8Array, names: FieldNames, deadline: Deadline): Promise<OnnxModel>;
  /** Whether the machine has memory for another model: else none stays loaded that nobody uses. */
  hasRoom?(): Promise<boolean>;
  /**
   * Loads a model and tries it with rows of zeros, which may show that it does not end, needs too much memory, or has no value
   * for each row.
   * @throws Fault as `open`
   */
  check(bytes: Uint8Array, names: FieldNames, deadline: Deadline): Promise<OnnxSignature>;
}

/** Which uploaded model. */
export interface UploadedModelPlace {
  model: string;
  owner: string;
  app: string;
  sharing: 'user' | 'app' | 'global';
  /** Absent if unknown. */
  size_bytes?: number;
}

/** Models for a search that applies them by itself. */
export interface SearchModels {
  use: PredictionsApi;
  /**
   * Reads the file with the rights of the search's owner.
   * @throws Fault `not_found`; `model_not_runnable` if it is too large; `version_conflict` if it has another size by now
   */
  read(place: UploadedModelPlace): Promise<Uint8Array>;
  runtime: Pick<OnnxRuntime, 'prepare' | 'open'>;
}
