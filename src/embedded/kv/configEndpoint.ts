import { join } from 'node:path';
import { localConfFile } from '../apps.ts';
import { readConf, removeStanza, writeStanza } from '../conf.ts';
import { eaiReply, namespaceBase, requestBase } from '../eai.ts';
import type { Route } from '../route.ts';
import { type HostedApp, PlatformError, type PlatformReply, type PlatformRequest } from '../types.ts';
import { callerOf, forbidden, mayAccess, mayUseCollection } from './access.ts';
import { aclEntry, saveAcl } from './collectionAcl.ts';
import { collectionEntry } from './collectionEntry.ts';
import { FIELDS, settingsOf } from './collectionSettings.ts';
import {
  appByName,
  type Collection,
  collectionsOf,
  findCollection,
  type KvOptions,
  SYSTEM_APP,
} from './collections.ts';
import { faultGate } from './faultGate.ts';

const PATH = '/storage/collections/config';

/** `/servicesNS/nobody/{app}/storage/collections/config[/{name}]`: the settings in collections.conf as EAI entities. */
export function configRoutes(options: KvOptions): Route[] {
  const { store, faults, log } = options;
  const route = (
    method: string,
    tail: string,
    handle: (req: PlatformRequest, name: string) => PlatformReply | Promise<PlatformReply>,
  ): Route => ({
    method,
    pattern: PATH + tail,
    handle: async (req, { name = '' }) => {
      requireNobody(req);
      if (method !== 'GET') await faultGate(faults, 'kvstore', 'write', req);
      return handle(req, name);
    },
  });
  const list = (req: PlatformRequest): PlatformReply => feed(req, visible(options, req), { single: false });
  const one = (req: PlatformRequest, name: string, status = 200): PlatformReply =>
    feed(req, named(options, req, name), { single: true, status });

  const setDisabled = (req: PlatformRequest, name: string, disabled: '0' | '1'): PlatformReply => {
    const { app } = writable(options, req, name);
    writeStanza(localConfFile(app, 'collections'), name, { disabled });
    return one(req, name);
  };

  return [
    route('GET', '', list),
    route('GET', '/_reload', list),
    route('POST', '/_reload', list),
    route('GET', '/_new', (req) =>
      eaiReply(req, {
        title: 'collections-conf',
        base: requestBase(req, PATH),
        single: true,
        entries: [
          {
            name: '_new',
            acl: { app: req.ns.app ?? '', owner: 'nobody', sharing: 'app', perms: null, can_write: true },
            content: {},
            fields: { ...FIELDS, required: ['name'] },
          },
        ],
      }),
    ),
    route('POST', '', (req) => {
      const name = req.arg('name') ?? '';
      if (name === '') {
        throw new PlatformError(400, 'Cannot perform action "POST" without a target name to act on.');
      }
      const app = targetApp(options, req);
      if (!/^[A-Za-z0-9_-]{1,128}$/.test(name) || name === 'default') {
        throw new PlatformError(400, 'A collection name consists of letters, digits, underscores and hyphens.');
      }
      if (!mayAccess(callerOf(req), app.access('collections'), 'write'))
        throw forbidden(callerOf(req), 'admin_all_objects');
      if (Object.hasOwn(app.conf('collections'), name)) {
        throw new PlatformError(409, `An object with name=${name} already exists`);
      }
      writeStanza(localConfFile(app, 'collections'), name, settingsOf(req));
      log.write('INFO', 'KVStoreConfigurationProvider', `collection created app=${app.name} collection=${name}`);
      return one(req, name, 201);
    }),
    route('DELETE', '', () => {
      throw new PlatformError(400, 'Cannot perform action "DELETE" without a target name to act on.');
    }),
    route('GET', '/{name}', one),
    route('GET', '/{name}/_reload', one),
    route('POST', '/{name}/_reload', one),
    route('POST', '/{name}/disable', (req, name) => setDisabled(req, name, '1')),
    route('POST', '/{name}/enable', (req, name) => setDisabled(req, name, '0')),
    route('POST', '/{name}', (req, name) => {
      const { app } = writable(options, req, name);
      writeStanza(localConfFile(app, 'collections'), name, settingsOf(req));
      return one(req, name);
    }),
    route('DELETE', '/{name}', (req, name) => {
      const { app } = writable(options, req, name);
      // Checked first: only the local half could be removed, and the data with it, for a collection that stays.
      if (Object.hasOwn(readConf(join(app.dir, 'default', 'collections.conf')), name)) {
        throw new PlatformError(
          400,
          `Cannot remove collection ${name}: it is defined in the default folder of its app.`,
        );
      }
      removeStanza(localConfFile(app, 'collections'), name);
      store.drop(app.name, name);
      log.write('INFO', 'KVStoreConfigurationProvider', `collection deleted app=${app.name} collection=${name}`);
      return list(req);
    }),
    route('GET', '/{name}/acl', (req, name) =>
      eaiReply(req, {
        title: 'collections-conf',
        base: requestBase(req, PATH),
        single: true,
        entries: named(options, req, name).map((found) => aclEntry(found, callerOf(req))),
      }),
    ),
    route('POST', '/{name}/acl', (req, name) => {
      const found = writable(options, req, name);
      saveAcl(found, req);
      return eaiReply(req, {
        title: 'collections-conf',
        base: requestBase(req, PATH),
        single: true,
        entries: [aclEntry(found, callerOf(req))],
      });
    }),
  ];
}

/** The platform's own words; its SDK suites expect the refusal. */
function requireNobody(req: PlatformRequest): void {
  const user = req.namespaced ? (req.ns.user ?? '-') : callerOf(req).user;
  if (user === 'nobody') return;
  throw new PlatformError(
    400,
    `Must use user context of 'nobody' when interacting with collection configurations (used user='${user}')`,
  );
}

function feed(req: PlatformRequest, found: Collection[], shape: { single: boolean; status?: number }): PlatformReply {
  return eaiReply(req, {
    title: 'collections-conf',
    base: requestBase(req, PATH),
    entries: found.map((collection) => ({
      ...collectionEntry(collection, callerOf(req)),
      base: namespaceBase('nobody', collection.app.name, PATH),
    })),
    ...shape,
  });
}

/** The app's own and those of `system`; with a wildcard those of all apps. An own one hides its namesake. */
function visible(options: KvOptions, req: PlatformRequest): Collection[] {
  const caller = callerOf(req);
  const apps = options.apps();
  const wanted =
    req.ns.app === undefined ? apps : apps.filter((app) => app.name === req.ns.app || app.name === SYSTEM_APP);
  const all = wanted.flatMap(collectionsOf);
  const own = new Set(all.filter((item) => item.app.name === req.ns.app).map((item) => item.name));
  return all
    .filter((item) => req.ns.app === undefined || item.app.name === req.ns.app || !own.has(item.name))
    .filter((item) => mayUseCollection(caller, item.app, item.name, 'read'));
}

function named(options: KvOptions, req: PlatformRequest, name: string): Collection[] {
  const found = visible(options, req).filter((item) => item.name === name);
  if (found.length === 0) throw new PlatformError(404, `Could not find object id=${name}`);
  return found;
}

function targetApp(options: KvOptions, req: PlatformRequest): HostedApp {
  if (req.ns.app === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  const app = appByName(options.apps(), req.ns.app);
  if (app === undefined) throw new PlatformError(404, `Could not find object id=${req.ns.app}`);
  return app;
}

function writable(options: KvOptions, req: PlatformRequest, name: string): Collection {
  const app = targetApp(options, req);
  const found = findCollection(options.apps(), app.name, name);
  if (found === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
  const caller = callerOf(req);
  if (!mayUseCollection(caller, found.app, name, 'write')) throw forbidden(caller, 'admin_all_objects');
  return found;
}
