/** An input or output of a model's graph. */
export interface ModelTensor {
  name: string;
  /** Size of each dimension, null = dynamic. Undefined without a tensor shape. */
  dims: (number | null)[] | undefined;
}

export interface ModelFacts {
  ir_version: number;
  /** Version of the standard operator set, if used. */
  opset_version: number | undefined;
  /** Without constants of the graph. */
  inputs: ModelTensor[];
  outputs: ModelTensor[];
}

export interface ModelInspector {
  /**
   * Reads the structure of an ONNX model, not its weights.
   * @throws Fault `validation_failed`
   */
  inspect(bytes: Uint8Array): Promise<ModelFacts>;
}
