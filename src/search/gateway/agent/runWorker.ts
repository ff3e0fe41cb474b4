import { isObject } from '../../../contract/basics.ts';
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
 * Takes the steps of a run, then those of its user's oldest queued runs whose search could not be started, with a row for each
 * step. It holds no secret, and another can go on where it ends.
 */
export const runWorker = (id: string) =>
  async function* (info: SearchInfo, { runs, clock }: CommandParts): AsyncGenerator<Output> {
    const api = await runs(info);
    const taken = new Set([id]);
    yield* rowsOf(api, clock, id);
    try {
      for (let next = await nextQueued(api, id, taken); next; next = await nextQueued(api, id, taken)) {
        taken.add(next);
        yield* rowsOf(api, clock, next);
      }
    } catch (error) {
      // The run that this search was started for has all its rows; the next reader of the other one sees to it.
      if (!(error instanceof SearchError || error instanceof Fault)) throw error;
    }
    yield { rows: [], last: true };
  };

async function* rowsOf(runs: RunsApi, clock: Clock, id: string): AsyncGenerator<Output> {
  for await (const { run_id, state, step } of takeSteps(runs, clock, id)) {
    if (!step) continue;
    const { index, kind, name, state: stepState, duration_ms, error_code } = step;
    const facts = { index, kind, name, step_state: stepState, duration_ms, error_code };
    const cells = Object.entries(facts).map(([field, value]) => [field, cellOf(value)] as const);
    yield { rows: [{ _time: clock.now() / 1000, run_id, state, ...Object.fromEntries(cells) }] };
  }
}

/**
 * A queued run without a search, of the user whose run this worker was started for. Reading a run starts its search if that
 * is possible by now.
 */
async function nextQueued(runs: RunsApi, id: string, taken: ReadonlySet<string>): Promise<string | undefined> {
  const { user } = await configOf(runs, id);
  if (typeof user !== 'string') return undefined;
  const { result } = (await runs.queued(user)).body;
  if (!Array.isArray(result)) return undefined;
  for (const { run_id: other } of result as { run_id: string }[]) {
    if (taken.has(other)) continue;
    const { state, job_id } = await configOf(runs, other);
    if (state === 'queued' && job_id === undefined) return other;
  }
  return undefined;
}

async function configOf(runs: RunsApi, id: string): Promise<Readonly<Record<string, unknown>>> {
  const { config } = (await runs.read(id)).body;
  return isObject(config) ? config : {};
}
