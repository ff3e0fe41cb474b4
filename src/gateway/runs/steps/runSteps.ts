import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { parallel } from '../../../domain/async/parallel.ts';
import { withoutUndefined } from '../../../domain/values/json.ts';
import { checkedRun } from '../answers/checkRun.ts';
import { expire } from '../approvals/expire.ts';
import { firstExpiry } from '../approvals/expiry.ts';
import { hasEnded, isAnswerDue, type RunDoc, type RunHistory, type StepDoc } from '../documents/stored.ts';
import { type HeldRun, noRun } from '../heldRun.ts';
import { isSessionOpen } from '../invoke/stopSession.ts';
import { runEvent } from '../runEvent.ts';
import { type DueWork, isPassing, takeDueStep } from './dueStep.ts';
import { nextOf } from './next.ts';
import type { NextAction } from './nextAction.ts';
import { endOf, type RunEnd, replaced, type StepSite, StepWriter, summary } from './stepWork.ts';
import { loseCall, openCall, settleStep, showAgain } from './toolSteps.ts';

export interface StepResult {
  run: RunDoc;
  /** The first step that this call has taken. */
  step: StepDoc | undefined;
  /** Another process is taking a step. */
  isBusy: boolean;
}

/** Milliseconds of a pause after which the lease is renewed, and a cancellation is seen. */
const PAUSE_PART_MS = 2000;
/** Equal failures of one step, each of which leaves the run as it was, before the run ends. */
const MAX_FAILURES = 3;

/** Tells the steps of a run apart. */
function labelOf(next: NextAction): string {
  if ('index' in next) return `${next.do} ${next.index}`;
  return next.do === 'open' || next.do === 'call' || next.do === 'lose'
    ? `${next.do} ${next.calls[0]?.index}`
    : next.do;
}

/** One holder's work on a run. */
export class RunSteps {
  readonly #site: StepSite;
  readonly #held: HeldRun;
  readonly #id: string;
  readonly #writer: StepWriter;
  /** The work under way, for the log. */
  #doing = 'read';

  constructor(site: StepSite, held: HeldRun, id: string) {
    this.#site = site;
    this.#held = held;
    this.#id = id;
    this.#writer = new StepWriter(held, id, site.store.now);
  }

  async take(calls: boolean): Promise<StepResult> {
    const taken = await this.#taken(calls);
    return isAnswerDue(taken.run) ? { ...taken, run: await this.#answered(taken.run) } : taken;
  }

  async #taken(calls: boolean): Promise<StepResult> {
    try {
      return await this.#take(calls);
    } catch (error) {
      const ended = await this.#noted(error).catch(() => undefined);
      if (!ended) throw error;
      return { run: ended, step: undefined, isBusy: false };
    }
  }

  /** Writes the answer of a run that has ended to its index. What cannot be written, or noted, is tried again with the next read. */
  async #answered(run: RunDoc): Promise<RunDoc> {
    const answered: RunDoc = { ...run, result: await this.#site.sendAnswer(run) };
    try {
      await this.#held.saveRun(answered);
      return answered;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return run;
    }
  }

  /**
   * Counts a failure that does not pass by itself. Nothing else of the run is changed: perhaps it was what could not be stored.
   * @returns the run, if this has ended it
   */
  async #noted(error: unknown): Promise<RunDoc | undefined> {
    if (isPassing(error)) return undefined;
    const isKnown = error instanceof Fault || error instanceof OutboundError;
    const code = isKnown ? error.code : 'internal_error';
    const run = await this.#site.store.run(this.#id);
    if (!run || hasEnded(run)) return undefined;
    const { step, code: earlier, count = 0 } = run.trouble ?? {};
    const trouble = { step: this.#doing, code, count: step === this.#doing && earlier === code ? count + 1 : 1 };
    if (trouble.count < MAX_FAILURES) {
      await this.#held.saveRun({ ...run, trouble });
      return undefined;
    }
    const why = isKnown ? error.message : 'The log has the cause.';
    return this.#end(run, await this.#site.store.history(this.#id), {
      ...endOf(code, `A step of the run failed ${MAX_FAILURES} times in the same way. ${why}`),
    });
  }

  async #take(calls: boolean): Promise<StepResult> {
    const { store } = this.#site;
    const [stored, before] = await Promise.all([store.run(this.#id), store.history(this.#id)]);
    if (!stored) throw noRun(this.#id);
    let [run, history] = [stored, before];
    let step: StepDoc | undefined;
    for (;;) {
      const next = nextOf(run, history, store.now(), this.#site.isOwn);
      this.#doing = labelOf(next);
      switch (next.do) {
        case 'nothing':
          return { run, step, isBusy: false };
        case 'end':
          return { run: await this.#end(run, history, next), step, isBusy: false };
        case 'wait':
          return { run: await this.#waiting(run, history, next.steps), step, isBusy: false };
        case 'check':
          run = await checkedRun({ store, evidence: this.#site.deps.evidence }, run, history.steps, next.answer);
          await this.#held.saveRun(run);
          if (this.#held.signal.aborted) history = await store.history(this.#id);
          continue;
        case 'doubt':
          history = replaced(history, await this.#writer.save({ ...next.answer, unverified: [...next.claims] }));
          continue;
        case 'expire':
          await expire(this.#site, run, next.steps);
          history = await store.history(this.#id);
          continue;
        case 'open':
          history = replaced(history, ...(await parallel(next.calls, 1, (due) => openCall(this.#writer, due))));
          // A turn with many calls takes a while, and may have been cancelled meanwhile.
          if (this.#held.signal.aborted) history = await store.history(this.#id);
          continue;
        case 'ask': {
          const asked = { state: 'unknown', asked_at: store.now() } as const;
          const ask = (open: StepDoc) => this.#writer.save({ ...open, ...asked, round: (open.round ?? 0) + 1 });
          history = replaced(history, ...(await parallel(next.steps, 1, ask)));
          continue;
        }
        case 'show': {
          const show = ({ step: approved, changed: { what, ...shown } }: (typeof next.decided)[number]) =>
            showAgain(this.#writer, approved, shown, what);
          history = replaced(history, ...(await parallel(next.decided, 1, show)));
          continue;
        }
        case 'lose':
          history = replaced(history, ...(await parallel(next.calls, 1, (due) => loseCall(this.#writer, due))));
          continue;
        case 'settle': {
          const settle = ({ step: asked, decision }: (typeof next.steps)[number]) =>
            settleStep(this.#writer, asked, decision);
          history = replaced(history, ...(await parallel(next.steps, 1, settle)));
          continue;
        }
        case 'pause':
          if (!calls) return { run, step, isBusy: false };
          if (await this.#pauseUntil(next.until)) history = await store.history(this.#id);
          continue;
        default: {
          if (!calls) return { run: await this.#withExpiry(run, undefined), step, isBusy: false };
          if (step) {
            run = { ...summary(run, history), state: 'running' };
            await this.#held.saveRun(run);
            return { run, step, isBusy: false };
          }
          const acted = await takeDueStep(this.#due(run, history), next);
          run = acted.accepted ? { ...acted.run, accepted: acted.accepted } : acted.run;
          if (acted.ended)
            return { run: await this.#end(run, acted.history, acted.ended), step: acted.step, isBusy: false };
          const { lack: _, ...settled } = run;
          run = acted.lack ? { ...settled, lack: acted.lack } : settled;
          if (acted.lack) {
            await this.#held.saveRun(run);
            return { run, step: undefined, isBusy: false };
          }
          ({ history, step } = acted);
          // A call that was cut off has not failed if the run was cancelled.
          if (this.#held.signal.aborted) history = await store.history(this.#id);
        }
      }
    }
  }

  /**
   * Waits without a slot. Its lease is renewed meanwhile.
   * @param until epoch seconds
   * @returns whether the run was cancelled, or the lease lost
   */
  async #pauseUntil(until: number): Promise<boolean> {
    const { store } = this.#site;
    const { signal } = this.#held;
    for (let left = until - store.now(); left > 0 && !signal.aborted; left = until - store.now()) {
      await this.#site.pause(Math.min(1000 * left, PAUSE_PART_MS), signal);
      await this.#held.renew();
    }
    // Without the lease nobody may say how it goes on.
    if (signal.aborted) await this.#held.renew();
    return signal.aborted;
  }

  /** Stores another state of the run. The lease is held and the document was read under it, so that one process tells of it. */
  async #change(run: RunDoc, now: number, waiting?: readonly StepDoc[]): Promise<void> {
    await this.#held.saveRun(run);
    this.#site.keepRunEvent(runEvent(run, now, waiting));
  }

  /** The run waits for people to decide about steps. */
  async #waiting(run: RunDoc, history: RunHistory, steps: readonly StepDoc[]): Promise<RunDoc> {
    const expires_at = firstExpiry(run, steps);
    if (run.state === 'waiting_for_approval') return this.#withExpiry(run, expires_at);
    const waits_since = this.#site.store.now();
    const waiting = withoutUndefined({
      ...{ ...summary(run, history), state: 'waiting_for_approval', waits_since, expires_at },
    }) as RunDoc;
    await this.#change(waiting, waits_since, steps);
    return waiting;
  }

  /** Stores when the first call expires that still waits, by which lists find the run. */
  async #withExpiry(run: RunDoc, expires_at: number | undefined): Promise<RunDoc> {
    if (run.expires_at === expires_at) return run;
    const next = withoutUndefined({ ...run, expires_at }) as RunDoc;
    await this.#held.saveRun(next);
    return next;
  }

  /** Begins a run, or goes on after it waited. */
  async #running(run: RunDoc): Promise<RunDoc> {
    if (run.state === 'running') return run;
    const { waits_since: since, expires_at: _expiry, ...active } = run;
    const now = this.#site.store.now();
    const waited = run.waited + (since === undefined ? 0 : Math.max(0, now - since));
    const next: RunDoc = { ...active, state: 'running', waited };
    await this.#change(next, now);
    return next;
  }

  #due(run: RunDoc, history: RunHistory): DueWork {
    const { signal } = this.#held;
    return { site: this.#site, writer: this.#writer, run, history, signal, begin: () => this.#running(run) };
  }

  async #end(run: RunDoc, history: RunHistory, end: RunEnd): Promise<RunDoc> {
    const { waits_since: _, expires_at: _expiry, trouble: _trouble, lack: _lack, ...summed } = summary(run, history);
    const { evidence, entities, checked: _checked, ...settled } = summed;
    const ended_at = this.#site.store.now();
    const ended: RunDoc = {
      ...{ ...settled, state: end.state, ended_at },
      ...(end.output === undefined ? {} : withoutUndefined({ output: end.output, evidence, entities })),
      ...(end.code === undefined ? {} : { error_code: end.code }),
      ...(end.message === undefined ? {} : { message: end.message }),
    };
    await this.#change(ended, ended_at);
    if (end.state === 'cancelled' && isSessionOpen(run, history)) this.#site.stopSession(run);
    return ended;
  }
}
