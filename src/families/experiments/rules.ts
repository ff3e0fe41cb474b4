import { Fault, invalid, type Problem } from '../../contract/faults.ts';
import { cronProblem } from '../../domain/cron.ts';
import { nestsDeeperThan } from '../../domain/nesting.ts';
import { MAX_EXPERIMENT_BYTES, MAX_NESTING } from './constants.ts';
import type { Outline, Stage } from './records.ts';

/** What a caller sends of free-form parts, before it is merged: merging walks it. @throws Fault `validation_failed` */
export function assertShallow(body: object, fields: readonly string[]): void {
  const problems: Problem[] = fields
    .filter((field) => nestsDeeperThan((body as Record<string, unknown>)[field], MAX_NESTING))
    .map((field) => ({ field, message: `is nested deeper than ${MAX_NESTING} levels` }));
  if (problems.length > 0) throw invalid(problems);
}

/** What the schema cannot say of a whole experiment. @throws Fault `validation_failed` */
export function assertWhole({ schedule }: Outline): void {
  if (!schedule) return;
  const cron = schedule.cron === undefined ? 'is required' : cronProblem(schedule.cron);
  if (cron) throw invalid([{ field: 'schedule.cron', message: cron }]);
}

/** @throws Fault `payload_too_large` */
export function assertFits(texts: readonly string[]): void {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_EXPERIMENT_BYTES) return;
  throw new Fault(
    'payload_too_large',
    `The experiment would have ${bytes} bytes; ${MAX_EXPERIMENT_BYTES} is the most`,
    {
      limit: MAX_EXPERIMENT_BYTES,
    },
  );
}

/** The models that the stages name, each once, in their order. */
export function modelsOf(stages: readonly Stage[]): string[] {
  return [...new Set(stages.flatMap(({ model_name }) => model_name ?? []))];
}
