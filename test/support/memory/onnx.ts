import { onnxInspector } from '../../../src/adapters/onnx/inspector.ts';
import { planModel } from '../../../src/adapters/onnx/model/model.ts';
import type { ModelTensor } from '../../../src/ports/onnx/modelInspector.ts';
import type { OnnxRuntime } from '../../../src/ports/onnx/onnxRuntime.ts';

const describe = ({ name, dims }: ModelTensor) => ({ name, type: dims && 'float32', shape: dims });

/** Judges a model by what its file says, without running it: a process takes longer than most tests. */
export function inspectedModels(): OnnxRuntime {
  const inspector = onnxInspector();
  return {
    async check(bytes, names) {
      const { inputs, outputs } = await inspector.inspect(bytes);
      const signature = { inputs: inputs.map(describe), outputs: outputs.map(describe) };
      planModel(signature, names);
      return signature;
    },
    open: () => Promise.reject(new Error('not asked for')),
    prepare: () => Promise.reject(new Error('not asked for')),
  };
}
