import type { Caller } from '../../../contract/caller.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { type GatewaySite, type RequestOrigin, requestContext } from '../../context.ts';
import type { RunDoc } from '../documents/stored.ts';
import { runEvent } from '../runEvent.ts';
import type { RunStore } from '../runStore.ts';
import type { PreparedRun, Runs } from '../service.ts';
import type { Workers } from '../workers.ts';
import { answerPlace } from './answer.ts';
import { alertEvents, eventsOfRefusal, type LeftRow, systemUserFault } from './events.ts';
import { assertWithinLimits } from './limits.ts';
import { readParams } from './params.ts';
import type { Alert, AlertOutcomeView } from './schemas.ts';
import { AlertStart } from './start.ts';

/** Access of a request that starts runs for an alert. */
export interface AlertRunsSite {
  site: GatewaySite;
  origin: RequestOrigin;
  store: RunStore;
  service: Runs;
  workers: Workers;
  /** Goes on with a run that has no worker. */
  resume(caller: Caller, requestId: string, run: RunDoc, warnings: string[]): Promise<unknown>;
}

export interface AlertCall {
  caller: Caller;
  requestId: string;
  warnings: string[];
}

/**
 * Starts the runs of an alert, as the caller.
 * @throws Fault where nothing is started: `system_user`, `validation_failed`; other refusals are outcomes of the rows
 */
export async function startAlert(
  { site, origin, store, service, workers, resume }: AlertRunsSite,
  alert: Alert,
  { caller, requestId, warnings }: AlertCall,
): Promise<AlertOutcomeView[]> {
  const refusal = systemUserFault(caller.user, alert.search_name);
  if (refusal) throw refusal;
  const settings = readParams(alert.params);
  const { stores } = site;
  const deps = requestContext(site, origin, requestId);
  const { agent, model } = settings;
  const what = agent === '' ? { definition: { runtime_type: 'BUILT_IN', llm: { model } } as const } : { agent };
  /** After the first search that the platform refused, others go on with the runs. */
  let isDispatched = true;
  const unlessFault = async (run: RunDoc, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      // The run is stored: who reads it next sees to it.
      stores.log.warn('run_worker_not_started', { run: run._key, code: error.code });
    }
  };
  const start = new AlertStart(
    {
      ...{ stores, user: caller.user },
      async prepare(): Promise<PreparedRun> {
        const prepared = await service.prepare(caller, what, () => deps.resolve(caller, undefined), warnings);
        await assertWithinLimits(deps, caller, prepared);
        return prepared;
      },
      newRun: (prepared, input, id) => service.newRun(caller, prepared, { input }, id),
      run: (id) => store.run(id),
      insert: (run) =>
        stores.audit.runFor(
          caller.user,
          { action: 'run', family: 'runs', name: run.agent ?? '', run_id: run._key },
          () => store.insertRun(run),
        ),
      async begin(run) {
        site.keepRunEvent(runEvent(run, run.started_at));
        const before = warnings.length;
        if (isDispatched) await unlessFault(run, () => workers.dispatch(caller, run, { claims: [] }, warnings));
        isDispatched &&= warnings.length === before;
      },
      resume: (run) => unlessFault(run, () => resume(caller, requestId, run, warnings)),
      report: (rows: readonly LeftRow[]) => site.reportAlerts(alertEvents(alert, caller.user, store.now(), rows)),
    },
    alert,
    settings,
    await answerPlace(site.settings, settings),
  );
  return start.start();
}

/** Reports an alert whose request was refused as a whole. Does not reject. */
export async function reportRefusedAlert(
  { reportAlerts, stores }: Pick<GatewaySite, 'reportAlerts' | 'stores'>,
  { caller, body }: { caller: Caller; body: unknown },
  error: unknown,
): Promise<void> {
  const events = eventsOfRefusal(body, caller.user, stores.clock.now() / 1000, error);
  if (events.length > 0) await reportAlerts(events);
}
