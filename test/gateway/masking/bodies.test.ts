import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { ConnectionTools, type OpenConnection } from '../../../src/families/mcp-connections/public.ts';
import { cloudKb } from '../../../src/families/vector-stores/kinds/cloudKb.ts';
import type { RunDoc } from '../../../src/gateway/runs/documents/stored.ts';
import { questionOf, requestOf } from '../../../src/gateway/runs/invoke/request.ts';
import { MaskingFailure } from '../../../src/masking/masking.ts';
import { maskContent, type Outgoing } from '../../../src/masking/outgoing.ts';
import type { OnnxRuntime } from '../../../src/ports/onnx/onnxRuntime.ts';
import { cloudPredictor } from '../../../src/predictions/endpoints/cloudPredictor.ts';
import { onnxPredictors } from '../../../src/predictions/onnxPredictors.ts';
import { ServedContainer } from '../../predictions/containers/served.ts';
import { rejection } from '../../support/fault.ts';
import { storeDependencies } from '../../support/storeDependencies.ts';
import { ALL } from './policies.ts';

const HOST = 'db7.corp.example';

/** A content whose value was found and left in, as by a mistake of a walk. */
function leaky<T extends object>(content: T): Outgoing<T> {
  const walk = (given: T, replace: (text: string) => string): T => {
    replace(HOST);
    return given;
  };
  const parts = { policies: [{ kinds: ALL }], key: new Uint8Array(32), clock: () => 0, judgePhone: () => undefined };
  return maskContent(content, walk, parts).content;
}

describe('bodies with a value that was left in', () => {
  const upstream = () => unmetered(startDeadline(20_000));
  const rows = leaky({ rows: [{ a: HOST }] });
  let asked: number;
  const ask = async (): Promise<never> => {
    asked += 1;
    throw new Error('was asked');
  };
  beforeEach(() => {
    asked = 0;
  });

  const CLIENTS: Record<string, () => Promise<unknown>> = {
    'a vector store': async () => {
      const record = { details: { cloud_region: 'eu-central-1', kb_id: 'K' } };
      const target = { record, secrets: {}, hidden: [] } as unknown as Parameters<typeof cloudKb.search>[0];
      const deps = storeDependencies({ knowledgeBases: { visit: ask } });
      return cloudKb.search(target, deps)(leaky({ text: HOST, count: 1 }), upstream());
    },
    'a registered model': async () => {
      const visit = async () => ({ invoke: ask, close: () => {} });
      const maps = { inputs: { a: 'instances[*].a' }, outputs: { 'p[*]': 'p' } };
      const access = { region: 'eu-central-1' };
      const model = { ...maps, name: 'm', endpoint: 'e', access, batch: 1, document: undefined };
      const predictor = cloudPredictor(model, { describe: async () => undefined, visit });
      return predictor.predict(rows, upstream(), () => {});
    },
    'a container': async () => {
      const server = await new ServedContainer().start('mlflow');
      const sent = server.asked.length;
      const predictor = await server.open();
      return predictor
        .predict(rows, upstream(), () => {})
        .finally(() => {
          asked += server.asked.length - sent;
        });
    },
    'an uploaded model': async () => {
      const file = { model: 'm', features: ['a'], targets: ['y'], version: '1', read: ask };
      return onnxPredictors({ open: ask } as unknown as OnnxRuntime)
        .of(file)
        .predict(rows, upstream(), () => {});
    },
    'an MCP server': async () => {
      const tools = new ConnectionTools({} as never, {} as never, contract.plans);
      const call = leaky({ name: 'echo', arguments: { text: HOST } });
      return tools.call({} as OpenConnection, call, 1000, upstream());
    },
    'an agent that runs elsewhere': async () => {
      const run = { run_id: 'r', user: 'u', input: HOST, definition: { mcps: [] } } as unknown as RunDoc;
      return requestOf(leaky(questionOf(run)));
    },
  };
  for (const [whom, send] of Object.entries(CLIENTS)) {
    it(`are not sent to ${whom}`, async () => {
      const error = await rejection(send(), MaskingFailure);
      expect(error.reason).to.equal('residue');
      expect(asked).to.equal(0);
    });
  }
});
