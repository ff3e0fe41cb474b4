import { Fault } from '../../../contract/codes/faults.ts';
import { MAX_MODEL_BYTES, modelFileName } from '../../../contract/families/models.ts';
import type { SearchModels } from '../../../ports/onnx/onnxRuntime.ts';
import { PROGRAM } from './onnx.ts';

interface Search {
  serverUri: string;
  sessionKey: string;
  sid: string;
}

/** Uploaded models for a search, in a thread of its command, which serves nobody else. */
export async function searchModels(search: Search): Promise<SearchModels> {
  const { serverUri, sessionKey, sid } = search;
  const [{ onnxRuntime }, { SplunkdClient }, { splunkdLookups }, { splunkdPredictions }] = await Promise.all([
    import('../../../adapters/onnx/model/runtime.ts'),
    import('../../../adapters/splunkd/client.ts'),
    import('../../../adapters/splunkd/stores/lookupFiles.ts'),
    import('../../../adapters/splunkd/own/ownApi.ts'),
  ]);
  const lookups = splunkdLookups(new SplunkdClient(serverUri), sessionKey, process.env.SPLUNK_HOME ?? '');
  return {
    use: splunkdPredictions(serverUri, sessionKey, sid),
    runtime: onnxRuntime(PROGRAM, 'thread'),
    async read({ model, owner, app, sharing, size_bytes }) {
      const name = modelFileName(model, 'onnx');
      const files = await lookups.list(name);
      const file = files.find(
        (entry) => entry.name === name && entry.app === app && entry.owner === owner && entry.sharing === sharing,
      );
      const info = file && (await lookups.stat(file));
      if (info && info.size > MAX_MODEL_BYTES) {
        throw new Fault('model_not_runnable', `The file of ${model} has more than ${MAX_MODEL_BYTES} bytes`);
      }
      const bytes = info && (await lookups.head(file, info.size));
      if (!bytes) throw new Fault('not_found', `The file of the model ${model} is not on this member`);
      // Features and targets are those of the file that the search began with.
      if (bytes.length !== (size_bytes ?? info.size)) {
        throw new Fault('version_conflict', `The model ${model} was replaced while the search began: run it again`);
      }
      return bytes;
    },
  };
}
