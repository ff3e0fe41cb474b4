import type { INamespace } from 'protobufjs';

const field = (id: number, type: string) => ({ id, type });
const list = (id: number, type: string) => ({ id, type, rule: 'repeated' });

/** The structural part of onnx.proto. Weights (`raw_data`, `float_data` …) are omitted, so they are never read. */
export const ONNX: INamespace = {
  nested: {
    Model: {
      fields: {
        irVersion: field(1, 'int32'),
        graph: field(7, 'Graph'),
        opsets: list(8, 'Opset'),
        training: list(20, 'Training'),
        functions: list(25, 'Function'),
      },
    },
    Opset: { fields: { domain: field(1, 'string'), version: field(2, 'int32') } },
    Training: { fields: { initialization: field(1, 'Graph'), algorithm: field(2, 'Graph') } },
    Function: { fields: { nodes: list(7, 'Node'), attributes: list(11, 'Attribute') } },
    Graph: {
      fields: {
        nodes: list(1, 'Node'),
        initializers: list(5, 'Tensor'),
        inputs: list(11, 'Value'),
        outputs: list(12, 'Value'),
        sparseInitializers: list(15, 'SparseTensor'),
      },
    },
    Node: { fields: { attributes: list(5, 'Attribute') } },
    Attribute: {
      fields: {
        tensor: field(5, 'Tensor'),
        graph: field(6, 'Graph'),
        tensors: list(10, 'Tensor'),
        graphs: list(11, 'Graph'),
        sparseTensor: field(22, 'SparseTensor'),
        sparseTensors: list(23, 'SparseTensor'),
      },
    },
    Tensor: { fields: { name: field(8, 'string'), external: list(13, 'Entry'), location: field(14, 'int32') } },
    SparseTensor: { fields: { values: field(1, 'Tensor'), indices: field(2, 'Tensor') } },
    Entry: { fields: { key: field(1, 'string'), value: field(2, 'string') } },
    Value: { fields: { name: field(1, 'string'), type: field(2, 'ValueType') } },
    ValueType: { fields: { tensor: field(1, 'TensorType') } },
    TensorType: { fields: { shape: field(2, 'Shape') } },
    Shape: { fields: { dims: list(1, 'Dimension') } },
    Dimension: { fields: { size: field(1, 'int64') } },
  },
};
