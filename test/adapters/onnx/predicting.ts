import { onnxPredictors } from '../../../src/predictions/onnxPredictors.ts';
import '../../support/splunkHome.ts';
import { modelProcesses } from '../../../src/app/dependencies/models/onnx.ts';
import { startDeadline } from '../../../src/domain/async/deadline.ts';
import { unmetered } from '../../../src/domain/async/unmetered.ts';
import { unmasked } from '../../../src/masking/outgoing.ts';
import type { Predictions, Predictor, UploadedModelFile } from '../../../src/predictions/rows/prediction.ts';
import { patience } from '../../support/time.ts';

type Rows = Record<string, unknown>[];
export type Predict = (rows: Rows, ms?: number) => Promise<Predictions>;

export const LONG_MS = patience(30_000);

/** Uploaded models in processes of their own, as the gateway has them. */
export class Predicting {
  readonly #predictors = onnxPredictors(modelProcesses());
  /** How often a file was read. */
  reads = 0;

  /** A model with the features a, b, c and the target y, unless said otherwise; each is another one unless it has a version. */
  of(bytes: Uint8Array, more: Partial<UploadedModelFile> = {}): Predict {
    const read = async () => {
      this.reads += 1;
      return bytes;
    };
    const version = String(Math.random());
    const file = { model: 'm', features: ['a', 'b', 'c'], targets: ['y'], version, read, ...more };
    const predictor: Predictor = this.#predictors.of(file);
    return (rows, ms = LONG_MS) => predictor.predict(unmasked({ rows }), unmetered(startDeadline(ms)), () => {});
  }

  predict(bytes: Uint8Array, rows: Rows, more: Partial<UploadedModelFile> = {}, ms = LONG_MS): Promise<Predictions> {
    return this.of(bytes, more)(rows, ms);
  }
}
