import { fileURLToPath } from 'node:url';
import type { OnnxRuntime } from '../../../ports/onnx/onnxRuntime.ts';
import type { Predictor, UploadedModelPredictors } from '../../../predictions/rows/prediction.ts';
import { lazy } from '../../lazy.ts';
import { takeSlot } from '../slots.ts';

const IS_BUNDLE = import.meta.url.endsWith('.mjs');
/** The program that runs models, as a thread or a process. */
export const PROGRAM = new URL(IS_BUNDLE ? './onnx.mjs' : '../../../main/onnxRunner.ts', import.meta.url);
const WASM = 'ort-wasm-simd-threaded.wasm';

/** A runner may have so much memory; all of a machine together have half of its memory. */
const RUNNER_BYTES = 1_800_000_000;
const FEWEST_RUNNERS = 2;
const MOST_RUNNERS = 16;

let processes: Promise<OnnxRuntime> | undefined;

async function startProcesses(): Promise<OnnxRuntime> {
  const { onnxRuntime } = await import('../../../adapters/onnx/model/runtime.ts');
  const { totalmem } = process.getBuiltinModule('node:os');
  const count = Math.min(MOST_RUNNERS, Math.max(FEWEST_RUNNERS, Math.floor(totalmem() / 2 / RUNNER_BYTES)));
  const take = (waitMs: number) => takeSlot('runners', count, waitMs);
  return onnxRuntime(PROGRAM, 'process', { take });
}

/** Uploaded models in processes of their own, which serve all requests. */
export const modelProcesses = (): OnnxRuntime => lazy<OnnxRuntime>(() => (processes ??= startProcesses()));

/** The same, by the rows of requests. For one process, since models stay loaded between calls. */
export function uploadedModels(): UploadedModelPredictors {
  let loading: Promise<UploadedModelPredictors> | undefined;
  const load = async (): Promise<UploadedModelPredictors> => {
    const { onnxPredictors } = await import('../../../predictions/onnxPredictors.ts');
    return onnxPredictors(modelProcesses());
  };
  return {
    of: (file): Predictor => ({
      type: 'onnx',
      model: file.model,
      connection: 'onnx',
      async predict(...call) {
        loading ??= load();
        return (await loading).of(file).predict(...call);
      },
    }),
  };
}

/** Serves models in this process or thread, until its parent ends it. */
export async function serveModels(): Promise<void> {
  const { serveRunner } = await import('../../../adapters/onnx/runner/program.ts');
  const wasm = IS_BUNDLE ? new URL(`./${WASM}`, import.meta.url).href : import.meta.resolve(`onnxruntime-web/${WASM}`);
  serveRunner(PROGRAM, fileURLToPath(wasm));
}
