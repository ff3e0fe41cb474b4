import { callerOf } from '../../apps/access.ts';
import { localConfFile } from '../../apps/apps.ts';
import type { HostedApp } from '../../apps/hostedApp.ts';
import { forgetAccess, writeOwner } from '../../apps/metadata.ts';
import { removeStanza, type Stanza } from '../../confs/conf.ts';
import { requireStanzaWrite, requireWrite, type SeenStanza, targetApp } from '../../confs/view.ts';
import { removeSettings, settingsOf, writeAcl, writeSettings } from '../../confs/writes.ts';
import type { EaiEntry } from '../../eai/entry.ts';
import { type AclChange, eaiRoutes, notFound, onlyArguments, requireCapability } from '../../eai/routes.ts';
import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../../http/request.ts';
import type { Route } from '../../http/route.ts';
import { checkSearch, refusedSearch } from './checks.ts';
import { ENDPOINT_NAMES, PATH, savedSearchEntry } from './entry.ts';
import { CONF, ownerOf, type SavedSearchOptions, savedSearchOf, visibleSearches } from './list.ts';
import { actionsOf, isOn, listOf, type SavedSearch } from './savedSearch.ts';

export interface SavedSearchEndpointOptions extends SavedSearchOptions {
  /** Epoch milliseconds. */
  now(): number;
  /** The user of that name; undefined if there is none. */
  user(name: string): PlatformCaller | undefined;
  /** Forgets what is remembered of the runs of a search that is gone. */
  removed(search: SavedSearch): void;
}

/** Names of settings, as in savedsearches.conf and as the endpoint has them. */
const ARGUMENTS = new Set([
  ...Object.entries(ENDPOINT_NAMES).flat(),
  ...['actions', 'alert_condition', 'allow_skew', 'cron_schedule', 'description', 'disabled', 'displayview'],
  ...['is_visible', 'max_concurrent', 'name', 'realtime_schedule', 'run_on_startup', 'schedule_priority'],
  ...['schedule_window', 'search', 'vsid', 'dispatchAs'],
]);
const GROUPS = /^(?:action|alert|args|dispatch|display|request)\.[\w.:-]+$/;
/** Shown only, and accepted without effect, since clients send back what they read. */
const IGNORED = /^(?:next_scheduled_time|qualifiedSearch|triggered_alert_count)$/;

/**
 * `saved/searches`: those of apps, and private ones of the user in the namespace. A new one is private to the user in the
 * namespace, or belongs to the app where that is nobody.
 */
export function savedSearchRoutes(options: SavedSearchEndpointOptions): Route[] {
  const { now } = options;
  const entry = (req: PlatformRequest, stanza: SeenStanza) => savedSearchEntry(req, stanza, now() / 1000);
  const toggle = (disabled: '0' | '1') => (req: PlatformRequest, target: EaiEntry) => {
    const stanza = writable(options, req, target);
    writeSettings(stanza.app, CONF, target.name, { disabled });
    return undefined;
  };
  return eaiRoutes({
    path: PATH,
    title: CONF,
    reading: ['add_orphan_field', 'earliest_time', 'latest_time', 'listDefaultActionArgs'],
    blank: {
      fields: { required: ['name', 'search'], optional: [...ARGUMENTS], wildcard: [GROUPS.source] },
      content: {},
    },
    list: (req) => visibleSearches(options, req).map((stanza) => entry(req, stanza)),
    create: (req, name) => {
      checkArguments(req);
      const app = targetApp(options, req);
      const owner = req.namespaced ? req.ns.user : callerOf(req).user;
      if (owner === undefined) throw new PlatformError(400, 'A wildcard user can only be used for reading.');
      const place = owner === 'nobody' ? app : options.users.of(owner, app.name);
      requireStanzaWrite(req, { app: place, owner, name }, CONF);
      if (name === 'default' || Object.hasOwn(place.conf(CONF), name)) throw alreadyThere(name);
      const settings = argumentsOf(req, {});
      checkChange(req, defaultsOf(options, app), settings, now());
      writeSettings(place, CONF, name, settings);
      return undefined;
    },
    update: (req, target) => {
      checkArguments(req);
      const stanza = writable(options, req, target);
      const settings = argumentsOf(req, stanza.keys);
      checkChange(req, stanza.keys, settings, now());
      writeSettings(stanza.app, CONF, target.name, settings);
      return undefined;
    },
    remove: (req, target) => {
      const { app, name, ...stanza } = writable(options, req, target);
      const search = savedSearchOf({ app, name, ...stanza });
      removeSettings(app, CONF, name);
      if (!search.isPrivate && !Object.hasOwn(app.conf(CONF), name)) forgetAccess(app, CONF, name);
      options.removed(search);
      return undefined;
    },
    setAcl: (req, target, change) => {
      const stanza = writable(options, req, target);
      if (options.user(change.owner) === undefined)
        throw new PlatformError(400, `Invalid value for argument "owner": there is no user "${change.owner}".`);
      if (change.sharing === 'user') unshare(options, req, stanza, change);
      else share(options, req, stanza, change);
      return undefined;
    },
    actions: { enable: toggle('0'), disable: toggle('1') },
  });
}

/** The stanza of an entity of this request. @throws PlatformError 404 */
function stanzaOf(options: SavedSearchOptions, req: PlatformRequest, { name, acl }: EaiEntry): SeenStanza {
  const stanza = visibleSearches(options, req).find(
    (candidate) => candidate.name === name && candidate.app.name === acl.app && isSame(candidate, acl),
  );
  if (stanza === undefined) throw notFound(name);
  return stanza;
}

function isSame(stanza: SeenStanza, { owner, sharing }: EaiEntry['acl']): boolean {
  return sharing === 'user' ? stanza.owner === owner : stanza.owner === 'nobody';
}

function writable(options: SavedSearchOptions, req: PlatformRequest, target: EaiEntry): SeenStanza {
  const stanza = stanzaOf(options, req, target);
  requireStanzaWrite(req, stanza, CONF);
  return stanza;
}

function checkArguments(req: PlatformRequest): void {
  const grouped = [...req.form, ...req.query]
    .map(([name]) => name)
    .filter((name) => GROUPS.test(name) || IGNORED.test(name));
  onlyArguments(req, [...ARGUMENTS, ...grouped]);
}

/** The arguments by their names in savedsearches.conf; `actions` switches each action on or off. */
function argumentsOf(req: PlatformRequest, before: Stanza): Stanza {
  const confNames = new Map(Object.entries(ENDPOINT_NAMES).map(([conf, endpoint]) => [endpoint, conf]));
  const settings: Stanza = Object.create(null);
  for (const [key, value] of Object.entries(settingsOf(req))) {
    if (!IGNORED.test(key)) settings[confNames.get(key) ?? key] = value;
  }
  const { actions, ...others } = settings;
  if (actions === undefined) return others;
  const listed = listOf(actions);
  const off = actionsOf(before).filter((name) => !listed.includes(name));
  return {
    ...others,
    ...Object.fromEntries(off.map((name) => [`action.${name}`, '0'])),
    ...Object.fromEntries(listed.map((name) => [`action.${name}`, '1'])),
  };
}

/** A user without the right to schedule may neither schedule a search nor change one that is scheduled. */
function checkChange(req: PlatformRequest, before: Stanza, settings: Stanza, now: number): void {
  const after = { ...before, ...settings };
  if (isOn(after, 'enableSched')) requireCapability(req, 'schedule_search');
  checkSearch(after, now);
}

function defaultsOf({ apps }: SavedSearchOptions, app: HostedApp): Stanza {
  const system = apps().find(({ name }) => name === 'system');
  return { ...system?.conf(CONF).default, ...app.conf(CONF).default };
}

function alreadyThere(name: string): PlatformError {
  return refusedSearch(
    `Unable to create saved search with name '${name}'. A saved search with that name already exists.`,
    409,
  );
}

function appOf({ apps }: SavedSearchOptions, name: string): HostedApp {
  const app = apps().find((candidate) => candidate.name === name);
  if (app === undefined) throw new PlatformError(404, `Application does not exist: ${name}`);
  return app;
}

/** Makes a search one of its app. It runs as its owner: only administrators make another user the owner. */
function share(options: SavedSearchOptions, req: PlatformRequest, stanza: SeenStanza, change: AclChange): void {
  const { name, app: layer, owner } = stanza;
  const app = appOf(options, layer.name);
  requireWrite(req, app, CONF, name);
  requireOwner(req, owner === 'nobody' ? ownerOf(app, name) : owner, change.owner);
  if (owner !== 'nobody') {
    if (Object.hasOwn(app.conf(CONF), name)) throw alreadyThere(name);
    writeSettings(app, CONF, name, { ...layer.conf(CONF)[name] });
    removeStanza(localConfFile(layer, CONF), name);
  }
  writeAcl(app, CONF, name, change);
  writeOwner(app, CONF, name, change.owner);
}

/** Makes a search of an app private to its owner. */
function unshare(options: SavedSearchOptions, req: PlatformRequest, stanza: SeenStanza, change: AclChange): void {
  const { name, app, owner } = stanza;
  const before = owner === 'nobody' ? ownerOf(app, name) : owner;
  requireOwner(req, before, change.owner);
  if (change.owner === owner) return;
  if (change.owner === 'nobody')
    throw new PlatformError(400, 'Invalid value for argument "owner": a private object needs a user.');
  const layer = options.users.of(change.owner, app.name);
  if (Object.hasOwn(layer.conf(CONF), name)) throw alreadyThere(name);
  const keys = { ...app.conf(CONF)[name] };
  // First, since it refuses a search that comes from the app's default folder.
  removeSettings(app, CONF, name);
  writeSettings(layer, CONF, name, keys);
  if (owner === 'nobody') forgetAccess(app, CONF, name);
}

function requireOwner(req: PlatformRequest, before: string, after: string): void {
  if (after !== before && after !== callerOf(req).user) requireCapability(req, 'admin_all_objects');
}
