import type { QueryClient } from '@tanstack/react-query';
import { MlExtensionError, type RunDetail } from '../../../client/src/index.ts';
import { isIdle } from '../../../src/contract/families/runs.ts';
import { ml } from '../../api/client.ts';
import { needsDecision } from './words.ts';

export const RUNS_KEY = 'runs';

export const runKey = (run_id: string) => [RUNS_KEY, 'one', run_id] as const;

/** Whether steps are due or under way. */
export const isUnderWay = ({ state }: Pick<RunDetail, 'state'>): boolean => !isIdle(state);

/** Whether the next step can be taken: nobody has to decide before. */
export const isDue = (run: Pick<RunDetail, 'state'> & Partial<Pick<RunDetail, 'steps'>>): boolean =>
  isUnderWay(run) ||
  (run.state === 'waiting_for_approval' && run.steps !== undefined && !run.steps.some(needsDecision));

export const hasEnded = (run: Pick<RunDetail, 'state'>): boolean =>
  !isUnderWay(run) && run.state !== 'waiting_for_approval';

/** Reads a run with its steps. @param wait_s waits so many seconds for its end */
export const readRun = async (run_id: string, wait_s: number, signal: AbortSignal): Promise<RunDetail> =>
  (await ml.call('getRun', { params: { run_id }, query: { wait_s } }, { signal })).config;

/** Shows a run that a call has answered, and reads the lists again. */
export async function showRun(client: QueryClient, run: RunDetail): Promise<void> {
  // A read that began before the call would bring back the earlier state.
  await client.cancelQueries({ queryKey: runKey(run.run_id) });
  client.setQueryData(runKey(run.run_id), run);
  await client.invalidateQueries({ queryKey: [RUNS_KEY] });
}

/** Whether a call was refused because the run is no longer in the state that the page shows. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof MlExtensionError && (error.code === 'invalid_state' || error.code === 'not_found');
