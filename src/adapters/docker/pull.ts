import type { PullProgress } from '../../ports/containerEngine.ts';

/** One line of the engine's answer to a pull. */
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

/** Adds up what the engine tells layer by layer. */
export class PullMeter {
  readonly #layers = new Map<string, { done: boolean; bytes: number; total: number }>();

  take({ id, status, progressDetail }: PullLine): void {
    if (id === undefined || status === undefined || !LAYER.test(status)) return;
    const layer = this.#layers.get(id) ?? { done: false, bytes: 0, total: 0 };
    this.#layers.set(id, layer);
    if (DONE.test(status)) layer.done = true;
    // Extraction counts the same bytes anew.
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
