import { parallel } from '../../../domain/async/parallel.ts';
import type { EvidenceChecker, EvidenceStep } from '../../../ports/platform/evidenceChecker.ts';
import type { RunDoc, StepDoc } from '../documents/stored.ts';
import type { RunStore } from '../runStore.ts';

/** Earlier runs of a session whose steps are read at a time. */
const RUNS_AT_ONCE = 4;

/**
 * Looks up the claims of an answer in the input, and in the results that the model saw in this run and in those of the session.
 * @param steps of the run
 * @returns the run with what the check has found
 * @throws Fault `store_unavailable`
 */
export async function checkedRun(
  { store, evidence }: { store: RunStore; evidence: EvidenceChecker },
  run: RunDoc,
  steps: readonly StepDoc[],
  answer: StepDoc,
): Promise<RunDoc> {
  const { input, started_at: startedAt, session_runs: earlier = [] } = run;
  const before = await parallel(earlier, RUNS_AT_ONCE, async (id) => {
    const history = await store.history(id);
    return history.steps.flatMap((step) => resultOf(step, id));
  });
  const data = [...before.flat(), ...steps.flatMap((step) => resultOf(step))];
  const result = await evidence.check({ output: answer.output ?? '', input, steps: data, startedAt });
  const { entities: _, ...unchecked } = run;
  const checked = { ...unchecked, checked: answer.index };
  if ('error_code' in result) return { ...checked, evidence: result };
  const { entities, ...counts } = result;
  return { ...checked, evidence: counts, entities };
}

/** A failed call has shown the model nothing. */
function resultOf(
  { index, kind, name = '', state, output, call, is_cut: isCut = false }: StepDoc,
  runId?: string,
): EvidenceStep[] {
  if (state !== 'done' || output === undefined || (kind !== 'tool' && kind !== 'retrieve')) return [];
  return [{ index, name, input: call?.arguments, output, isCut, runId }];
}
