import { join } from 'node:path';
import { callerOf, isPrivileged } from '../apps/access.ts';
import { DEFAULT_APP, type HostedApp } from '../apps/hostedApp.ts';
import { objectPath, writeAccess } from '../apps/metadata.ts';
import { removeStanza } from '../confs/conf.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { type AclChange, eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { mayUseFile } from './access.ts';
import { isLookupName, type LookupFiles, type LookupLocation } from './files.ts';

export interface LookupOptions {
  files: LookupFiles;
  apps(): readonly HostedApp[];
}

const PATH = '/data/lookup-table-files';

/** `/data/lookup-table-files`: an app's files and its users' private files. */
export function lookupRoutes(options: LookupOptions): Route[] {
  const { files } = options;
  return eaiRoutes({
    path: PATH,
    title: 'lookup-table-files',
    blank: { fields: { required: ['eai:data', 'name'], optional: [], wildcard: [] }, content: {} },
    list: (req) => visibleFiles(options, req),
    create: (req, name) => {
      onlyArguments(req, ['name', 'eai:data']);
      if (!isLookupName(name))
        throw new PlatformError(400, `Invalid value for argument "name": "${name}" is not a file name.`);
      const location = target(options, req);
      requireWrite(options, req, location, name);
      const staged = stagedPath(req);
      if (files.names(location).includes(name))
        throw new PlatformError(409, `An object with name=${name} already exists`);
      files.take(location, name, staged);
      return lookupEntry(options, req, location, name);
    },
    update: (req, entry) => {
      onlyArguments(req, ['eai:data']);
      const location = placeOf(entry);
      requireWrite(options, req, location, entry.name);
      files.take(location, entry.name, stagedPath(req));
      return lookupEntry(options, req, location, entry.name);
    },
    remove: (req, entry) => {
      const location = placeOf(entry);
      requireWrite(options, req, location, entry.name);
      files.remove(location, entry.name);
      // A later file of the same name must not inherit these access rules.
      forgetAccess(options, location, entry.name);
      return undefined;
    },
    setAcl: (req, entry, change) => setAcl(options, req, entry, change),
  });
}

function stagedPath(req: PlatformRequest): string {
  const path = req.arg('eai:data');
  if (path === undefined) throw new PlatformError(400, 'The following required arguments are missing: eai:data.');
  return path;
}

function placeOf({ acl }: EaiEntry): LookupLocation {
  return { app: acl.app, owner: acl.sharing === 'user' ? acl.owner : 'nobody' };
}

function target(options: LookupOptions, req: PlatformRequest): LookupLocation {
  const app = req.namespaced ? req.ns.app : DEFAULT_APP;
  if (app === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  const owner = req.namespaced ? req.ns.user : req.caller?.user;
  if (owner === undefined) throw new PlatformError(400, 'A wildcard user can only be used for reading.');
  if (!options.apps().some((hosted) => hosted.name === app))
    throw new PlatformError(404, `Application does not exist: ${app}`);
  return { app, owner };
}

function isAllowed(
  options: LookupOptions,
  req: PlatformRequest,
  location: LookupLocation,
  name: string,
  half: 'read' | 'write',
): boolean {
  return mayUseFile(options.apps(), callerOf(req), location, name, half);
}

function requireWrite(options: LookupOptions, req: PlatformRequest, location: LookupLocation, name: string): void {
  requireCapability(req, 'upload_lookup_files', 'admin_all_objects');
  if (!isAllowed(options, req, location, name, 'write')) requireCapability(req, 'admin_all_objects');
}

/** The user's own files first, then the app's, then those that other apps export. */
function visibleFiles(options: LookupOptions, req: PlatformRequest): EaiEntry[] {
  const requestedApp = req.namespaced ? req.ns.app : DEFAULT_APP;
  const user = req.namespaced && req.ns.user !== undefined ? req.ns.user : req.caller?.user;
  // A wildcard user lists the private files of all users, for callers who may see everything.
  const everybody = req.namespaced && req.ns.user === undefined && isPrivileged(callerOf(req));
  const users = everybody ? options.files.users() : user === undefined || user === 'nobody' ? [] : [user];
  const entries = new Map<string, EaiEntry>();
  for (const app of options.apps()) {
    for (const owner of [...users, 'nobody']) {
      const location = { app: app.name, owner };
      for (const name of options.files.names(location)) {
        const isRequestedApp = requestedApp === undefined || requestedApp === app.name;
        const visible = isRequestedApp || (owner === 'nobody' && app.isExported(objectPath('lookups', name)));
        if (!visible || !isAllowed(options, req, location, name, 'read')) continue;
        const key = `${requestedApp === undefined ? app.name : ''}/${everybody ? owner : ''}/${name}`;
        const before = entries.get(key);
        if (before === undefined || (isRequestedApp && before.acl.app !== app.name)) {
          entries.set(key, lookupEntry(options, req, location, name));
        }
      }
    }
  }
  return [...entries.values()];
}

function lookupEntry(options: LookupOptions, req: PlatformRequest, location: LookupLocation, name: string): EaiEntry {
  const app = options.apps().find((hosted) => hosted.name === location.app);
  const path = objectPath('lookups', name);
  const owned = location.owner !== 'nobody';
  const canWrite = isAllowed(options, req, location, name, 'write');
  return {
    name,
    base: namespaceBase(location.owner, location.app, PATH),
    acl: {
      app: location.app,
      owner: location.owner,
      sharing: owned ? 'user' : app?.isExported(path) ? 'global' : 'app',
      perms: owned || app === undefined ? null : app.access(path),
      can_write: canWrite,
      removable: canWrite,
    },
    content: {
      disabled: false,
      'eai:appName': location.app,
      'eai:data': options.files.path(location, name),
      'eai:userName': location.owner,
    },
  };
}

function forgetAccess(options: LookupOptions, { app, owner }: LookupLocation, name: string): void {
  const folder = options.apps().find((hosted) => hosted.name === app)?.dir;
  if (folder === undefined || owner !== 'nobody') return;
  removeStanza(join(folder, 'metadata', 'local.meta'), objectPath('lookups', name));
}

function setAcl(options: LookupOptions, req: PlatformRequest, entry: EaiEntry, change: AclChange): EaiEntry {
  const from = placeOf(entry);
  requireWrite(options, req, from, entry.name);
  const to = { app: from.app, owner: change.sharing === 'user' ? change.owner.toLowerCase() : 'nobody' };
  // Sharing a file writes to the app; making it private gives it to the caller only.
  requireWrite(options, req, to, entry.name);
  if (!/^[^/\\\0]+$/.test(to.owner) || to.owner.startsWith('.')) {
    throw new PlatformError(400, 'Invalid value for argument "owner": it is not a user name.');
  }
  if (to.owner !== from.owner) {
    if (options.files.names(to).includes(entry.name)) {
      throw new PlatformError(409, `An object with name=${entry.name} already exists`);
    }
    options.files.move(from, to, entry.name);
    if (to.owner !== 'nobody') forgetAccess(options, from, entry.name);
  }
  const app = options.apps().find((hosted) => hosted.name === to.app);
  if (app !== undefined && change.sharing !== 'user') writeAccess(app, 'lookups', entry.name, change);
  return lookupEntry(options, req, to, entry.name);
}
