import { Fault } from '../../../contract/codes/faults.ts';
import type { FieldNames, OnnxModel, OnnxSignature } from '../../../ports/onnx/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { NotRunnable } from './ask.ts';
import type { RunnerHost } from './host.ts';
import { openModel } from './model.ts';

const IDLE_MS = 30_000;
/** Reads as a value of every type. */
const ZERO = '0';
/** One row would not show that an output has no value for each. */
const ROWS = 2;

/** Checks models in one process after the other; it is kept for a while, since starting it takes longer than a check. */
export class Checks {
  readonly #start: () => RunnerHost;
  #idle: RunnerHost | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: () => RunnerHost) {
    this.#start = start;
  }

  async check(bytes: Uint8Array, names: FieldNames, deadline: Deadline): Promise<OnnxSignature> {
    const host = this.#take();
    try {
      const model = await openModel(host, bytes, names, deadline);
      await tryOut(model, deadline);
      return { inputs: model.inputs, outputs: model.outputs };
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'timeout')) throw error;
      throw new NotRunnable('The model did not load, or did not answer two rows of zeros, in time');
    } finally {
      this.#keep(host);
    }
  }

  #take(): RunnerHost {
    clearTimeout(this.#timer);
    const idle = this.#idle;
    this.#idle = undefined;
    return idle && !idle.isEnded ? idle : this.#start();
  }

  #keep(host: RunnerHost): void {
    if (host.isEnded) return;
    this.#idle?.close();
    this.#idle = host;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => host.close(), IDLE_MS).unref();
  }
}

/** The error may come from the values: a lookup table may lack key 0. */
async function tryOut(model: OnnxModel, deadline: Deadline): Promise<void> {
  const column = new Array<string>(ROWS).fill(ZERO);
  const columns = model.features.map(() => column);
  await model.predict(columns, { rows: ROWS, probabilities: true, deadline });
}
