import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { classesBehind } from './classes.ts';
import type {
  OpenedModel,
  OutputMessage,
  RunnerOrder,
  RunnerReply,
  RunOrder,
  TensorData,
  ValueMessage,
} from './messages.ts';

type Runtime = typeof import('onnxruntime-web');

/** 1 GiB of 64 KiB: the file, the constants and the rows of a call. A model that asks for more fails by itself. */
const MAX_PAGES = 16_384;
/** Nothing is written: output on stderr would end a search. */
const SILENT = { logSeverityLevel: 4 as const };
const NO_MODEL = new Uint8Array(1);
/** How the runtime writes a dynamic size. */
const DYNAMIC = 0xffffffff;

class ShapeProblem extends Error {
  constructor(output: string) {
    super(`the output ${output} has no value for each row`);
  }
}

/** Answers the orders for one model, one at a time. @param wasm path of the WebAssembly file */
export function createRunner(wasm: string): (order: RunnerOrder) => Promise<RunnerReply> {
  let runtime: Runtime | undefined;
  let session: InferenceSession | undefined;

  const load = async () => (runtime ??= await loadRuntime(wasm));

  async function open(bytes: Uint8Array): Promise<OpenedModel> {
    const { InferenceSession } = await load();
    await session?.release();
    session = undefined;
    session = await InferenceSession.create(bytes, { executionProviders: ['wasm'], ...SILENT });
    const [inputs, outputs] = [session.inputMetadata.map(describe), session.outputMetadata.map(describe)];
    return { inputs, outputs, classes: classesBehind(bytes, outputs) };
  }

  async function run({ inputs, rows, block, fetch }: RunOrder): Promise<Record<string, OutputMessage>> {
    if (!runtime || !session) throw new Error('no model is open');
    const { Tensor } = runtime;
    const size = block ?? rows;
    const found = fetch.map((name) => ({ name, type: '', width: 0, pieces: [] as TensorData[] }));
    for (let from = 0; from < rows; from += size) {
      const feeds = Object.entries(inputs).map(([name, { type, rowShape, hasRows, data }]) => {
        const dims = hasRows ? [size, ...rowShape] : rowShape;
        return [name, new Tensor(type as 'string', someRows(data, data.length / rows, from, size) as string[], dims)];
      });
      const outputs = await session.run(Object.fromEntries(feeds), fetch, SILENT);
      for (const one of found) {
        const tensor = outputs[one.name] as Tensor;
        const values = tensor.data as unknown as TensorData;
        if (size > 1 && tensor.dims[0] !== size) throw new ShapeProblem(one.name);
        one.type = tensor.type;
        one.width = values.length / size;
        one.pieces.push(values);
      }
    }
    return Object.fromEntries(
      found.map(({ name, type, width, pieces }) => [name, { type, width, data: joined(pieces, rows * width) }]),
    );
  }

  return async (order) => {
    try {
      if ('run' in order) return { outputs: await run(order.run) };
      if ('open' in order) return { opened: await open(order.open) };
      await load();
      return { loaded: true };
    } catch (error) {
      return { error: String((error as Error)?.message ?? error), isOfShape: error instanceof ShapeProblem };
    }
  };
}

/** So many rows of an input; the last row is repeated where there are fewer. */
function someRows(data: TensorData, width: number, from: number, count: number): TensorData {
  const [start, end] = [from * width, (from + count) * width];
  if (start === 0 && end === data.length) return data;
  const length = Math.min(end, data.length) - start;
  if (!ArrayBuffer.isView(data)) {
    const some = data.slice(start, end);
    const last = some.slice(length - width);
    return Array.from({ length: end - start }, (_, index) => some[index] ?? (last[index % width] as string));
  }
  const some = new (data.constructor as Float32ArrayConstructor)(end - start) as unknown as Float32Array;
  const source = data as unknown as Float32Array;
  some.set(source.subarray(start, start + length));
  for (let at = length; at < end - start; at += width) some.set(source.subarray(data.length - width), at);
  return some as unknown as TensorData;
}

/** @param length of the whole; the runs were filled up */
function joined(pieces: readonly TensorData[], length: number): TensorData {
  const [first] = pieces as [TensorData];
  if (pieces.length === 1 && first.length === length) return first;
  if (!ArrayBuffer.isView(first)) return (pieces as readonly string[][]).flat().slice(0, length);
  const whole = new (first.constructor as Float32ArrayConstructor)(length);
  let at = 0;
  for (const piece of pieces as unknown as readonly Float32Array[]) {
    whole.set(piece.subarray(0, length - at), at);
    at += piece.length;
  }
  return whole as unknown as TensorData;
}

async function loadRuntime(wasm: string): Promise<Runtime> {
  limitMemory();
  // Of 14 MB of functions few are used, and each is checked when it is: half the time of loading.
  setFlagsFromString('--wasm-lazy-validation');
  const [runtime, binary] = await Promise.all([import('onnxruntime-web/wasm'), readFile(wasm)]);
  runtime.env.wasm.numThreads = 1;
  runtime.env.wasm.wasmBinary = binary;
  runtime.env.logLevel = 'fatal';
  // Compiles the runtime, which it would do with the first model.
  await runtime.InferenceSession.create(NO_MODEL, { executionProviders: ['wasm'], ...SILENT }).catch(() => {});
  return runtime;
}

/** The runtime asks for 4 GB and has no setting for less. */
function limitMemory(): void {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super({ ...descriptor, maximum: Math.min(descriptor.maximum ?? MAX_PAGES, MAX_PAGES) });
    }
  };
}

function describe(value: InferenceSession.ValueMetadata): ValueMessage {
  if (!value.isTensor) return { name: value.name, type: undefined, shape: undefined };
  const shape = value.shape.map((size) => (typeof size === 'number' && size > 0 && size !== DYNAMIC ? size : null));
  return { name: value.name, type: value.type, shape };
}
