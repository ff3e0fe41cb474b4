import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import { nestsDeeperThan } from '../../domain/values/json.ts';
import { MAX_EXPERIMENT_BYTES, MAX_NESTING } from './constants.ts';
import { cronProblem } from './cron.ts';
import type { Outline, Stage } from './records.ts';

/** Checked before the merge, which is recursive. @throws Fault `validation_failed` */
export function assertShallow(body: object, fields: readonly string[]): void {
  const problems = shallowProblems(body, fields);
  if (problems.length > 0) throw invalid(problems);
}

function shallowProblems(body: object, fields: readonly string[]): Problem[] {
  return fields
    .filter((field) => nestsDeeperThan((body as Record<string, unknown>)[field], MAX_NESTING))
    .map((field) => ({ field, message: `is nested deeper than ${MAX_NESTING} levels` }));
}

/** Rules that the schema cannot express. @throws Fault `validation_failed` with every problem */
export function assertInput(body: { schedule?: { cron?: string } | null }): void {
  const problems = [...shallowProblems(body, ['statistics', 'search_stages'])];
  const cron = typeof body.schedule?.cron === 'string' ? cronProblem(body.schedule.cron) : undefined;
  if (cron) problems.push({ field: 'schedule.cron', message: cron });
  if (problems.length > 0) throw invalid(problems);
}

/** A merged update can lack a required field. @throws Fault `validation_failed` */
export function assertComplete({ schedule }: Outline): void {
  if (schedule && schedule.cron === undefined) throw invalid([{ field: 'schedule.cron', message: 'is required' }]);
}

/** @throws Fault `payload_too_large` */
export function assertFits(texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_EXPERIMENT_BYTES) return;
  throw new Fault(
    'payload_too_large',
    `The experiment would have ${bytes} bytes; the limit is ${MAX_EXPERIMENT_BYTES}`,
    {
      limit: MAX_EXPERIMENT_BYTES,
    },
  );
}

/** The models that the stages name, each once, in their order. */
export function modelsOf(stages: readonly Stage[]): string[] {
  return [...new Set(stages.flatMap(({ model_name }) => model_name ?? []))];
}
