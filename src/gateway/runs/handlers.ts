import { counted, errorName } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import { isIdle } from '../../contract/families/runs.ts';
import type { CallOf } from '../../contract/rows/endpoint.ts';
import { type CallContext, type Handlers, withRefusals } from '../../contract/rows/handlers.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import { parallel } from '../../domain/async/parallel.ts';
import type { AgentDefinitions } from '../../families/agents/public.ts';
import { recordUse } from '../../metering/meteredUse.ts';
import type { RequestSlot } from '../../metering/requestSlot.ts';
import { type GatewaySite, type RequestOrigin, requestContext, useSite } from '../context.ts';
import { reportRefusedAlert, startAlert } from './alerts/alertRuns.ts';
import { sendAnswer } from './alerts/answer.ts';
import { sweepClaims } from './alerts/claims.ts';
import { hasExpiredCall } from './approvals/expiry.ts';
import { lookAtCall } from './approvals/lookAtCall.ts';
import { hasEnded, isAnswerDue, type RunDoc, type RunHistory } from './documents/stored.ts';
import type { runs } from './endpoints.ts';
import { stopSession } from './invoke/stopSession.ts';
import { runEvent } from './runEvent.ts';
import { RunRights } from './runRights.ts';
import { RunStore } from './runStore.ts';
import { runView, runWithSteps, stepView } from './runView.ts';
import { Runs, startOf } from './service.ts';
import { needsSession } from './steps/dueStep.ts';
import { hasWaitedTooLong, isSearchDue, nextOf } from './steps/next.ts';
import type { NextAction } from './steps/nextAction.ts';
import type { StepResult } from './steps/runSteps.ts';
import type { StepSite } from './steps/stepWork.ts';
import { takeStep } from './steps/takeStep.ts';
import { changedText } from './steps/toolSteps.ts';
import { Workers } from './workers.ts';

interface RunSite extends GatewaySite {
  agents: AgentDefinitions;
}

const DEFAULT_WAIT_S = 20;
const POLL_MS = 250;
/** A run that has no worker this long after its start gets one when its user starts or lists runs. */
const UNSERVED_S = 60;
/** Runs that are looked at after one request. */
const SERVED = 3;

/** A run, and its history if nothing has changed since that was read. */
interface SeenRun {
  run: RunDoc;
  history?: RunHistory;
}

/** Done by whoever reads a run: it calls nobody. */
const SETTLED_BY_READERS: readonly NextAction['do'][] = ['lose', 'expire', 'check', 'doubt'];

/** For one request. */
export function runHandlers(site: RunSite, slot: RequestSlot, origin: RequestOrigin): Handlers<typeof runs> {
  const { stores } = site;
  const store = new RunStore(stores);
  const rights = new RunRights(site);
  const workers = new Workers(store, site.searches);
  const service = new Runs(store, stores.records, site.agents);

  function stepsOf(caller: Caller, requestId: string, run: RunDoc): StepSite {
    const own = { id: run._key, agent: run.agent };
    const deps = requestContext(site, origin, requestId, own);
    return {
      deps,
      store,
      runtimes: site,
      async userOf(stored) {
        const user = await rights.userOf(caller, stored);
        await rights.assertMayRun(user, stored);
        return user;
      },
      isOwn: run.user === caller.user,
      enter: () => slot.enter(caller.user),
      async pause(ms, signal) {
        await slot.pause();
        await stores.clock.sleep(ms, signal).catch(() => {});
      },
      keepRunEvent: site.keepRunEvent,
      sendAnswer: (ended) => sendAnswer({ ...site, log: stores.log }, ended),
      stopSession: (cancelled) => stores.defer(`stop session ${cancelled._key}`, () => stopSession(site, cancelled)),
      record: (_run, context, work) =>
        recordUse(useSite(deps, context.caller, 'run'), slot.meter, (use) => work({ ...context, use })),
    };
  }

  /** Whether nothing is due. A run keeps its state after the last decision until a worker takes its next step. */
  async function isRunIdle(run: RunDoc): Promise<boolean> {
    if (run.state !== 'waiting_for_approval') return isIdle(run.state);
    return nextOf(run, await store.history(run._key), store.now()).do === 'wait';
  }

  /**
   * A run whose worker has gone gets a new one from whoever looks at it, and ends where nothing else is due.
   * @returns with the history that still holds, if it was read
   */
  async function withWorker(caller: Caller, requestId: string, run: RunDoc, warnings: string[]): Promise<SeenRun> {
    const settle = () => takeStep(stepsOf(caller, requestId, run), run._key, false);
    if (hasEnded(run)) return { run: isAnswerDue(run) ? (await settle()).run : run };
    const history = await store.history(run._key);
    const unchanged = { run, history };
    const isOwn = run.user === caller.user;
    const next = nextOf(run, history, store.now(), isOwn);
    if (SETTLED_BY_READERS.includes(next.do)) {
      const { run: after, isBusy } = await settle();
      return isBusy ? { run: after } : withWorker(caller, requestId, after, warnings);
    }
    if (next.do === 'nothing' || next.do === 'wait') return unchanged;
    if (next.do === 'end') return { run: (await settle()).run };
    if (run.worker === 'caller' || (!isOwn && isSearchDue(next))) return unchanged;
    if ((await workers.isLive(run, history)) || !(await rights.mayStep(caller, run))) return unchanged;
    await workers.dispatch(caller, run, history, warnings);
    return { run };
  }

  /** The run that the search goes on with which took the last step that is due. */
  async function nextRunOf(caller: Caller, { run, isBusy }: StepResult): Promise<string | undefined> {
    if (origin.sid === undefined || run.worker === 'caller' || isBusy || !isIdle(run.state)) return undefined;
    const isDue = (other: RunDoc, history: RunHistory) => rights.isDue(caller, other, history, store.now());
    try {
      return await workers.goOn(origin.sid, caller, run, isDue);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // The step was taken; the next reader of the other run sees to it.
      stores.log.warn('run_worker_not_kept', { run: run._key, code: error.code });
      return undefined;
    }
  }

  /** Ends runs that nobody goes on with, and removes old ones. */
  async function cleanUp(caller: Caller, requestId: string): Promise<void> {
    const settings = await site.settings.recent();
    const [days, most] = (['run_retention_days', 'max_runs'] as const).map((name) =>
      integerSetting(settings, 'agents', name, stores.log),
    ) as [number, number];
    await site.runs.clear(stores, store, { days, most }, async (id) => {
      const run = await store.run(id);
      if (!run) return;
      // Only the user of a run is sure to be permitted to go on with it.
      if (run.user === caller.user) await withWorker(caller, requestId, run, []);
      else await takeStep(stepsOf(caller, requestId, run), id, false);
    });
    await sweepClaims(stores);
  }

  /**
   * Gives the oldest runs of the caller that have none a worker, which goes on with the others: a run of an alert has no reader who would.
   * Other users may not take its steps.
   */
  async function serveOwn(caller: Caller, requestId: string): Promise<void> {
    for (const id of await store.activeJobRuns(caller.user, store.now() - UNSERVED_S, SERVED)) {
      const run = await store.run(id);
      if (run) await withWorker(caller, requestId, run, []);
    }
  }

  function deferServing(caller: Caller, requestId: string): void {
    stores.defer(`serve runs of ${caller.user}`, () =>
      serveOwn(caller, requestId).catch((error) => stores.log.warn('runs_not_served', { cause: errorName(error) })),
    );
  }

  /** @throws Fault `acl_denied` for a search, which only the user of the run can make */
  async function assertMayApprove(caller: Caller, run: RunDoc, index: number): Promise<void> {
    if (run.user === caller.user || (run.definition.search_tools ?? []).length === 0) return;
    const { steps } = await store.history(run._key);
    const step = steps.find((candidate) => candidate.index === index);
    if (step?.call?.target?.kind === 'search') throw needsSession(run);
  }

  /** A run that nobody decided about in time ends, or goes on without the call. */
  async function current(caller: Caller, requestId: string, run: RunDoc, warnings: string[] = []): Promise<RunDoc> {
    const now = store.now();
    if (!hasWaitedTooLong(run, now) && !hasExpiredCall(run, now)) return run;
    return (await withWorker(caller, requestId, (await store.run(run._key)) ?? run, warnings)).run;
  }

  async function replyOf({ run, history }: SeenRun) {
    const config = runWithSteps(run, history ?? (await store.history(run._key)));
    const { output } = run;
    return { config, run_id: run._key, state: run.state, ...(output === undefined ? {} : { output }) };
  }

  async function wait(run: RunDoc, seconds: number): Promise<RunDoc> {
    if (seconds <= 0 || (await isRunIdle(run))) return run;
    const waiting = await slot.takeWaiting();
    // The reply comes at once: drivers that only wait serve nobody.
    if (!waiting) return run;
    try {
      const until = stores.clock.monotonic() + 1000 * seconds;
      let now = run;
      while (!(await isRunIdle(now)) && stores.clock.monotonic() < until) {
        await stores.clock.sleep(POLL_MS);
        now = (await store.run(run._key)) ?? now;
      }
      return now;
    } finally {
      waiting.release();
    }
  }

  return {
    startRun: withRefusals(
      async ({ body, caller, warnings, requestId }: CallOf<(typeof runs)['startRun']> & CallContext) => {
        const start = startOf(body);
        deferServing(caller, requestId);
        stores.defer('run_retention', () =>
          cleanUp(caller, requestId).catch(() => stores.log.warn('runs_not_swept', {})),
        );
        if ('alert' in start) {
          const runsSite = { site, origin, store, service, workers, resume: withWorker };
          const outcomes = await startAlert(runsSite, start.alert, { caller, requestId, warnings });
          const [only, ...more] = outcomes.filter(({ outcome }) => outcome === 'started');
          const run = more.length === 0 && only?.run_id !== undefined ? await store.run(only.run_id) : undefined;
          return { ...(run ? await replyOf({ run }) : {}), alert: { outcomes } };
        }
        const { resolve } = requestContext(site, origin, requestId);
        const started = await service.start(caller, start, () => resolve(caller, undefined), warnings);
        site.keepRunEvent(runEvent(started, started.started_at));
        if (started.worker === 'caller' || hasEnded(started)) return replyOf({ run: started });
        await workers.dispatch(caller, started, { claims: [] }, warnings);
        const { wait_s = DEFAULT_WAIT_S } = body;
        return replyOf({ run: await wait(started, wait_s) });
      },
      (call, error) => reportRefusedAlert(site, call, error),
    ),
    async listRuns({ query, caller, requestId }) {
      deferServing(caller, requestId);
      const { result, pagination } = await service.list(caller, query);
      const runs = await parallel(result, 1, (run) => current(caller, requestId, run));
      return { result: runs.map(runView), pagination, message: counted(pagination.total, 'run', 'runs') };
    },
    async getRun({ params, query, caller, requestId }) {
      const opened = await withWorker(caller, requestId, await service.open(caller, params.run_id), []);
      const run = await wait(opened.run, query.wait_s ?? 0);
      return replyOf(run === opened.run ? opened : { run });
    },
    async stepRun({ params, caller, requestId }) {
      const run = await service.open(caller, params.run_id);
      const taken = await takeStep(stepsOf(caller, requestId, run), run._key);
      return stepReply(taken, await nextRunOf(caller, taken));
    },
    async approveRun({ params, body, caller, warnings, requestId }) {
      const run = await current(caller, requestId, await service.open(caller, params.run_id), warnings);
      const steps = stepsOf(caller, requestId, run);
      if (body.decision === 'approve') await assertMayApprove(caller, run, body.step);
      const changed = await service.decide(caller, run, body, (step, args) =>
        lookAtCall({ site, rights, slot }, steps, { run, caller, step, args }),
      );
      if (changed) {
        warnings.push(`Step ${body.step} has ${changedText(changed.what)}`);
        await takeStep(steps, run._key, false);
      }
      const next = (await store.run(run._key)) ?? run;
      return replyOf(await withWorker(caller, requestId, next, warnings));
    },
    async cancelRun({ params, caller, requestId }) {
      const run = await service.open(caller, params.run_id);
      await service.cancel(caller, run);
      const { run: next } = await takeStep(stepsOf(caller, requestId, run), run._key, false);
      return replyOf({ run: next });
    },
  };
}

function stepReply({ run, step, isBusy }: StepResult, nextRun: string | undefined) {
  return {
    run_id: run._key,
    state: run.state,
    ...(step ? { step: stepView(step) } : {}),
    ...(isBusy ? { busy: true } : {}),
    ...(nextRun === undefined ? {} : { next_run_id: nextRun }),
  };
}
