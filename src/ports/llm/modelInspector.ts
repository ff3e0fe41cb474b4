/** An input or output of a model's graph. */
export interface ModelTensor {
  name: string;
  /** One entry per dimension: its size, or null where it is open. Undefined for anything that is not a tensor or has no shape. */
  dims: (number | null)[] | undefined;
}

export interface ModelFacts {
  ir_version: number;
  /** Version of the standard operators; undefined when the model uses only others. */
  opset_version: number | undefined;
  /** What the caller of the model provides: constants of the graph are left out. */
  inputs: ModelTensor[];
  outputs: ModelTensor[];
}

export interface ModelInspector {
  /**
   * Reads the structure of an ONNX model, not its weights.
   * @throws Fault `validation_failed` that says what is wrong
   */
  inspect(bytes: Uint8Array): Promise<ModelFacts>;
}
