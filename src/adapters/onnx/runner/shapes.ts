import type { ValueMessage } from './messages.ts';
import { fieldsOf } from './wire.ts';

/** Fields of the messages of onnx.proto. */
const MODEL = { graph: 7 };
const GRAPH = { input: 11, output: 12 };
const VALUE = { name: 1, type: 2 };
const TYPE = { tensor: 1 };
const TENSOR = { shape: 2 };

/** The runtime describes a tensor without a declared shape as it does a scalar: of these the file says which is which. */
export function withOpenShapes(file: Uint8Array, values: readonly ValueMessage[]): ValueMessage[] {
  if (!values.some(({ shape }) => shape?.length === 0)) return [...values];
  const declared = namesWithShape(file);
  return values.map((value) =>
    value.shape?.length === 0 && !declared.has(value.name) ? { ...value, shape: undefined } : value,
  );
}

function namesWithShape(file: Uint8Array): Set<string> {
  const names = new Set<string>();
  for (const graph of within([file], MODEL.graph)) {
    for (const { id, bytes } of fieldsOf(graph)) {
      if (id !== GRAPH.input && id !== GRAPH.output) continue;
      const tensors = within(within([bytes], VALUE.type), TYPE.tensor);
      if ([...within(tensors, TENSOR.shape)].length === 0) continue;
      for (const name of within([bytes], VALUE.name)) names.add(Buffer.from(name).toString('utf8'));
    }
  }
  return names;
}

/** The contents of a field in messages. */
function* within(messages: Iterable<Uint8Array>, field: number): Generator<Uint8Array> {
  for (const message of messages) for (const { id, bytes } of fieldsOf(message)) if (id === field) yield bytes;
}
