import type { CommandParts, Output, SearchInfo } from '../../command.ts';
import type { Row } from '../../rows.ts';
import { cellOf } from '../gatewayRun.ts';
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

/** Takes the steps of one run, with a row for each. It holds no secret, and another can go on where it ends. */
export const runWorker = (id: string) =>
  async function* (info: SearchInfo, { runs, clock }: CommandParts): AsyncGenerator<Output> {
    let last: Row | undefined;
    for await (const { run_id, state, step } of takeSteps(await runs(info), clock, id)) {
      if (last) yield { rows: [last] };
      last = undefined;
      if (!step) continue;
      const { index, kind, name, state: stepState, duration_ms, error_code } = step;
      const facts = { index, kind, name, step_state: stepState, duration_ms, error_code };
      const cells = Object.entries(facts).map(([field, value]) => [field, cellOf(value)] as const);
      last = { _time: clock.now() / 1000, run_id, state, ...Object.fromEntries(cells) };
    }
    yield { rows: last ? [last] : [], last: true };
  };
