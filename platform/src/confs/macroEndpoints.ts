import { callerOf } from '../apps/access.ts';
import { localConfFile } from '../apps/apps.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { eaiRoutes, onlyArguments } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import type { Macro } from '../search/language/macros.ts';
import { parseBoolean, removeStanza } from './conf.ts';
import { stanzaEntry } from './configEndpoints.ts';
import {
  type ConfOptions,
  type ConfView,
  requireStanzaWrite,
  requireWrite,
  type SeenStanza,
  stanzasOf,
  targetApp,
  viewOf,
} from './view.ts';
import { removeSettings, settingsOf, writeAcl, writeSettings } from './writes.ts';

const CONF = 'macros';
const SETTINGS = ['definition', 'args', 'iseval', 'validation', 'errormsg', 'description', 'disabled'];

/** The macro of that name, `name(2)` with its number of arguments, as it is seen from there; undefined if there is none. */
export function macroOf(options: ConfOptions, view: ConfView, name: string): Macro | undefined {
  const keys = stanzasOf(options, view, CONF).find((stanza) => stanza.name === name)?.keys;
  if (keys === undefined || parseBoolean(keys.disabled) === true) return undefined;
  const { definition, args, validation, errormsg } = keys;
  return { definition, args, validation, errormsg, iseval: parseBoolean(keys.iseval) };
}

/** `admin/macros` and `data/macros`: macros of apps, and private ones of the user in the namespace. */
export function macroRoutes(options: ConfOptions): Route[] {
  return ['/admin/macros', '/data/macros'].flatMap((path) => routesAt(options, path));
}

function routesAt(options: ConfOptions, path: string): Route[] {
  const entry = (req: PlatformRequest, stanza: SeenStanza): EaiEntry => {
    const rendered = stanzaEntry(req, path, CONF, stanza);
    const { iseval, ...content } = rendered.content;
    return {
      ...rendered,
      content: { ...content, ...(iseval === undefined ? {} : { iseval: parseBoolean(String(iseval)) ?? false }) },
    };
  };
  const stanzaOf = (req: PlatformRequest, { name }: EaiEntry): SeenStanza => {
    const stanza = stanzasOf(options, viewOf(req), CONF).find((candidate) => candidate.name === name);
    if (stanza === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
    return stanza;
  };
  return eaiRoutes({
    path,
    title: CONF,
    blank: { fields: { required: ['definition', 'name'], optional: SETTINGS.slice(1), wildcard: [] }, content: {} },
    list: (req) => stanzasOf(options, viewOf(req), CONF).map((stanza) => entry(req, stanza)),
    create: (req, name) => {
      onlyArguments(req, ['name', ...SETTINGS]);
      const app = targetApp(options, req);
      const { place, owner } = placeOf(options, req, app);
      requireStanzaWrite(req, { app: place, owner, name }, CONF);
      if (Object.hasOwn(place.conf(CONF), name))
        throw new PlatformError(409, `An object with name=${name} already exists`);
      const settings = settingsOf(req);
      check(name, settings);
      if ((settings.definition ?? '') === '')
        throw new PlatformError(400, 'The following required arguments are missing: definition.');
      writeSettings(place, CONF, name, settings);
      return undefined;
    },
    update: (req, target) => {
      onlyArguments(req, SETTINGS);
      const stanza = stanzaOf(req, target);
      requireStanzaWrite(req, stanza, CONF);
      const settings = settingsOf(req);
      check(target.name, { ...stanza.keys, ...settings });
      writeSettings(stanza.app, CONF, target.name, settings);
      return undefined;
    },
    remove: (req, target) => {
      const stanza = stanzaOf(req, target);
      requireStanzaWrite(req, stanza, CONF);
      removeSettings(stanza.app, CONF, target.name);
      return undefined;
    },
    setAcl: (req, target, change) => {
      const stanza = stanzaOf(req, target);
      requireStanzaWrite(req, stanza, CONF);
      if (stanza.owner === 'nobody') writeAcl(stanza.app, CONF, target.name, change);
      else if (change.sharing !== 'user') share(options, req, stanza, change);
      return undefined;
    },
  });
}

/** Makes a private macro one of its app. */
function share(
  options: ConfOptions,
  req: PlatformRequest,
  { name, app: layer }: SeenStanza,
  change: Parameters<typeof writeAcl>[3],
): void {
  const app = options.apps().find((candidate) => candidate.name === layer.name);
  if (app === undefined) throw new PlatformError(404, `Application does not exist: ${layer.name}`);
  requireWrite(req, app, CONF, name);
  if (Object.hasOwn(app.conf(CONF), name)) throw new PlatformError(409, `An object with name=${name} already exists`);
  writeSettings(app, CONF, name, { ...layer.conf(CONF)[name] });
  writeAcl(app, CONF, name, change);
  removeStanza(localConfFile(layer, CONF), name);
}

/** A new macro is private to the user in the namespace, or belongs to the app where that is nobody. */
function placeOf(options: ConfOptions, req: PlatformRequest, app: HostedApp): { place: HostedApp; owner: string } {
  const owner = req.namespaced ? req.ns.user : callerOf(req).user;
  if (owner === undefined) throw new PlatformError(400, 'A wildcard user can only be used for reading.');
  return owner === 'nobody' ? { place: app, owner } : { place: options.users.of(owner, app.name), owner };
}

/** The name says how many arguments there are. */
function check(name: string, settings: Readonly<Record<string, string>>): void {
  const [, base = '', count] = /^([\w-]+)(?:\((\d+)\))?$/.exec(name) ?? [];
  if (base === '')
    throw new PlatformError(400, `Invalid value for argument "name": "${name}" is not the name of a macro.`);
  const args = (settings.args ?? '').split(',').flatMap((arg) => (arg.trim() === '' ? [] : [arg.trim()]));
  const wrong = args.find((arg) => !/^[\w-]+$/.test(arg));
  if (wrong !== undefined || new Set(args).size < args.length || args.length !== Number(count ?? 0))
    throw new PlatformError(
      400,
      `Invalid value for argument "args": it must name ${Number(count ?? 0)} different arguments of letters, digits, "_" and "-".`,
    );
  if (settings.iseval !== undefined && settings.iseval !== '' && parseBoolean(settings.iseval) === undefined)
    throw new PlatformError(400, 'Invalid value for argument "iseval": must be true or false.');
}
