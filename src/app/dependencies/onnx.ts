import { fileURLToPath } from 'node:url';
import { Fault } from '../../contract/codes/faults.ts';
import { modelFileName } from '../../contract/families/models.ts';
import type { Predictor, UploadedModelPredictors } from '../../domain/predictions/prediction.ts';
import type { OnnxRuntime, SearchModels } from '../../ports/llm/onnxRuntime.ts';
import { lazy } from '../lazy.ts';

const IS_BUNDLE = import.meta.url.endsWith('.mjs');
/** The program that runs models, as a thread or a process. */
const PROGRAM = new URL(IS_BUNDLE ? './onnx.mjs' : '../../main/onnxRunner.ts', import.meta.url);
const WASM = 'ort-wasm-simd-threaded.wasm';

let processes: Promise<OnnxRuntime> | undefined;

async function startProcesses(): Promise<OnnxRuntime> {
  const { onnxRuntime } = await import('../../adapters/onnx/model/runtime.ts');
  return onnxRuntime(PROGRAM, 'process');
}

/** Uploaded models in processes of their own, which serve all requests. */
export const modelProcesses = (): OnnxRuntime => lazy<OnnxRuntime>(() => (processes ??= startProcesses()));

/** The same, by the rows of requests. For one process, since models stay loaded between calls. */
export function uploadedModels(): UploadedModelPredictors {
  let loading: Promise<UploadedModelPredictors> | undefined;
  const load = async (): Promise<UploadedModelPredictors> => {
    const { onnxPredictors } = await import('../../adapters/onnx/model/predictors.ts');
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

interface Search {
  serverUri: string;
  sessionKey: string;
  sid: string;
}

/** Uploaded models for a search, in a thread of its command, which serves nobody else. */
export async function searchModels(search: Search): Promise<SearchModels> {
  const { serverUri, sessionKey, sid } = search;
  const [{ onnxRuntime }, { SplunkdClient }, { splunkdLookups }, { splunkdPredictions }] = await Promise.all([
    import('../../adapters/onnx/model/runtime.ts'),
    import('../../adapters/splunkd/client.ts'),
    import('../../adapters/splunkd/stores/lookupFiles.ts'),
    import('../../adapters/splunkd/own/ownApi.ts'),
  ]);
  const lookups = splunkdLookups(new SplunkdClient(serverUri), sessionKey, process.env.SPLUNK_HOME ?? '');
  return {
    use: splunkdPredictions(serverUri, sessionKey, sid),
    runtime: onnxRuntime(PROGRAM, 'thread'),
    async read({ model, owner, app, sharing }) {
      const name = modelFileName(model, 'onnx');
      const files = await lookups.list(name);
      const file = files.find(
        (one) => one.name === name && one.app === app && one.owner === owner && one.sharing === sharing,
      );
      const info = file && (await lookups.stat(file));
      const bytes = info && (await lookups.head(file, info.size));
      if (bytes) return bytes;
      throw new Fault('not_found', `The file of the model ${model} is not on this member`);
    },
  };
}

/** Serves models in this process or thread, until its parent ends it. */
export async function serveModels(): Promise<void> {
  const { serveRunner } = await import('../../adapters/onnx/runner/program.ts');
  const wasm = IS_BUNDLE ? new URL(`./${WASM}`, import.meta.url).href : import.meta.resolve(`onnxruntime-web/${WASM}`);
  serveRunner(PROGRAM, fileURLToPath(wasm));
}
