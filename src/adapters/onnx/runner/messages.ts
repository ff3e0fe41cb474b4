/** Between the host and the runner, which is a thread or a process. Typed arrays are copied or moved, never converted. */

export type TensorData = Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array | readonly string[];

/** An input of all rows of a call. */
export interface InputMessage {
  type: string;
  /** Sizes of a row; behind the number of rows, unless the input has none. */
  rowShape: readonly number[];
  hasRows: boolean;
  data: TensorData;
}

/** An output of all rows of a call. */
export interface OutputMessage {
  type: string;
  data: TensorData;
  /** Values in a row. */
  width: number;
}

export interface ValueMessage {
  name: string;
  type: string | undefined;
  shape: (number | null)[] | undefined;
}

export interface RunOrder {
  inputs: Readonly<Record<string, InputMessage>>;
  rows: number;
  /** Rows of a run, if the model fixes them: the last run is filled up. */
  block: number | undefined;
  /** Names of the outputs to compute. */
  fetch: readonly string[];
}

/** `load` loads the runtime before there is a model. */
export type RunnerOrder = { load: true } | { open: Uint8Array } | { run: RunOrder };

export interface OpenedModel {
  inputs: ValueMessage[];
  outputs: ValueMessage[];
  /** By name of a label: the classes of the classifier behind it. */
  classes: Readonly<Record<string, readonly string[]>>;
}

export type RunnerReply =
  | { loaded: true }
  | { opened: OpenedModel }
  | { outputs: Readonly<Record<string, OutputMessage>> }
  /** @property error what the runtime said @property isOfShape whether an output has no value for each row */
  | { error: string; isOfShape: boolean };
