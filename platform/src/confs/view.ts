import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf, forbidden, isPrivileged, mayAccess } from '../apps/access.ts';
import { localConfFile } from '../apps/apps.ts';
import { type AccessRule, DEFAULT_APP, type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import type { UserLayers } from '../apps/userLayers.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import { mergeConf, readConf, type Stanza } from './conf.ts';

export interface ConfOptions {
  apps(): readonly HostedApp[];
  users: UserLayers;
}

/** Where from and as whom configuration is looked at. */
export interface ConfView {
  caller: PlatformCaller;
  /** The app of the namespace; undefined for the wildcard. */
  app: string | undefined;
  /** The user whose private stanzas are seen; `nobody` for none. */
  user: string;
}

/** One stanza as seen from an app: the file's `[default]`, overlaid by its own keys. */
export interface SeenStanza {
  name: string;
  keys: Stanza;
  /** The app, or the user's private layer of it, that changes are written to. */
  app: HostedApp;
  /** The user whose private stanza it is; `nobody` for that of an app. */
  owner: string;
  /** Has a local part that can be removed. */
  removable: boolean;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

export function confName(name: string): string {
  if (NAME.test(name) && name.length <= 100) return name;
  throw new PlatformError(400, `Invalid configuration file name "${name}": letters, digits, "_", "-" and "." only.`);
}

/** The view of a request: with a wildcard as its user, that of the caller. */
export function viewOf(req: PlatformRequest): ConfView {
  const caller = callerOf(req);
  const app = req.namespaced ? req.ns.app : DEFAULT_APP;
  return { caller, app, user: (req.namespaced ? req.ns.user : undefined) ?? caller.user };
}

function contextApp(options: ConfOptions, { app: name }: Pick<ConfView, 'app'>): HostedApp | undefined {
  return options.apps().find((app) => app.name === name);
}

interface Layer {
  app: HostedApp;
  all: boolean;
  owner: string;
}

/** The private stanzas of the view's user, which others than the user see only as administrators. */
function privateLayers(options: ConfOptions, { caller, app: context, user }: ConfView): Layer[] {
  if (user === 'nobody' || (user !== caller.user && !isPrivileged(caller))) return [];
  const apps = options.apps().filter((app) => context === undefined || app.name === context);
  return apps.map((app) => ({ app: options.users.of(user, app.name), all: true, owner: user }));
}

/** The files that apply, lowest precedence first: system, exporting apps, the app itself. */
function layers(options: ConfOptions, context: HostedApp | undefined, conf: string): Layer[] {
  const owner = 'nobody';
  const others = options.apps().filter((app) => app.name !== SYSTEM_APP && app !== context);
  const system = options.apps().filter((app) => app.name === SYSTEM_APP && app !== context);
  return [
    ...system.map((app) => ({ app, all: true, owner })),
    ...others
      .filter((app) => Object.keys(app.conf(conf)).length > 0)
      .map((app) => ({ app, all: context === undefined, owner })),
    ...(context === undefined ? [] : [{ app: context, all: true, owner }]),
  ];
}

export function visibleStanzas(options: ConfOptions, req: PlatformRequest, conf: string): SeenStanza[] {
  return stanzasOf(options, viewOf(req), conf);
}

export function stanzasOf(options: ConfOptions, view: ConfView, conf: string): SeenStanza[] {
  const context = contextApp(options, view);
  const mergedStanzas = new Map<string, { keys: Stanza; app: HostedApp; owner: string }>();
  let defaults: Stanza = {};
  const { caller } = view;
  const readable = layers(options, context, conf).map((layer) => ({ ...layer, isPrivate: false }));
  const own = privateLayers(options, view).map((layer) => ({ ...layer, isPrivate: true }));
  for (const { app, all, owner, isPrivate } of [...readable, ...own]) {
    const stanzas = app.conf(conf);
    if (all) defaults = { ...defaults, ...stanzas.default };
    for (const [name, keys] of Object.entries(stanzas)) {
      if (name === 'default' || !(all || app.isExported(objectPath(conf, name)))) continue;
      // A stanza that the caller may not read gives no keys to one that the caller may.
      if (!isPrivate && !mayAccess(caller, rule(app, conf, name), 'read')) {
        mergedStanzas.delete(name);
        continue;
      }
      mergedStanzas.set(name, { keys: { ...mergedStanzas.get(name)?.keys, ...keys }, app, owner });
    }
  }
  return [...mergedStanzas].map(([name, { keys, app, owner }]) => ({
    name,
    keys: { ...defaults, ...keys },
    app,
    owner,
    removable: Object.hasOwn(readConf(localConfFile(app, conf)), name),
  }));
}

/** `[default]` is not listed but can be read. */
export function defaultStanza(options: ConfOptions, req: PlatformRequest, conf: string): SeenStanza | undefined {
  const context = contextApp(options, viewOf(req));
  const owners = layers(options, context, conf).filter(
    ({ app: layer, all }) => all && mayAccess(callerOf(req), rule(layer, conf, 'default'), 'read'),
  );
  const app = owners.at(-1)?.app;
  if (app === undefined) return undefined;
  const merged = mergeConf(...owners.map((layer) => ({ default: layer.app.conf(conf).default ?? {} })));
  return { name: 'default', keys: { ...merged.default }, app, owner: 'nobody', removable: false };
}

/** Names of all conf files visible from the request's app. */
export function visibleConfs(options: ConfOptions, req: PlatformRequest): string[] {
  const context = contextApp(options, viewOf(req));
  const apps =
    context === undefined ? options.apps() : options.apps().filter((app) => app === context || app.name === SYSTEM_APP);
  const names = apps.flatMap((app) => ['default', 'local'].flatMap((folder) => confFiles(join(app.dir, folder))));
  return [...new Set(names)].sort();
}

export function confExists(options: ConfOptions, req: PlatformRequest, conf: string): boolean {
  return visibleConfs(options, req).includes(conf) || visibleStanzas(options, req, conf).length > 0;
}

function confFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((file) => {
    const name = file.endsWith('.conf') ? file.slice(0, -'.conf'.length) : '';
    return NAME.test(name) ? [name] : [];
  });
}

export function rule(app: HostedApp, conf: string, stanza: string): AccessRule {
  return app.access(objectPath(conf, stanza));
}

export function requireWrite(req: PlatformRequest, app: HostedApp, conf: string, stanza: string): void {
  const caller = callerOf(req);
  if (!mayAccess(caller, rule(app, conf, stanza), 'write')) throw forbidden(caller, 'admin_all_objects');
}

/** A private stanza is written by its user; one of an app by whom its metadata names. */
export function requireStanzaWrite(
  req: PlatformRequest,
  { app, owner, name }: Pick<SeenStanza, 'app' | 'owner' | 'name'>,
  conf: string,
): void {
  const caller = callerOf(req);
  if (owner === 'nobody') requireWrite(req, app, conf, name);
  else if (owner !== caller.user && !isPrivileged(caller)) throw forbidden(caller, 'admin_all_objects');
}

/** The app of a new stanza; a wildcard cannot name one. */
export function targetApp(options: ConfOptions, req: PlatformRequest): HostedApp {
  const app = contextApp(options, viewOf(req));
  if (app === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  return app;
}
