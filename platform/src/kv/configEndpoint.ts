import { callerOf, forbidden, mayAccess } from '../apps/access.ts';
import { localConfFile } from '../apps/apps.ts';
import { type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath, writeAccess } from '../apps/metadata.ts';
import { removeStanza, type Stanza, writeStanza } from '../confs/conf.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { type AclChange, eaiRoutes } from '../eai/routes.ts';
import { faultGate } from '../faults/gate.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { CONFIG_PATH, collectionEntry } from './collectionEntry.ts';
import { FIELDS, settingsOf } from './collectionSettings.ts';
import { appByName, type Collection, collectionsOf, findCollection, type KvOptions } from './collections.ts';
import { typeRules } from './store/fieldTypes.ts';

/** `/servicesNS/nobody/{app}/storage/collections/config[/{name}]`: the stanzas of collections.conf as EAI entities. */
export function configRoutes(options: KvOptions): Route[] {
  const routes = eaiRoutes({
    path: CONFIG_PATH,
    title: 'collections-conf',
    list: (req) => visibleCollections(options, req),
    create: (req, name) => create(options, req, name),
    update: (req, entry) => change(options, req, entry, settingsOf(req)),
    remove: (req, entry) => remove(options, req, entry),
    setAcl: (req, entry, change) => setAcl(options, req, entry, change),
    actions: {
      disable: (req, entry) => change(options, req, entry, { disabled: '1' }),
      enable: (req, entry) => change(options, req, entry, { disabled: '0' }),
    },
    blank: { fields: { ...FIELDS, required: ['name'] }, content: {} },
  });
  return routes.map((route) => ({
    ...route,
    handle: async (req, params) => {
      requireNobody(req);
      // The settings are files, so they can be read in any state of the store.
      if (req.method === 'GET') return route.handle(req, params);
      return faultGate(options.faults, 'kvstore', 'write', req, () => route.handle(req, params));
    },
  }));
}

/** splunkd's message; its SDK test suites expect it. */
function requireNobody(req: PlatformRequest): void {
  const user = req.namespaced ? (req.ns.user ?? '-') : callerOf(req).user;
  if (user === 'nobody') return;
  throw new PlatformError(
    400,
    `Must use user context of 'nobody' when interacting with collection configurations (used user='${user}')`,
  );
}

/**
 * The app's collections and those of `system`, or those of all apps for a wildcard. The app's own hides one of the same
 * name.
 */
function visibleCollections(options: KvOptions, req: PlatformRequest): EaiEntry[] {
  const { app } = req.ns;
  const apps = options.apps();
  const collections = apps
    .filter((item) => app === undefined || item.name === app || item.name === SYSTEM_APP)
    .flatMap(collectionsOf);
  const ofApp = new Set(collections.filter((item) => item.app.name === app).map((item) => item.name));
  return collections
    .filter((item) => app === undefined || item.app.name === app || !ofApp.has(item.name))
    .filter((item) => isAllowed(req, item, 'read'))
    .map((item) => entryOf(req, item));
}

function create(options: KvOptions, req: PlatformRequest, name: string): undefined {
  const app = targetApp(options, req.ns.app);
  if (!/^[A-Za-z0-9_-]{1,128}$/.test(name) || name === 'default') {
    throw new PlatformError(400, 'A collection name consists of letters, digits, underscores and hyphens.');
  }
  if (!mayAccess(callerOf(req), app.access('collections'), 'write')) {
    throw forbidden(callerOf(req), 'admin_all_objects');
  }
  const settings = settingsOf(req);
  if (Object.hasOwn(app.conf('collections'), name)) {
    throw new PlatformError(409, `An object with name=${name} already exists`);
  }
  writeStanza(localConfFile(app, 'collections'), name, settings);
  options.log.write('INFO', 'KVStoreConfigurationProvider', `collection created app=${app.name} collection=${name}`);
}

function change(options: KvOptions, req: PlatformRequest, entry: EaiEntry, settings: Stanza): undefined {
  const { app } = writable(options, req, entry);
  writeStanza(localConfFile(app, 'collections'), entry.name, settings);
}

async function remove(options: KvOptions, req: PlatformRequest, entry: EaiEntry): Promise<undefined> {
  const { app, name } = writable(options, req, entry);
  if (entry.acl.removable !== true) {
    // Removing only the local half would delete the data of a collection that remains.
    throw new PlatformError(400, `Cannot remove collection ${name}: the default folder of its app defines it.`);
  }
  // Documents first: if the store cannot be reached, nothing is removed.
  const partition = { app: app.name, collection: name, user: 'nobody' };
  await options.kv.run({
    action: 'drop',
    at: partition,
    rules: typeRules({}),
    args: [],
    body: Buffer.alloc(0),
    key: '',
  });
  removeStanza(localConfFile(app, 'collections'), name);
  options.log.write('INFO', 'KVStoreConfigurationProvider', `collection deleted app=${app.name} collection=${name}`);
}

function setAcl(options: KvOptions, req: PlatformRequest, entry: EaiEntry, change: AclChange): undefined {
  const collection = writable(options, req, entry);
  if (change.sharing === 'user') {
    throw new PlatformError(
      400,
      'Invalid value for argument "sharing": a collection belongs to its app, not to a user.',
    );
  }
  writeAccess(collection.app, 'collections', collection.name, change);
}

function targetApp(options: KvOptions, name: string | undefined): HostedApp {
  if (name === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  const app = appByName(options.apps(), name);
  if (app === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
  return app;
}

/** Writing through a wildcard is refused, even if only one app has the collection. */
function writable(options: KvOptions, req: PlatformRequest, entry: EaiEntry): Collection {
  targetApp(options, req.ns.app);
  const collection = required(options, entry.acl.app, entry.name);
  if (!isAllowed(req, collection, 'write')) throw forbidden(callerOf(req), 'admin_all_objects');
  return collection;
}

function required(options: KvOptions, app: string, name: string): Collection {
  const collection = findCollection(options.apps(), app, name);
  if (collection === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
  return collection;
}

function isAllowed(req: PlatformRequest, { app, name }: Collection, half: 'read' | 'write'): boolean {
  return mayAccess(callerOf(req), app.access(objectPath('collections', name)), half);
}

function entryOf(req: PlatformRequest, collection: Collection): EaiEntry {
  return collectionEntry(collection, isAllowed(req, collection, 'write'));
}
