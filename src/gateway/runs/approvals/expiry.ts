import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { RunDoc, StepDoc } from '../documents/stored.ts';

type ExpiringRun = Pick<RunDoc, 'definition'>;

/** When nobody can decide about a step that waits any more, in epoch seconds; undefined if there is no limit. */
function expiryOf({ definition }: ExpiringRun, { asked_at, started_at }: StepDoc): number | undefined {
  // Runs of earlier versions lack it.
  const { runtime_type, approval_timeout_s: seconds = 0 } = definition;
  return runtime_type !== 'BUILT_IN' || seconds === 0 ? undefined : (asked_at ?? started_at) + seconds;
}

export const isExpired = (run: ExpiringRun, step: StepDoc, now: number): boolean =>
  (expiryOf(run, step) ?? Number.POSITIVE_INFINITY) <= now;

/** When the first of the steps expires, in epoch seconds. */
export function firstExpiry(run: ExpiringRun, steps: readonly StepDoc[]): number | undefined {
  const expiries = steps.map((step) => expiryOf(run, step)).filter((expiry) => expiry !== undefined);
  return expiries.length === 0 ? undefined : Math.min(...expiries);
}

/** Whether a call of a run has expired that nobody has looked at since. @param now epoch seconds */
export const hasExpiredCall = ({ state, expires_at: expiry }: RunDoc, now: number): boolean =>
  state === 'waiting_for_approval' && expiry !== undefined && expiry <= now;

export const expiredText = ({ approval_timeout_s: seconds }: Pick<AgentDefinition, 'approval_timeout_s'>): string =>
  `Nobody decided within ${seconds} seconds about a call that waited for approval`;
