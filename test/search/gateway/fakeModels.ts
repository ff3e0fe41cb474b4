import { onnxRuntime } from '../../../src/adapters/onnx/model/runtime.ts';
import type { SearchModels } from '../../../src/ports/onnx/onnxRuntime.ts';
import type { ApiAnswer, EndOfPredictions } from '../../../src/ports/platform/ownApi.ts';

const PROGRAM = new URL('../../../src/main/onnxRunner.ts', import.meta.url);

/** Begin and end of the gateway as the contract describes them, and files; models run as in a search. */
export class FakeModels implements SearchModels {
  readonly begun: string[] = [];
  readonly ended: EndOfPredictions[] = [];
  readonly runtime = onnxRuntime(PROGRAM, 'thread');
  reads = 0;
  /** The file of the model. */
  bytes: Uint8Array = new Uint8Array();
  reply: Record<string, unknown> = {
    ...{
      status: 'success',
      use_id: 'use-1',
      model: 'm',
      type: 'onnx',
      owner: 'ann',
      app: 'ml_extension',
      sharing: 'user',
    },
    ...{ features: ['a', 'b', 'c'], targets: ['y'] },
  };
  refusal: ApiAnswer | undefined;

  readonly use: SearchModels['use'] = {
    begin: async (model) => {
      this.begun.push(model);
      return this.refusal ?? { status: 200, body: this.reply };
    },
    end: async (use) => {
      this.ended.push(use);
      return { status: 200, body: { use_id: use.use_id } };
    },
  };

  async read(): Promise<Uint8Array> {
    this.reads += 1;
    return this.bytes;
  }
}
