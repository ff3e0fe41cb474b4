import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Peer, readBody, sendJson, startHttp } from '../../support/peers/listen.ts';

type Json = Record<string, unknown>;

/** The management port with begin and end of predictions and lookup files, and a home with one model in the app's lookups. */
export class PredictServer {
  readonly home = mkdtempSync(join(tmpdir(), 'predict-'));
  readonly calls: { path: string; body: Json; authorization: string | undefined }[] = [];
  readonly file: string;
  /** What the gateway says about the file. */
  size: number;
  #peer: Peer | undefined;

  private constructor(model: Uint8Array) {
    const lookups = join(this.home, 'etc/apps/ml_extension/lookups');
    mkdirSync(lookups, { recursive: true });
    this.file = join(lookups, '__mlspl_m.onnx');
    writeFileSync(this.file, model);
    this.size = model.length;
  }

  static async start(
    model: Uint8Array,
    features: readonly string[],
    targets: readonly string[],
  ): Promise<PredictServer> {
    const server = new PredictServer(model);
    const place = { owner: 'nobody', app: 'ml_extension', sharing: 'app' };
    server.#peer = await startHttp(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost');
      const text = await readBody(request);
      const body = text === '' ? {} : (JSON.parse(text) as Json);
      server.calls.push({ path: pathname, body, authorization: request.headers.authorization });
      if (pathname.endsWith('/ai_gateway/predict/begin')) {
        const begun = { use_id: 'use-1', model: 'm', type: 'onnx', features, targets, ...place };
        return sendJson(response, 200, { ...begun, size_bytes: server.size });
      }
      if (pathname.endsWith('/ai_gateway/predict/end')) return sendJson(response, 200, { use_id: 'use-1' });
      const acl = { ...place, can_write: true };
      const content = { 'eai:data': server.file };
      return sendJson(response, 200, { entry: [{ name: '__mlspl_m.onnx', acl, content }] });
    });
    return server;
  }

  get url(): string {
    return String(this.#peer?.url);
  }

  /** Bodies of the calls of one endpoint. */
  bodies(end: string): Json[] {
    return this.calls.filter(({ path }) => path.endsWith(end)).map(({ body }) => body);
  }

  async close(): Promise<void> {
    await this.#peer?.close();
    rmSync(this.home, { recursive: true, force: true });
  }
}
