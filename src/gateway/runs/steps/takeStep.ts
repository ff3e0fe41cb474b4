import { hasEnded } from '../documents/stored.ts';
import { noRun } from '../heldRun.ts';
import { RunSteps, type StepResult } from './runSteps.ts';
import type { StepSite } from './stepWork.ts';

/**
 * Takes the next step of a run: one request to the model, or the calls of one answer that are due, and whatever follows without
 * a call: waiting for people, the end.
 * @param calls false: takes nothing that calls anybody, such as the end of a run that was cancelled
 * @throws Fault `not_found`, `too_many_requests`, `store_unavailable`, and `limit_exceeded` where only calls under way are in the way
 */
export async function takeStep(site: StepSite, id: string, calls = true): Promise<StepResult> {
  const taken = await site.store.hold(id, (held) => new RunSteps(site, held, id).take(calls));
  if (taken) {
    // Whoever cancelled it meanwhile found the lease taken, and leaves the end to its holder.
    if (hasEnded(taken.run) || !(await site.store.isCancelled(id))) return taken;
    const { run } = await takeStep(site, id, false);
    return { ...taken, run };
  }
  const run = await site.store.run(id);
  if (!run) throw noRun(id);
  return { run, step: undefined, isBusy: true };
}
