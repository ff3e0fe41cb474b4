import { Fault } from '../../../contract/codes/faults.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { RunsApi } from '../../../ports/platform/ownApi.ts';
import { type CommandParts, type Output, SearchError, type SearchInfo } from '../../command.ts';
import { cellOf } from '../rowAnswers.ts';
import { takeSteps } from './takeSteps.ts';

export const WORKER_FIELDS = [
  '_time',
  'run_id',
  'state',
  'index',
  'kind',
  'name',
  'step_state',
  'duration_ms',
  'error_code',
];

/**
 * Takes the steps of a run, then those of other runs of its user that are due and have no search, with a row for each step. It holds
 * no secret, and another can go on where it ends.
 */
export const runWorker = (id: string) =>
  async function* (info: SearchInfo, { runs, clock }: CommandParts): AsyncGenerator<Output> {
    const api = await runs(info);
    let next = yield* rowsOf(api, clock, id);
    try {
      while (next !== undefined) next = yield* rowsOf(api, clock, next);
    } catch (error) {
      // The run that this search was started for has all its rows; the next reader of the other one sees to it.
      if (!(error instanceof SearchError || error instanceof Fault)) throw error;
    }
    yield { rows: [], last: true };
  };

/** @returns the run to go on with */
async function* rowsOf(runs: RunsApi, clock: Clock, id: string): AsyncGenerator<Output, string | undefined> {
  let next: string | undefined;
  for await (const { run_id, state, step, nextRun } of takeSteps(runs, clock, id)) {
    next = nextRun;
    if (!step) continue;
    const { index, kind, name, state: stepState, duration_ms, error_code } = step;
    const facts = { index, kind, name, step_state: stepState, duration_ms, error_code };
    const cells = Object.entries(facts).map(([field, value]) => [field, cellOf(value)] as const);
    yield { rows: [{ _time: clock.now() / 1000, run_id, state, ...Object.fromEntries(cells) }] };
  }
  return next;
}
