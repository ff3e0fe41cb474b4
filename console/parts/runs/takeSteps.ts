import type { RunDetail } from '../../../client/src/index.ts';
import { isIdle } from '../../../src/contract/families/runs.ts';
import { ml } from '../../api/client.ts';
import { pauseAfter } from '../../api/pauses.ts';
import { describeError } from '../../api/problems.ts';

/** Pause while another process takes the step that is due. */
const BUSY_MS = 1000;
/** After more failed calls in a row the error is thrown. */
const MOST_FAILURES = 8;

/**
 * Takes steps until the run is idle. A step that outlasts the proxy goes on without it, and the next call says that it is busy.
 * @param onStep gets the run after each step
 */
export async function takeSteps(
  run_id: string,
  onStep: (run: RunDetail) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const params = { run_id };
  let failures = 0;
  for (let state: RunDetail['state'] = 'running'; !isIdle(state); ) {
    try {
      const { busy } = await ml.call('stepRun', { params, body: {} }, { signal });
      const { config } = await ml.call('getRun', { params }, { signal });
      if (signal.aborted) return;
      await onStep(config);
      ({ state } = config);
      failures = 0;
      if (busy) await pause(BUSY_MS, signal);
    } catch (error) {
      if (signal.aborted || !describeError(error).isPassing || failures >= MOST_FAILURES) throw error;
      await pause(pauseAfter(failures), signal);
      failures += 1;
    }
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
