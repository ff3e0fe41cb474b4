import { callerOf, forbidden } from '../apps/access.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { DEFAULT_APP } from '../apps/hostedApp.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { eaiRoutes, onlyArguments } from '../eai/routes.ts';
import type { Faults } from '../faults/faults.ts';
import { faultGate } from '../faults/gate.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { entryName, parseEntryName } from './names.ts';
import type { PasswordId, PasswordStore, StoredPassword } from './store.ts';

export interface PasswordOptions {
  /** Owned by the caller, which also closes it. */
  store: PasswordStore;
  apps(): readonly HostedApp[];
  faults: Pick<Faults, 'get'>;
  log: PlatformLog;
}

const PATH = '/storage/passwords';
const WRITE = ['edit_storage_passwords', 'admin_all_objects'];
const READ = ['list_storage_passwords', ...WRITE];
const MAX_NAME = 255;
const FIELDS = { required: ['password'], optional: [], wildcard: [] };

/**
 * `/storage/passwords[/{name}]`. Only capabilities decide, not the app's write permission. Readers see the clear text,
 * as on splunkd, but the answer to a write does not have it. Passwords may have any length (older releases allowed 255
 * bytes), names and realms 255 characters.
 */
export function passwordEndpoints(options: PasswordOptions): Route[] {
  const routes = eaiRoutes({
    path: PATH,
    title: 'credential-conf',
    list: (req) =>
      appsInView(options, req).flatMap((app) => options.store.list(app).map((row) => show(options, req, row))),
    find: (req, name) => find(options, req, name),
    create: (req, name) => {
      onlyArguments(req, ['name', 'realm', 'password']);
      const realm = req.arg('realm') ?? '';
      const password = passwordOf(req);
      if (hasControl(name) || hasControl(realm)) {
        throw new PlatformError(400, 'The name and the realm of a password cannot contain control characters.');
      }
      for (const [argument, text] of Object.entries({ name, realm })) {
        if ([...text].length > MAX_NAME)
          throw new PlatformError(400, `Invalid value for argument "${argument}": more than ${MAX_NAME} characters.`);
      }
      const id: PasswordId = { app: targetApp(options, req), realm, name };
      if (!options.store.insert(id, password)) {
        throw new PlatformError(409, `An object with name=${entryName(realm, name)} already exists`);
      }
      return written(options, req, id);
    },
    update: (req, entry) => {
      onlyArguments(req, ['password']);
      const id = writable(options, req, entry);
      if (!options.store.replace(id, passwordOf(req))) throw missing(entry.name);
      return written(options, req, id);
    },
    remove: (req, entry) => {
      if (!options.store.remove(writable(options, req, entry))) throw missing(entry.name);
      return undefined;
    },
    blank: { fields: { required: ['name', 'password'], optional: ['realm'], wildcard: [] }, content: {} },
  });
  return routes.map((route) => ({
    ...route,
    handle: async (req, params) => {
      const access = req.method === 'GET' ? 'read' : 'write';
      if (!may(req, access === 'read' ? READ : WRITE))
        throw forbidden(callerOf(req), `${access === 'read' ? 'list' : 'edit'}_storage_passwords`);
      return faultGate(options.faults, 'passwords', access, req, () => route.handle(req, params));
    },
  }));
}

function may(req: PlatformRequest, anyOf: readonly string[]): boolean {
  const caller = callerOf(req);
  return caller.system || anyOf.some((capability) => caller.capabilities.has(capability));
}

/** One app, or all for a wildcard; `/services` without a namespace means the default app. */
function appsInView(options: PasswordOptions, req: PlatformRequest): string[] {
  const names = options.apps().map((app) => app.name);
  if (req.namespaced && req.ns.app === undefined) return names;
  const app = req.ns.app ?? DEFAULT_APP;
  if (!names.includes(app)) throw new PlatformError(404, `Application does not exist: ${app}`);
  return [app];
}

function targetApp(options: PasswordOptions, req: PlatformRequest): string {
  const [app, ...others] = appsInView(options, req);
  const wildcard = req.namespaced && (req.ns.app === undefined || req.ns.user === undefined);
  if (app === undefined || others.length > 0 || wildcard) {
    throw new PlatformError(400, 'A namespace with a wildcard can only be used for reading passwords.');
  }
  return app;
}

function find(options: PasswordOptions, req: PlatformRequest, text: string): EaiEntry | undefined {
  const parsed = parseEntryName(text);
  if (parsed === undefined) return undefined;
  for (const app of appsInView(options, req)) {
    const row = options.store.get({ app, ...parsed });
    if (row !== undefined) return show(options, req, row);
  }
  return undefined;
}

/** The entry after a write, without the clear text. */
function written(options: PasswordOptions, req: PlatformRequest, id: PasswordId): EaiEntry {
  const row = options.store.get(id);
  // Another process on the same home may have deleted it meanwhile.
  if (row === undefined) throw missing(entryName(id.realm, id.name));
  const entry = show(options, req, row);
  const { clear_password, ...content } = entry.content;
  return { ...entry, content };
}

function writable(options: PasswordOptions, req: PlatformRequest, entry: EaiEntry): PasswordId {
  const app = targetApp(options, req);
  return { app, realm: String(entry.content.realm), name: String(entry.content.username) };
}

function passwordOf(req: PlatformRequest): string {
  const password = req.arg('password');
  if (password !== undefined && password !== '') return password;
  throw new PlatformError(400, 'The following required arguments are missing or empty: password.');
}

function missing(name: string): PlatformError {
  return new PlatformError(404, `Could not find object id=${name}`);
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed();
}

function show(options: PasswordOptions, req: PlatformRequest, row: StoredPassword): EaiEntry {
  const { app, realm, name, sealed, clear } = row;
  if (clear === undefined) {
    options.log.write(
      'ERROR',
      'PasswordsHandler',
      `cannot decrypt a password of app=${app}: was splunk.secret changed?`,
    );
  }
  const canWrite = may(req, WRITE);
  return {
    name: entryName(realm, name),
    base: namespaceBase('nobody', app, PATH),
    acl: {
      app,
      owner: 'nobody',
      sharing: 'app',
      perms: { read: ['*'], write: ['admin'] },
      can_write: canWrite,
      removable: canWrite,
    },
    content: {
      clear_password: clear,
      encr_password: sealed,
      password: '********',
      realm,
      username: name,
    },
    fields: FIELDS,
  };
}
