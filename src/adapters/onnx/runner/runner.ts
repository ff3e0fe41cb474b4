import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import type { InferenceSession } from 'onnxruntime-web';
import { classesBehind } from './classes.ts';
import type { OpenedModel, RunnerOrder, RunnerReply, ValueMessage } from './messages.ts';
import { isOutOfMemory, messageOf, runRows, SILENT } from './rowRuns.ts';
import { withOpenShapes } from './shapes.ts';

type Runtime = typeof import('onnxruntime-web');

/** 1 GiB of 64 KiB: the file, the constants and the rows of a call. A model that asks for more fails by itself. */
const MAX_PAGES = 16_384;
const NO_MODEL = new Uint8Array(1);
/** How the runtime writes a dynamic size. */
const DYNAMIC = 0xffffffff;

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
    const inputs = withOpenShapes(bytes, session.inputMetadata.map(describe));
    const outputs = withOpenShapes(bytes, session.outputMetadata.map(describe));
    return { inputs, outputs, classes: classesBehind(bytes, outputs) };
  }

  return async (order) => {
    try {
      if ('open' in order) return { opened: await open(order.open) };
      const loaded = await load();
      if (!('run' in order)) return { loaded: true };
      if (!session) throw new Error('no model is open');
      return await runRows(session, loaded.Tensor, order.run);
    } catch (error) {
      return { error: messageOf(error), isOutOfMemory: isOutOfMemory(error) };
    }
  };
}

async function loadRuntime(wasm: string): Promise<Runtime> {
  limitMemory();
  // Few of the 14 MB of functions are used; checking each at its first use halves the time to load.
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
