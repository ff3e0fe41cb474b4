import type { Json } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { within } from '../../domain/async/deadline.ts';
import { argumentsOf } from '../../domain/values/json.ts';
import {
  type DecisionDoc,
  type RunDoc,
  type RunHistory,
  type RunUsage,
  type StepDoc,
  stepKey,
} from '../../families/runs/public.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { ToolCatalogue } from '../tools/usableTools.ts';
import type { Serving } from '../use/serving.ts';
import { makeCall } from './calls.ts';
import { askModel, prepareQuestion } from './modelStep.ts';
import { type DueCall, type DueStep, type Next, nextOf, timeLeft } from './next.ts';
import type { HeldRun, RunStore } from './runStore.ts';
import type { RunDependencies } from './runTools.ts';

/** What a request takes steps with. */
export interface StepSite {
  deps: RunDependencies;
  store: RunStore;
  /** The run's user, with the rights that the user has now. @throws Fault `acl_denied` if they cannot be known */
  userOf(run: RunDoc): Promise<Caller>;
  /** Takes a slot. @throws Fault `too_many_requests` */
  enter(): Promise<Deadline>;
  /** Records one use of the run. */
  record<T>(run: RunDoc, serving: Omit<Serving, 'use'>, work: (serving: Serving) => Promise<T>): Promise<T>;
}

export interface Taken {
  run: RunDoc;
  /** The first step that this call has taken. */
  step: StepDoc | undefined;
  /** Another process is taking a step. */
  isBusy: boolean;
}

/** With these codes a step could not begin, and nothing was stored. */
const NOT_BEGUN: readonly string[] = ['too_many_requests', 'store_unavailable', 'acl_denied'];

/**
 * Takes the next step of a run: one request to the model, or the calls of one answer that are due, and whatever follows without
 * a call: waiting for people, the end.
 * @throws Fault `not_found`, `too_many_requests`, `store_unavailable`
 */
export async function takeStep(site: StepSite, id: string): Promise<Taken> {
  const taken = await site.store.hold(id, (held) => new RunSteps(site, held, id).take());
  if (taken) return taken;
  const run = await site.store.run(id);
  if (!run) throw noRun(id);
  return { run, step: undefined, isBusy: true };
}

export const noRun = (id: string): Fault => new Fault('not_found', `There is no run ${id}, or you may not read it.`);

/** One holder's work on a run. */
class RunSteps {
  readonly #site: StepSite;
  readonly #held: HeldRun;
  readonly #id: string;

  constructor(site: StepSite, held: HeldRun, id: string) {
    this.#site = site;
    this.#held = held;
    this.#id = id;
  }

  async take(): Promise<Taken> {
    const { store } = this.#site;
    let run = await store.run(this.#id);
    if (!run) throw noRun(this.#id);
    let history = await store.history(this.#id);
    let step: StepDoc | undefined;
    for (;;) {
      const next = nextOf(run, history, store.now());
      switch (next.do) {
        case 'nothing':
          return { run, step, isBusy: false };
        case 'end':
          return { run: await this.#end(run, history, next), step, isBusy: false };
        case 'wait':
          if (run.state !== 'waiting_for_approval') {
            run = { ...summary(run, history), state: 'waiting_for_approval', waits_since: store.now() };
            await this.#held.saveRun(run);
          }
          return { run, step, isBusy: false };
        case 'open':
          for (const due of next.calls) history = replaced(history, await this.#open(due));
          continue;
        case 'ask':
          for (const one of next.steps) {
            history = replaced(history, await this.#save({ ...one, state: 'unknown', round: (one.round ?? 0) + 1 }));
          }
          continue;
        case 'settle':
          for (const { step: one, decision } of next.steps)
            history = replaced(history, await this.#settle(one, decision));
          continue;
        default: {
          if (step) {
            run = { ...summary(run, history), state: 'running' };
            await this.#held.saveRun(run);
            return { run, step, isBusy: false };
          }
          run = await this.#running(run);
          const acted = await this.#act(run, history, next);
          if (acted.ended)
            return { run: await this.#end(run, acted.history, acted.ended), step: acted.step, isBusy: false };
          ({ history, step } = acted);
          // It may have been cancelled meanwhile.
          if (this.#held.signal.aborted) history = await store.history(this.#id);
        }
      }
    }
  }

  /** Begins a run, or goes on after it waited. */
  async #running(run: RunDoc): Promise<RunDoc> {
    if (run.state === 'running') return run;
    const { waits_since: since, ...rest } = run;
    const waited = run.waited + (since === undefined ? 0 : Math.max(0, this.#site.store.now() - since));
    const next: RunDoc = { ...rest, state: 'running', waited };
    await this.#held.saveRun(next);
    return next;
  }

  async #act(
    run: RunDoc,
    history: RunHistory,
    next: Extract<Next, { do: 'model' | 'invoke' | 'call' }>,
  ): Promise<Acted> {
    try {
      const user = await this.#site.userOf(run);
      const outer = await this.#site.enter();
      using deadline = within(outer, 1000 * timeLeft(run, this.#site.store.now()));
      const until = {
        remaining: () => deadline.remaining(),
        signal: AbortSignal.any([deadline.signal, this.#held.signal]),
      };
      const serving = { caller: user, enter: async () => until, waits: true };
      if (next.do === 'call') return await this.#call(run, history, next.calls, serving);
      if (next.do === 'model') return await this.#ask(run, history, next, serving);
      throw new Fault('not_supported', `Runs of ${run.definition.runtime_type} are not built yet.`);
    } catch (error) {
      if (!(error instanceof Fault) || NOT_BEGUN.includes(error.code)) throw error;
      return { history, step: undefined, ended: failure(error) };
    }
  }

  async #ask(
    run: RunDoc,
    history: RunHistory,
    next: Extract<Next, { do: 'model' }>,
    serving: Omit<Serving, 'use'>,
  ): Promise<Acted> {
    const { deps } = this.#site;
    const steps = history.steps.toSorted((a, b) => a.index - b.index);
    const question = await prepareQuestion(deps, new ToolCatalogue(deps), run, steps, next.withTools, serving.caller);
    const { model } = question.body;
    const step = await this.#begin(
      next.step ?? this.#new(next.index, 'model', model === undefined ? {} : { name: model }),
      !next.step,
    );
    const done = await askModel(deps, question, step, (work) => this.#site.record(run, serving, work));
    const stored = await this.#save({ ...done, ended_at: this.#site.store.now() });
    return { history: replaced(history, stored), step: stored };
  }

  /** Calls side by side; each has a step of its own, which is stored before and after. */
  async #call(
    run: RunDoc,
    history: RunHistory,
    calls: readonly DueStep[],
    serving: Omit<Serving, 'use'>,
  ): Promise<Acted> {
    const begun: StepDoc[] = [];
    for (const { index, call, step, decision } of calls) {
      const args = decision?.arguments ?? argumentsOf(call.arguments) ?? {};
      const kind = call.target?.kind ?? 'tool';
      const fresh = step ?? this.#new(index, kind, { name: call.name, call });
      const decided = decision ? { decided_by: decision.decided_by } : {};
      begun.push(await this.#begin({ ...fresh, input: args, ...decided }, !step));
    }
    const ended = await Promise.all(
      begun.map(async (step) => {
        const { target } = step.call as { target: NonNullable<DueCall['call']['target']> };
        const outcome = await this.#site
          .record(run, serving, (own) => makeCall(this.#site.deps, serving.caller, target, step.input as Json, own))
          .catch((error: unknown) => {
            if (!(error instanceof Fault || error instanceof OutboundError)) throw error;
            return { state: 'failed' as const, output: `${error.code}: ${error.message}`, error_code: error.code };
          });
        return this.#save({ ...step, ...outcome, ended_at: this.#site.store.now() });
      }),
    );
    const lost = ended.find(({ error_code }) => error_code === 'unknown_reference');
    const all = ended.reduce(replaced, history);
    const acted = { history: all, step: ended[0] };
    return lost ? { ...acted, ended: endOf('unknown_reference', lost.output ?? '') } : acted;
  }

  #new(index: number, kind: StepDoc['kind'], more: Partial<StepDoc>): StepDoc {
    const key = { _key: stepKey(this.#id, index), run_id: this.#id, index, kind };
    return { ...key, state: 'started', started_at: this.#site.store.now(), ...more };
  }

  async #begin(step: StepDoc, isNew: boolean): Promise<StepDoc> {
    const started: StepDoc = { ...step, state: 'started', started_at: this.#site.store.now() };
    if (isNew) await this.#held.insertStep(started);
    else await this.#held.saveStep(started);
    return started;
  }

  /** A step that waits, or whose call goes back to the model. */
  async #open({ index, call }: DueCall): Promise<StepDoc> {
    const fresh = this.#new(index, call.target?.kind ?? 'tool', { name: call.name, call });
    const input = argumentsOf(call.arguments);
    const { problem } = call;
    const step: StepDoc = {
      ...fresh,
      ...(input ? { input } : {}),
      ...(problem === undefined
        ? { state: 'waiting', round: 1 }
        : {
            state: 'failed',
            output: problem,
            error_code: problem.split(':')[0] as string,
            ended_at: fresh.started_at,
          }),
    };
    await this.#held.insertStep(step);
    return step;
  }

  #settle(step: StepDoc, { decision, result, comment, decided_by, decided_at }: DecisionDoc): Promise<StepDoc> {
    const decided = { ...step, decided_by, ended_at: decided_at };
    if (decision === 'approve') return this.#save({ ...decided, state: 'done', output: result ?? '' });
    const said = comment === undefined ? '' : `: ${comment}`;
    return this.#save({ ...decided, state: 'rejected', output: `rejected: A person refused this call${said}` });
  }

  async #save(step: StepDoc): Promise<StepDoc> {
    await this.#held.saveStep(step);
    return step;
  }

  async #end(run: RunDoc, history: RunHistory, end: RunEnd): Promise<RunDoc> {
    const { waits_since: _, ...rest } = summary(run, history);
    const ended: RunDoc = {
      ...rest,
      state: end.state,
      ended_at: this.#site.store.now(),
      ...(end.output === undefined ? {} : { output: end.output }),
      ...(end.code === undefined ? {} : { error_code: end.code }),
      ...(end.message === undefined ? {} : { message: end.message }),
    };
    await this.#held.saveRun(ended);
    return ended;
  }
}

type RunEnd = Extract<Next, { do: 'end' }>;

interface Acted {
  history: RunHistory;
  step: StepDoc | undefined;
  /** The run cannot go on. */
  ended?: RunEnd;
}

const endOf = (code: string, message: string): RunEnd => ({ do: 'end', state: 'failed', code, message });
const failure = ({ code, message }: Fault): RunEnd => endOf(code, message);

const replaced = (history: RunHistory, step: StepDoc): RunHistory => ({
  ...history,
  steps: [...history.steps.filter(({ _key }) => _key !== step._key), step],
});

/** The run with what its steps have used. */
function summary(run: RunDoc, history: RunHistory): RunDoc {
  const usage: RunUsage = { requests: 0, input_tokens: 0, output_tokens: 0 };
  for (const { usage: own } of history.steps) {
    if (!own) continue;
    usage.requests += own.requests;
    usage.input_tokens += own.input_tokens;
    usage.output_tokens += own.output_tokens;
    if (own.cost !== undefined) usage.cost = (usage.cost ?? 0) + own.cost;
  }
  return { ...run, usage };
}
