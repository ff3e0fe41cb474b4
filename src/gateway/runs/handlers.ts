import type { Json } from '../../contract/basics.ts';
import { counted } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { RUN_AGENTS, required } from '../../contract/capabilities.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { isResting } from '../../contract/families/runs.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import { isFlagOnNow } from '../../contract/settings/flags.ts';
import { integerSetting } from '../../contract/settings/integerSetting.ts';
import { stringifyExact } from '../../domain/values/exactJson.ts';
import type { AgentDefinitions } from '../../families/agents/public.ts';
import { hasEnded, type RunDoc, type RunHistory, type StepDoc } from '../../families/runs/public.ts';
import type { AgentClouds } from '../../ports/cloud/agentCloud.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import type { Users } from '../../ports/platform/session.ts';
import { type GatewayDependencies, type RequestOrigin, requestUses } from '../site.ts';
import { checkArguments } from '../tools/checkArguments.ts';
import { ToolCatalogue } from '../tools/usableTools.ts';
import { recordUse } from '../use/recordedUse.ts';
import type { Use } from '../use/use.ts';
import type { runs } from './endpoints.ts';
import { findAbandoned, sweepRuns } from './retention.ts';
import { RunStore } from './runStore.ts';
import { runView, runWithSteps, stepView } from './runView.ts';
import { Runs } from './service.ts';
import { MAX_ARGUMENTS } from './steps/calls.ts';
import { nextOf } from './steps/next.ts';
import { toolsOfRun, unknownReference } from './steps/runTools.ts';
import type { StepSite } from './steps/stepWork.ts';
import { type Taken, takeStep } from './steps/takeStep.ts';
import { Workers } from './workers.ts';

export interface RunSite extends GatewayDependencies {
  agents: AgentDefinitions;
  users: Users;
  searches: SearchJobs;
  clouds: AgentClouds;
}

const DEFAULT_WAIT_S = 20;
const POLL_MS = 250;

/** A run, and its history if nothing has changed since that was read. */
interface SeenRun {
  run: RunDoc;
  history?: RunHistory;
}

/** For one request. */
export function runHandlers(site: RunSite, use: Use, origin: RequestOrigin): Handlers<typeof runs> {
  const { stores } = site;
  const store = new RunStore(stores);
  const workers = new Workers(store, site.searches);
  const service = new Runs(store, stores.records, site.agents);

  /** The user of a run, with the rights that the user has now. */
  async function userOf(caller: Caller, run: RunDoc): Promise<Caller> {
    if (run.user === caller.user) return caller;
    const user = await site.users.find(run.user);
    if (user) return user;
    throw new Fault(
      'acl_denied',
      `The platform does not list ${run.user}, so only ${run.user} can go on with this run.`,
    );
  }

  /** What a run began with may have been taken away since. @throws Fault `unknown_reference` */
  async function assertMayRun(user: Caller, { agent, agent_created_at }: RunDoc): Promise<void> {
    const missing = required(RUN_AGENTS).filter((name) => !user.capabilities.includes(name));
    if (missing.length > 0) {
      throw new Fault('unknown_reference', `The user of this run lacks ${missing.join(' and ')} by now.`);
    }
    if (agent === undefined) return;
    const found = await site.agents.read(user, agent);
    if (found?.created_at !== agent_created_at) throw unknownReference(`the agent ${agent}`);
  }

  function stepsOf(caller: Caller, requestId: string, run: RunDoc): StepSite {
    const own = { id: run._key, agent: run.agent };
    const { depsFor, siteFor } = requestUses(site, origin, own);
    return {
      deps: depsFor(requestId),
      store,
      runtimes: site,
      async userOf(one) {
        const user = await userOf(caller, one);
        await assertMayRun(user, one);
        return user;
      },
      enter: () => use.enter(caller.user),
      record: (_run, serving, work) =>
        recordUse(siteFor(serving.caller, 'run', requestId), use.meter, (recorded) =>
          work({ ...serving, use: recorded }),
        ),
    };
  }

  /** Whether the caller may take the steps of a run now. */
  async function mayStep(caller: Caller, run: RunDoc): Promise<boolean> {
    if (!(await isFlagOnNow('agent_builder', site.settings))) return false;
    const user = await userOf(caller, run).catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'acl_denied') return undefined;
      throw error;
    });
    return user !== undefined;
  }

  /** Whether nothing is due. A run keeps its state after the last decision until a worker takes its next step. */
  async function rests(run: RunDoc): Promise<boolean> {
    if (run.state !== 'waiting_for_approval') return isResting(run.state);
    return nextOf(run, await store.history(run._key), store.now()).do === 'wait';
  }

  /**
   * A run whose worker has gone gets a new one from whoever looks at it, and ends where nothing else is due.
   * @returns with the history that still holds, if it was read
   */
  async function withWorker(caller: Caller, requestId: string, run: RunDoc, warnings: string[]): Promise<SeenRun> {
    if (hasEnded(run)) return { run };
    const history = await store.history(run._key);
    const seen = { run, history };
    const next = nextOf(run, history, store.now());
    if (next.do === 'nothing' || next.do === 'wait') return seen;
    if (next.do === 'end') return { run: (await takeStep(stepsOf(caller, requestId, run), run._key, false)).run };
    if (run.worker === 'caller') return seen;
    if ((await workers.isLive(caller, run, history)) || !(await mayStep(caller, run))) return seen;
    await workers.dispatch(caller, run, history, warnings);
    return { run };
  }

  /** Ends runs whose callers went away, and removes old ones. */
  async function cleanUp(caller: Caller, requestId: string, days: number): Promise<void> {
    await sweepRuns(stores, days);
    const end = async (id: string) => {
      const run = await store.run(id);
      if (run) await takeStep(stepsOf(caller, requestId, run), id, false);
    };
    // One that cannot be ended must not block the others.
    for (const id of await findAbandoned(stores)) {
      await end(id).catch(() => stores.log.warn('run_not_ended', { run: id }));
    }
  }

  async function replyOf({ run, history }: SeenRun) {
    const config = runWithSteps(run, history ?? (await store.history(run._key)));
    const { output } = run;
    return { config, run_id: run._key, state: run.state, ...(output === undefined ? {} : { output }) };
  }

  async function wait(run: RunDoc, seconds: number): Promise<RunDoc> {
    if (seconds <= 0 || (await rests(run))) return run;
    const place = await use.takeWaitingPlace();
    // The reply comes at once: drivers that only wait serve nobody.
    if (!place) return run;
    try {
      const until = stores.clock.monotonic() + 1000 * seconds;
      let now = run;
      while (!(await rests(now)) && stores.clock.monotonic() < until) {
        await stores.clock.sleep(POLL_MS);
        now = (await store.run(run._key)) ?? now;
      }
      return now;
    } finally {
      place.release();
    }
  }

  return {
    async startRun({ body, caller, warnings, requestId }) {
      const started = await service.start(caller, body);
      const days = integerSetting(await site.settings.recent(), 'agents', 'run_retention_days', stores.log);
      stores.defer('run_retention', () =>
        cleanUp(caller, requestId, days).catch(() => stores.log.warn('runs_not_swept', {})),
      );
      if (started.worker === 'caller') return replyOf({ run: started });
      await workers.dispatch(caller, started, { claims: [] }, warnings);
      const { wait_s = DEFAULT_WAIT_S } = body;
      return replyOf({ run: await wait(started, wait_s) });
    },
    async listRuns({ query, caller }) {
      const { result, pagination } = await service.list(caller, query);
      return { result: result.map(runView), pagination, message: counted(pagination.total, 'run', 'runs') };
    },
    async getRun({ params, query, caller, requestId }) {
      const seen = await withWorker(caller, requestId, await service.open(caller, params.run_id), []);
      const run = await wait(seen.run, query.wait_s ?? 0);
      return replyOf(run === seen.run ? seen : { run });
    },
    async stepRun({ params, caller, requestId }) {
      const run = await service.open(caller, params.run_id);
      const taken = await takeStep(stepsOf(caller, requestId, run), run._key);
      return stepReply(taken);
    },
    async approveRun({ params, body, caller, warnings, requestId }) {
      const run = await service.open(caller, params.run_id);
      const site = stepsOf(caller, requestId, run);
      await service.decide(caller, run, body, (step, args) => assertFits(site, run, caller, step, args));
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

  async function assertFits(steps: StepSite, run: RunDoc, caller: Caller, step: StepDoc, args: Json): Promise<void> {
    if (step.kind === 'invoke') {
      const message = 'are for calls of tools: an agent that runs elsewhere gets the input of the run';
      throw invalid([{ field: 'arguments', message }]);
    }
    if (Buffer.byteLength(stringifyExact(args)) > MAX_ARGUMENTS) {
      throw invalid([{ field: 'arguments', message: `must not be longer than ${MAX_ARGUMENTS} bytes of JSON` }]);
    }
    const user = await userOf(caller, run);
    // Its server may have to be asked for its tools.
    await use.enter(caller.user);
    const { tools } = await toolsOfRun(new ToolCatalogue(steps.deps), stores.records, user, run.definition);
    const tool = tools.find(({ served }) => served.name === step.call?.name);
    if (!tool) {
      const message = `cannot be checked, since ${step.name} is not listed now. Approve without arguments, or try again.`;
      throw invalid([{ field: 'arguments', message }]);
    }
    await checkArguments(steps.deps.schemas, tool.served.inputSchema as Json | undefined, args);
  }
}

function stepReply({ run, step, isBusy }: Taken) {
  return {
    run_id: run._key,
    state: run.state,
    ...(step ? { step: stepView(step) } : {}),
    ...(isBusy ? { busy: true } : {}),
  };
}
