import type { ModelInspector } from '../ports/modelInspector.ts';

/** The protobuf library is loaded with the first model. */
export const lazyInspector: ModelInspector = {
  inspect: async (bytes) => (await import('../adapters/onnx/inspector.ts')).onnxInspector().inspect(bytes),
};
