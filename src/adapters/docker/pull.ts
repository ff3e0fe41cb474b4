import { EngineFailure, type PullProgress } from '../../ports/engines/containerEngine.ts';
import { notDocker } from './shapes.ts';

export interface PullLine {
  id?: string;
  status?: string;
  progressDetail?: { current?: number; total?: number };
  error?: string;
  errorDetail?: { message?: string };
}

const DONE = /^(Pull complete|Already exists)$/;
const LAYER =
  /^(Pulling fs layer|Waiting|Downloading|Verifying Checksum|Download complete|Extracting|Pull complete|Already exists|Retrying.*)$/;

/** Images have far fewer. */
const MAX_LAYERS = 1000;
const LINE_BYTES = 64 * 1024;

/** Sums up the progress of all layers. */
export class PullMeter {
  readonly #layers = new Map<string, { done: boolean; bytes: number; total: number }>();

  add({ id, status, progressDetail }: PullLine): void {
    if (id === undefined || status === undefined || !LAYER.test(status)) return;
    const layer = this.#layers.get(id) ?? { done: false, bytes: 0, total: 0 };
    this.#layers.set(id, layer);
    if (this.#layers.size > MAX_LAYERS) {
      throw new EngineFailure('upstream_error', `The engine reports more than ${MAX_LAYERS} layers`);
    }
    if (DONE.test(status)) layer.done = true;
    // Extraction counts the same bytes again.
    if (status === 'Downloading') {
      layer.bytes = progressDetail?.current ?? layer.bytes;
      layer.total = progressDetail?.total ?? layer.total;
    } else if (status === 'Download complete' || layer.done) {
      layer.bytes = layer.total;
    }
  }

  progress(): PullProgress {
    const layers = [...this.#layers.values()];
    return {
      layers: layers.length,
      layersDone: layers.filter((layer) => layer.done).length,
      bytes: layers.reduce((sum, layer) => sum + layer.bytes, 0),
      bytesTotal: layers.reduce((sum, layer) => sum + layer.total, 0),
    };
  }
}

/** @throws EngineFailure when the reply is not a Docker pull stream */
export async function* pullLines(stream: AsyncIterable<Buffer>): AsyncGenerator<PullLine> {
  const decoder = new TextDecoder();
  let partial = '';
  for await (const chunk of stream) {
    const lines = (partial + decoder.decode(chunk, { stream: true })).split('\n');
    partial = lines.pop() ?? '';
    if (partial.length > LINE_BYTES) throw notDocker();
    for (const line of lines) if (line.trim() !== '') yield pullLine(line);
  }
  if (partial.trim() !== '') yield pullLine(partial);
}

const isText = (value: unknown) => value === undefined || typeof value === 'string';
const isCount = (value: unknown) => value === undefined || typeof value === 'number';

function pullLine(text: string): PullLine {
  let line: PullLine | null;
  try {
    line = JSON.parse(text) as PullLine | null;
  } catch {
    throw notDocker();
  }
  const texts = [line?.id, line?.status, line?.error, line?.errorDetail?.message];
  const counts = [line?.progressDetail?.current, line?.progressDetail?.total];
  if (typeof line !== 'object' || line === null || !texts.every(isText) || !counts.every(isCount)) throw notDocker();
  return line;
}
