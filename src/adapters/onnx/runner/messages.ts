/** Between the host and the runner, which is a thread or a process. Typed arrays are copied or moved, never converted. */

/** Most classes of a classifier; a longer list is something else, and no user wants a field for each. */
export const MAX_CLASSES = 10_000;

export type TensorData = Float32Array | Float64Array | Int32Array | BigInt64Array | Uint8Array | readonly string[];

/** An input of all rows of a call. */
export interface InputMessage {
  type: string;
  /** Sizes of a row; behind the number of rows, unless the input has none. */
  rowShape: readonly number[];
  hasRows: boolean;
  data: TensorData;
}

/** An output of all rows of a call that the model has not refused. */
export interface OutputMessage {
  type: string;
  data: TensorData;
  /** Values in a row. */
  width: number;
  /** Number of dimensions, with that of the rows. */
  rank: number;
}

export interface ValueMessage {
  name: string;
  type: string | undefined;
  /** Undefined if it is no tensor, or a tensor of any shape. */
  shape: (number | null)[] | undefined;
}

export interface RunOrder {
  inputs: Readonly<Record<string, InputMessage>>;
  rows: number;
  /** Rows of a run, if the model fixes them: the last run is filled up. */
  block: number | undefined;
  fetch: readonly FetchedOutput[];
}

/** An output to compute. */
export interface FetchedOutput {
  name: string;
  /** Values of a row that are sent, from the first. */
  columns: number;
  /** Whether an output with more of them is refused; otherwise they are left out. */
  isWhole: boolean;
}

/** A row that the model refuses, alone too. */
export interface RefusedRow {
  /** Index in the rows of the order. */
  row: number;
  /** Words of the runtime. */
  error: string;
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
  /** @property outputs empty if all rows are refused @property refused ascending */
  | { outputs: Readonly<Record<string, OutputMessage>>; refused: readonly RefusedRow[] }
  /** @property error what the runtime said */
  | { error: string; isOutOfMemory: boolean };
