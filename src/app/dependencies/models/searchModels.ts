import { Fault } from '../../../contract/codes/faults.ts';
import { modelFileName } from '../../../contract/families/models.ts';
import type { SearchModels } from '../../../ports/llm/onnxRuntime.ts';
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
