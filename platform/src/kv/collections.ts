import { callerOf, forbidden, isPrivileged, mayAccess } from '../apps/access.ts';
import { DEFAULT_APP, type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import { parseBoolean, type Stanza } from '../confs/conf.ts';
import type { Faults } from '../faults/faults.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { KvBackend } from './calls.ts';
import { accelerationsOf } from './store/accelerations.ts';
import { type TypeRules, typeRules } from './store/fieldTypes.ts';
import type { Partition } from './store/store.ts';

export interface KvOptions {
  /** The local store, or a relay to the member that holds it. */
  kv: KvBackend;
  /** All hosted apps; collections of `system` are visible from all namespaces. */
  apps(): readonly HostedApp[];
  faults: Pick<Faults, 'get'>;
  log: PlatformLog;
}

export interface Collection {
  app: HostedApp;
  name: string;
  stanza: Stanza;
}

export function appByName(apps: readonly HostedApp[], name: string): HostedApp | undefined {
  return apps.find((app) => app.name === name);
}

export function collectionsOf(app: HostedApp): Collection[] {
  return Object.entries(app.conf('collections'))
    .filter(([name]) => name !== 'default')
    .map(([name, stanza]) => ({ app, name, stanza }));
}

/** The app's own collection, else one of `system`. */
export function findCollection(apps: readonly HostedApp[], appName: string, name: string): Collection | undefined {
  for (const candidate of [appName, SYSTEM_APP]) {
    const app = appByName(apps, candidate);
    const conf = app?.conf('collections');
    if (app === undefined || conf === undefined || name === 'default' || !Object.hasOwn(conf, name)) continue;
    return { app, name, stanza: conf[name] ?? {} };
  }
  return undefined;
}

export interface OpenCollection {
  at: Partition;
  rules: TypeRules;
}

/** Resolves a data request to its partition, or throws the 4xx. */
export function openCollection(
  options: Pick<KvOptions, 'apps'>,
  req: PlatformRequest,
  name: string,
  half: 'read' | 'write',
): OpenCollection {
  const caller = callerOf(req);
  // Not confirmed on the platform. A wildcard names no partition; guessing one would hide a client's mistake.
  if (req.namespaced && (req.ns.user === undefined || req.ns.app === undefined)) {
    throw new PlatformError(400, 'Collection data cannot be used with a wildcard in the namespace.');
  }
  const user = req.ns.user ?? caller.user;
  const collection = findCollection(options.apps(), req.ns.app ?? DEFAULT_APP, name);
  if (collection === undefined || parseBoolean(collection.stanza.disabled) === true) {
    throw new PlatformError(404, `An object with name=${name} does not exist`);
  }
  // Only callers who pass every rule may use another user's documents.
  const foreign = user !== 'nobody' && user !== caller.user;
  const rule = collection.app.access(objectPath('collections', name));
  if ((foreign && !isPrivileged(caller)) || !mayAccess(caller, rule, half)) {
    throw forbidden(caller, 'admin_all_objects');
  }
  const accelerations = accelerationsOf(collection.stanza);
  return {
    at: { app: collection.app.name, collection: name, user, accelerations },
    rules: typeRules(collection.stanza),
  };
}
