import { mergedConf } from '../apps/apps.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { notFound } from '../eai/routes.ts';
import type { PlatformLog } from '../home/log.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { SearchJobs } from '../search/jobs/jobs.ts';
import type { AlertActions } from './actions/actions.ts';
import { AlertState } from './runs/alertState.ts';
import { dispatchRoute } from './runs/dispatchEndpoint.ts';
import { SavedSearchRunner } from './runs/runner.ts';
import { type BegunRun, Scheduler } from './runs/scheduler.ts';
import { searchStateRoutes } from './runs/stateEndpoints.ts';
import { savedSearchRoutes } from './saved/endpoints.ts';
import { everySearch, type SavedSearchOptions, visibleSearches } from './saved/list.ts';
import { type SavedSearch, savedSearchId } from './saved/savedSearch.ts';
import { schedulerRoute } from './schedulerEndpoint.ts';

export interface PlatformAlertsOptions extends SavedSearchOptions {
  jobs: SearchJobs;
  actions: AlertActions;
  log: PlatformLog;
  /** The clock of the scheduler, epoch milliseconds. */
  now(): number;
  /** The database that all members of a cluster share. */
  stateFile: string;
  /** The user of that name, without a session; the system user for `nobody`. */
  user(name: string): PlatformCaller | undefined;
}

/** Saved searches, their schedule and their alert actions. */
export interface PlatformAlerts {
  routes: Route[];
  /** Runs searches by the clock. */
  start(): void;
  /** Runs everything that is due up to now, and waits for its actions. */
  runScheduled(): Promise<BegunRun[]>;
  /** Ends runs, actions and all search jobs. */
  close(): Promise<void>;
}

/** Threads of alert actions where limits.conf names none. */
const THREADS = 10;
const MOST_THREADS = 100;

export function platformAlerts(options: PlatformAlertsOptions): PlatformAlerts {
  const { jobs, actions, log, now } = options;
  const state = new AlertState(options.stateFile);
  const runner = new SavedSearchRunner({ jobs, actions, state, log });
  const ownerOf = ({ owner }: SavedSearch) => options.user(owner);
  const scheduler = new Scheduler({ searches: () => everySearch(options), ownerOf, runner, state, log, now });
  const find = (req: PlatformRequest, name: string) => {
    const slashed = name.replace(/%2F/gi, '/');
    const names = [name, slashed, slashed.replaceAll('+', ' ')];
    const searches = visibleSearches(options, req);
    const search = names.map((each) => searches.find((candidate) => candidate.name === each)).find(Boolean);
    if (search === undefined) throw notFound(name);
    return search;
  };
  const failed = (error: Error) => log.write('ERROR', 'SavedSplunker', error.stack ?? error.message);
  return {
    routes: [
      ...savedSearchRoutes({ ...options, removed: (search) => state.forget(savedSearchId(search)) }),
      dispatchRoute({ runner, find, ownerOf, now, failed }),
      ...searchStateRoutes({ jobs, state, now, find }),
      schedulerRoute(scheduler),
    ],
    start: () => scheduler.start(),
    runScheduled: () => scheduler.runUpTo(),
    close: async () => {
      scheduler.stop();
      await actions.close();
      await jobs.close();
      await Promise.all([scheduler.settled(), runner.settled()]);
      state.close();
    },
  };
}

/** `action_execution_threads` of limits.conf. */
export function actionThreads(apps: readonly HostedApp[]): number {
  const threads = Number(mergedConf(apps, 'limits').scheduler?.action_execution_threads ?? THREADS);
  return Number.isInteger(threads) && threads > 0 ? Math.min(threads, MOST_THREADS) : THREADS;
}
