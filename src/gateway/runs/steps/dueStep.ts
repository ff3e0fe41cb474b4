import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { startDeadline, within } from '../../../domain/async/deadline.ts';
import { isRefusedByCallsUnderWay } from '../../../metering/limits/limitFaults.ts';
import type { OpenRuntime } from '../../operations/invoke.ts';
import { assertSearchCapabilities } from '../../search/searchTools.ts';
import type { RunDoc, RunHistory } from '../documents/stored.ts';
import { takeInvokeStep } from '../invoke/invokeStep.ts';
import { findRuntime } from '../invoke/runtimes.ts';
import { timeLeft } from './limits.ts';
import { assertModel, takeModelStep } from './modelStep.ts';
import { isSearchDue } from './next.ts';
import type { NextAction } from './nextAction.ts';
import { asRefusal, endOf, type StepOutcome, type StepSite, type StepWriter } from './stepWork.ts';
import { takeCalls } from './toolSteps.ts';

/** A run whose next step is due. */
export interface DueWork {
  site: StepSite;
  writer: StepWriter;
  run: RunDoc;
  history: RunHistory;
  /** Aborted when the run is cancelled, and when its lease is lost. */
  signal: AbortSignal;
  /** Stores that the run is running. */
  begin(): Promise<RunDoc>;
}

const PASSING: readonly string[] = ['too_many_requests', 'store_unavailable', 'busy', 'acl_denied'];
/** Whether a step could not be taken, and can be later: it leaves no record. */
export const isPassing = (error: unknown): boolean =>
  ((error instanceof Fault || error instanceof OutboundError) && PASSING.includes(error.code)) ||
  isRefusedByCallsUnderWay(error);

/** Searches are made with the session of the run's user, which nobody else has. */
export const needsSession = ({ user }: Pick<RunDoc, 'user'>): Fault =>
  new Fault('acl_denied', `A search is due, which only ${user} can make or approve, the user of this run`);

/**
 * Takes a step that calls a model, tools, or an agent that runs elsewhere.
 * @throws Fault where it can be taken later
 */
export async function takeDueStep(
  { site, writer, run, history, signal, begin }: DueWork,
  next: Extract<NextAction, { do: 'model' | 'invoke' | 'call' }>,
): Promise<StepOutcome & { run: RunDoc }> {
  const { deps, runtimes } = site;
  if (isSearchDue(next) && !site.isOwn) throw needsSession(run);
  let begun = run;
  const act = async (): Promise<StepOutcome> => {
    const user = await site.userOf(run);
    // Rights are judged without a slot.
    const open = next.do === 'invoke' ? await findRuntime(runtimes, user, run) : undefined;
    if (next.do !== 'invoke') {
      await assertModel(deps, run.definition, user);
      assertSearchCapabilities(user, run.definition.search_tools ?? []);
      await runtimes.agents.assertReadable(user, { ...run.definition, llm: null });
    }
    const outer = await site.enter();
    const runtime = await open?.();
    begun = await begin();
    const left = 1000 * timeLeft(run, site.store.now());
    // An agent that runs elsewhere is asked once, for all that it does.
    using deadline = next.do === 'invoke' ? startDeadline(left) : within(outer, left);
    const until = {
      remaining: () => deadline.remaining(),
      signal: AbortSignal.any([deadline.signal, signal]),
    };
    const context = { deps, caller: user, enter: async () => until, waits: true };
    const work = { site, writer, run: begun, history, context };
    if (next.do === 'call') return await takeCalls(work, next.calls);
    if (next.do === 'model') return await takeModelStep(work, next);
    return await takeInvokeStep(work, next, runtime as OpenRuntime);
  };
  try {
    return { ...(await act()), run: begun };
  } catch (thrown) {
    const error = asRefusal(site, run, thrown);
    if (!(error instanceof Fault) || error.code === 'internal_error' || isPassing(error)) throw error;
    return { run: begun, history, step: undefined, ended: endOf(error.code, error.message) };
  }
}
