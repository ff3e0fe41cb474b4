import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { RunDoc, StepDoc } from '../documents/stored.ts';

/** The limit that forbids one more request, if one does. */
export function limitOf(
  run: RunDoc,
  steps: readonly StepDoc[],
  models: readonly StepDoc[],
  now: number,
): keyof AgentDefinition | undefined {
  const { max_steps: most, max_tokens_per_run: mostTokens } = run.definition;
  if (models.length >= most) return 'max_steps';
  if (mostTokens !== undefined && tokensOf(steps) >= mostTokens) return 'max_tokens_per_run';
  return isOutOfTime(run, now) ? 'agent_timeout' : undefined;
}

/** Input and output, also of answers that were asked for twice. */
export const tokensOf = (steps: readonly StepDoc[]): number =>
  steps.reduce((sum, { usage }) => sum + (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0), 0);

/** Seconds that are left to the run. @param now epoch seconds */
export function timeLeft({ started_at, waited, waits_since, definition }: RunDoc, now: number): number {
  const waiting = waits_since === undefined ? 0 : Math.max(0, now - waits_since);
  return definition.agent_timeout - (now - started_at - waited - waiting);
}

export const isOutOfTime = (run: RunDoc, now: number): boolean => timeLeft(run, now) <= 0;

export const lateText = ({ agent_timeout: seconds }: Pick<AgentDefinition, 'agent_timeout'>): string =>
  `The run took longer than its ${seconds} seconds. Raise agent_timeout.`;
