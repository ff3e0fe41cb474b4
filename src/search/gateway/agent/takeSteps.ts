import { isIdle } from '../../../contract/families/runs.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { RunsApi } from '../../../ports/platform/ownApi.ts';
import { refusal } from '../../command.ts';
import { untilAborted } from '../../untilAborted.ts';

/** A run as its steps report it. */
export interface RunReport {
  run_id: string;
  state: string;
  /** The step that was taken. */
  step: Readonly<Record<string, unknown>> | undefined;
  /** Another run, with which the search goes on after this one. */
  nextRun: string | undefined;
}

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5000;
/** A run that cannot be stepped for so long has lost its platform. */
const MAX_TROUBLES = 20;

/**
 * Takes the steps of a run until it ends or waits for a person. Steps that cannot be taken now are tried again after a pause.
 * @param signal ends it at once; a step that is under way is not awaited
 * @throws SearchError if the run may not be stepped
 */
export async function* takeSteps(
  runs: RunsApi,
  clock: Clock,
  id: string,
  signal = new AbortController().signal,
): AsyncGenerator<RunReport> {
  let pause = FIRST_PAUSE_MS;
  let troubles = 0;
  while (!signal.aborted) {
    // A step of an agent that runs elsewhere takes as long as the agent; the driver goes on with it.
    const answer = await untilAborted(runs.step(id), signal);
    if (!answer) return;
    const { status, body, retryAfter } = answer;
    if (status === 200) {
      const {
        state,
        step,
        busy,
        next_run_id: nextRun,
      } = body as { state: string; step?: RunReport['step']; busy?: boolean; next_run_id?: string };
      yield { run_id: id, state, step, nextRun };
      if (isIdle(state) && !busy) return;
      troubles = 0;
      if (!busy) {
        pause = FIRST_PAUSE_MS;
        continue;
      }
    } else {
      yield { run_id: id, state: 'running', step: undefined, nextRun: undefined };
      // A full machine or a limit passes, however long it takes.
      if (status !== 429) troubles += 1;
      if (!isPassing(status) || troubles > MAX_TROUBLES) throw refusal(`The run ${id} cannot go on`, answer);
    }
    await clock.sleep(Math.max(pause, 1000 * (retryAfter ?? 0)), signal);
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
  }
}

/** A failure of the app ends the run by itself, if it stays. */
const isPassing = (status: number): boolean => status === 429 || status === 500 || status === 503;
