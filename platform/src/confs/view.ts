import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf, forbidden, mayAccess } from '../apps/access.ts';
import { localConfFile } from '../apps/apps.ts';
import { type AccessRule, DEFAULT_APP, type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import { mergeConf, readConf, type Stanza } from './conf.ts';

export interface ConfOptions {
  apps(): readonly HostedApp[];
}

/** One stanza as seen from an app: the file's `[default]`, overlaid by its own keys. */
export interface SeenStanza {
  name: string;
  keys: Stanza;
  /** The app that changes are written to. */
  app: HostedApp;
  /** Has a local part that can be removed. */
  removable: boolean;
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

export function confName(name: string): string {
  if (NAME.test(name) && name.length <= 100) return name;
  throw new PlatformError(400, `Invalid configuration file name "${name}": letters, digits, "_", "-" and "." only.`);
}

/** The app of the request's namespace; undefined for the wildcard. */
function contextApp(options: ConfOptions, req: PlatformRequest): HostedApp | undefined {
  if (req.namespaced && req.ns.app === undefined) return undefined;
  const name = req.ns.app ?? DEFAULT_APP;
  return options.apps().find((app) => app.name === name);
}

/** The apps whose files apply, lowest precedence first: system, exporting apps, the app itself. */
function layers(
  options: ConfOptions,
  context: HostedApp | undefined,
  conf: string,
): { app: HostedApp; all: boolean }[] {
  const others = options.apps().filter((app) => app.name !== SYSTEM_APP && app !== context);
  const system = options.apps().filter((app) => app.name === SYSTEM_APP && app !== context);
  return [
    ...system.map((app) => ({ app, all: true })),
    ...others
      .filter((app) => Object.keys(app.conf(conf)).length > 0)
      .map((app) => ({ app, all: context === undefined })),
    ...(context === undefined ? [] : [{ app: context, all: true }]),
  ];
}

export function visibleStanzas(options: ConfOptions, req: PlatformRequest, conf: string): SeenStanza[] {
  const context = contextApp(options, req);
  const mergedStanzas = new Map<string, { keys: Stanza; app: HostedApp }>();
  let defaults: Stanza = {};
  for (const { app, all } of layers(options, context, conf)) {
    const stanzas = app.conf(conf);
    if (all) defaults = { ...defaults, ...stanzas.default };
    for (const [name, keys] of Object.entries(stanzas)) {
      if (name === 'default' || !(all || app.isExported(objectPath(conf, name)))) continue;
      mergedStanzas.set(name, { keys: { ...mergedStanzas.get(name)?.keys, ...keys }, app });
    }
  }
  return [...mergedStanzas]
    .filter(([name, { app }]) => mayAccess(callerOf(req), rule(app, conf, name), 'read'))
    .map(([name, { keys, app }]) => ({
      name,
      keys: { ...defaults, ...keys },
      app,
      removable: Object.hasOwn(readConf(localConfFile(app, conf)), name),
    }));
}

/** `[default]` is not listed but can be read. */
export function defaultStanza(options: ConfOptions, req: PlatformRequest, conf: string): SeenStanza | undefined {
  const context = contextApp(options, req);
  const owners = layers(options, context, conf).filter(
    ({ app: layer, all }) => all && mayAccess(callerOf(req), rule(layer, conf, 'default'), 'read'),
  );
  const app = owners.at(-1)?.app;
  if (app === undefined) return undefined;
  const merged = mergeConf(...owners.map((layer) => ({ default: layer.app.conf(conf).default ?? {} })));
  return { name: 'default', keys: { ...merged.default }, app, removable: false };
}

/** Names of all conf files visible from the request's app. */
export function visibleConfs(options: ConfOptions, req: PlatformRequest): string[] {
  const context = contextApp(options, req);
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

/** The app of a new stanza; a wildcard cannot name one. */
export function targetApp(options: ConfOptions, req: PlatformRequest): HostedApp {
  const app = contextApp(options, req);
  if (app === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  return app;
}
