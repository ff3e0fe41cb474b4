import type { Root, Type } from 'protobufjs';
import { type Fault, invalid } from '../../contract/codes/faults.ts';
import type { ModelFacts, ModelInspector, ModelTensor } from '../../ports/onnx/modelInspector.ts';
import { ONNX } from './schema.ts';
import { WalkProblem, walk } from './walk.ts';

const MAX_VALUES = 10_000;
const MAX_RANK = 64;
/** The description of an input or output has a few hundred bytes. */
const MAX_VALUE_BYTES = 65_536;
/** In total, since decoded objects take many times their encoded size. */
const MAX_DECODED_BYTES = 4 * 1024 * 1024;
/** The first published version was 3. */
const IR_VERSIONS = { min: 3, max: 100 };
const EXTERNAL = 1;
const STANDARD = new Set(['', 'ai.onnx']);

interface ModelSummary {
  irVersion: number | undefined;
  graphs: number;
  opsets: { domain: string; version: number }[];
  inputs: ModelTensor[];
  outputs: ModelTensor[];
  external: boolean;
}

export function onnxInspector(): ModelInspector {
  return {
    async inspect(bytes) {
      const protobuf = (await import('protobufjs/light.js')).default;
      const types = new Types(protobuf.Root.fromJSON(ONNX));
      try {
        const structure = read(protobuf.Reader.create(bytes), types);
        assertModel(structure);
        const inputs = withoutConstants(protobuf.Reader.create(bytes), types, structure.inputs);
        if (inputs.length === 0) throw new WalkProblem('has a graph without inputs');
        const standard = structure.opsets.find(({ domain }) => STANDARD.has(domain));
        return facts(structure, inputs, standard?.version);
      } catch (error) {
        // A TypeError is a bug of ours, except for invalid UTF-8, which has a code.
        if (error instanceof TypeError && !('code' in error)) throw error;
        throw problem(error);
      }
    },
  };
}

class Types {
  readonly #root: Root;
  constructor(root: Root) {
    this.#root = root.resolveAll() as Root;
  }
  of(name: string): Type {
    return this.#root.lookupType(name);
  }
}

type Reader = Parameters<typeof walk>[0];

function read(reader: Reader, types: Types): ModelSummary {
  const structure: ModelSummary = {
    irVersion: undefined,
    graphs: 0,
    opsets: [],
    inputs: [],
    outputs: [],
    external: false,
  };
  const bounded = boundedBytes();
  walk(reader, types.of('Model'), ({ path, depth, bytes, value }) => {
    switch (path) {
      case 'Model.irVersion':
        structure.irVersion = value as number;
        return false;
      case 'Model.graph':
        structure.graphs += 1;
        return true;
      case 'Model.opsets':
        if (structure.opsets.length >= 1000) throw new WalkProblem('imports more than 1000 operator sets');
        structure.opsets.push(types.of('Opset').decode(bounded(bytes())) as never);
        return false;
      case 'Graph.inputs':
      case 'Graph.outputs': {
        // Inputs of subgraphs belong to their nodes.
        if (depth !== 1) return false;
        const values = path === 'Graph.inputs' ? structure.inputs : structure.outputs;
        if (values.length >= MAX_VALUES) throw new WalkProblem(`has more than ${MAX_VALUES} inputs or outputs`);
        values.push(tensor(types.of('Value').decode(bounded(bytes())) as never));
        return false;
      }
      case 'Tensor.external':
        structure.external = true;
        return false;
      case 'Tensor.location':
        structure.external ||= value === EXTERNAL;
        return false;
      default:
        return true;
    }
  });
  return structure;
}

function assertModel({ irVersion, graphs, opsets, outputs, external }: ModelSummary): void {
  if (irVersion === undefined) throw new WalkProblem('has no IR version');
  if (irVersion < IR_VERSIONS.min || irVersion > IR_VERSIONS.max) {
    throw new WalkProblem(`has IR version ${irVersion}; only ${IR_VERSIONS.min} and later are supported`);
  }
  if (!opsets.some(({ version }) => version > 0)) throw new WalkProblem('imports no operator set');
  // Several graphs are merged into one, as protobuf specifies.
  if (graphs === 0) throw new WalkProblem('has no graph');
  if (external) throw new WalkProblem('keeps data outside the file; save it as one file');
  if (outputs.length === 0) throw new WalkProblem('has a graph without outputs');
}

/** Up to IR version 3 constants are listed as inputs, but callers do not provide them. */
function withoutConstants(reader: Reader, types: Types, inputs: readonly ModelTensor[]): ModelTensor[] {
  const names = new Set(inputs.map(({ name }) => name));
  walk(reader, types.of('Model'), ({ path, depth, value }) => {
    if (path === 'Tensor.name') names.delete(value as string);
    return path === 'Model.graph' || (path === 'Graph.initializers' && depth === 1);
  });
  return inputs.filter(({ name }) => names.has(name));
}

/** Enforces the size limits for each value and in total. */
function boundedBytes(): (bytes: Uint8Array) => Uint8Array {
  let decoded = 0;
  return (bytes) => {
    decoded += bytes.length;
    if (bytes.length > MAX_VALUE_BYTES) {
      throw new WalkProblem(`describes an input, output or operator set in more than ${MAX_VALUE_BYTES} bytes`);
    }
    if (decoded > MAX_DECODED_BYTES) {
      throw new WalkProblem(`describes its inputs, outputs and operator sets in more than ${MAX_DECODED_BYTES} bytes`);
    }
    return bytes;
  };
}

interface DecodedValue {
  name: string;
  type?: { tensor?: { shape?: { dims: { size?: { toString(): string } | number }[] } } };
}

function tensor({ name, type }: DecodedValue): ModelTensor {
  if (!name) throw new WalkProblem('has an input or output without a name');
  const dims = type?.tensor?.shape?.dims;
  if (dims && dims.length > MAX_RANK)
    throw new WalkProblem(`has an input or output of more than ${MAX_RANK} dimensions`);
  return { name, dims: dims?.map(({ size }) => staticSize(size)) };
}

/** Some exporters write an open dimension as zero or less. */
function staticSize(size: { toString(): string } | number | undefined): number | null {
  const value = Number(size?.toString() ?? 0);
  return Number.isSafeInteger(value) && value > 0 ? value : null;
}

function facts(structure: ModelSummary, inputs: ModelTensor[], opset_version: number | undefined): ModelFacts {
  return { ir_version: structure.irVersion ?? 0, opset_version, inputs, outputs: structure.outputs };
}

/** Errors of the library mean that the file is not an ONNX model. */
function problem(error: unknown): Fault {
  const message =
    error instanceof WalkProblem
      ? `is not a usable model: it ${error.message}`
      : 'is not an ONNX model, or is truncated or damaged';
  return invalid([{ field: 'model_file', message }]);
}
