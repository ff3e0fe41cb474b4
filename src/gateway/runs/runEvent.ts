import { withoutUndefined } from '../../domain/values/json.ts';
import { roundMilliseconds } from '../../domain/values/numbers.ts';
import type { RunEvent } from '../../metering/usage/runEvent.ts';
import { hasEnded, type RunDoc, type StepDoc } from './documents/stored.ts';

/**
 * The event of the state that a run has taken.
 * @param waiting the steps that people have to decide about
 * @param now epoch seconds
 */
export function runEvent(run: RunDoc, now: number, waiting?: readonly StepDoc[]): RunEvent {
  const { run_id, agent, user, state, error_code, evidence, source } = run;
  const optional = {
    agent,
    error_code,
    source,
    unverified: evidence && 'unverified' in evidence && hasEnded(run) ? evidence.unverified : undefined,
  };
  const calls = waiting && { waiting: waiting.map(({ name = '' }) => ({ tool: name })) };
  const time = roundMilliseconds(now);
  return withoutUndefined({ time, run_id, user, state, ...optional, ...calls }) as RunEvent;
}
