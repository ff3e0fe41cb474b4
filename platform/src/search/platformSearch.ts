import { AlertActions } from '../alerts/actions/actions.ts';
import { actionThreads, type PlatformAlerts, platformAlerts } from '../alerts/platformAlerts.ts';
import { sendAlert } from '../alerts/sendalert.ts';
import { mergedConf } from '../apps/apps.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { UserLayers } from '../apps/userLayers.ts';
import { configRoutes } from '../confs/configEndpoints.ts';
import { dataModelRoutes } from '../confs/dataModelEndpoints.ts';
import { listingRoutes } from '../confs/listingEndpoints.ts';
import { macroOf, macroRoutes } from '../confs/macroEndpoints.ts';
import { propertyRoutes } from '../confs/propertyEndpoints.ts';
import { eventRoutes } from '../events/endpoints.ts';
import { EventIndexes } from '../events/eventIndexes.ts';
import { indexRoutes } from '../events/indexEndpoints.ts';
import type { Faults } from '../faults/faults.ts';
import type { Route } from '../http/route.ts';
import type { Identity } from '../identity/identity.ts';
import { SYSTEM_USER } from '../identity/users.ts';
import type { KvBackend } from '../kv/calls.ts';
import { lookupDefinitionRoutes } from '../lookups/definitionEndpoints.ts';
import { lookupRoutes } from '../lookups/endpoints.ts';
import { LookupFiles } from '../lookups/files.ts';
import { readLookup } from '../lookups/tables.ts';
import { searchRoutes } from './endpoints/endpoints.ts';
import { searchLimits } from './jobs/concurrency.ts';
import { identityPorts } from './jobs/identityPorts.ts';
import { SearchJobs, type SearchJobsOptions } from './jobs/jobs.ts';
import { maxResultRows } from './jobs/limits.ts';

type OfPlatform = Pick<
  SearchJobsOptions,
  'env' | 'graceMs' | 'home' | 'log' | 'probe' | 'serverName' | 'splunkdUri' | 'version'
>;

export interface PlatformSearchOptions extends OfPlatform {
  apps(): readonly HostedApp[];
  identity: Identity;
  kv: KvBackend;
  faults: Pick<Faults, 'get'>;
  /** Address of the apps' pages. */
  webUri(): string;
  /** The clock of the scheduler, epoch milliseconds. */
  now(): number;
  /** The scheduler's database, which all members of a cluster share. */
  alertState: string;
}

/** Search jobs and alerts, and the endpoints of everything that searches read: configuration, lookups, events. */
export function platformSearch({
  apps,
  identity,
  kv,
  faults,
  webUri,
  now,
  alertState,
  ...options
}: PlatformSearchOptions): {
  alerts: PlatformAlerts;
  routes: Route[];
} {
  const events = new EventIndexes(options.home, () => mergedConf(apps(), 'indexes'));
  const confs = { apps, users: new UserLayers(options.home) };
  const lookups = { files: new LookupFiles(options.home), ...confs };
  const ports = identityPorts(identity);
  const actions = new AlertActions({ ...options, ...ports, apps, webUri, threads: actionThreads(apps()) });
  const jobs = new SearchJobs({
    ...options,
    ...ports,
    events,
    apps,
    macro: (caller, app, name) => macroOf(confs, { caller, app, user: caller.user }, name),
    lookup: (reader, command, name) => readLookup({ ...lookups, kv, faults }, reader, command, name),
    sendalert: (by, call, results) => sendAlert(actions, by, call, results),
    limits: () => searchLimits(apps()),
    maxResultRows: () => maxResultRows(apps()),
  });
  const alerts = platformAlerts({
    ...confs,
    home: options.home,
    jobs,
    actions,
    log: options.log,
    now,
    stateFile: alertState,
    user: (name) =>
      name === 'nobody' || name === SYSTEM_USER ? identity.byToken(identity.systemToken) : identity.caller(name, ''),
  });
  const routes = [
    ...configRoutes(confs),
    ...listingRoutes(confs),
    ...alerts.routes,
    ...macroRoutes(confs),
    ...dataModelRoutes(confs),
    ...propertyRoutes(confs),
    ...lookupRoutes(lookups),
    ...lookupDefinitionRoutes(confs),
    ...indexRoutes({ home: options.home, events, apps, eventAccess: ports.eventAccess }),
    ...eventRoutes(events, apps),
    ...searchRoutes({ jobs, apps }),
  ];
  return { alerts, routes };
}
