import { callerOf, forbidden } from '../apps/access.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { type EaiEntry, type EaiFields, systemAcl } from './entry.ts';
import { eaiReply, requestBase } from './feed.ts';
import { pickFields } from './paging.ts';
import type { EaiValue } from './xml.ts';

/** Arguments of `POST {entity}/acl`. */
export interface AclChange {
  owner: string;
  sharing: 'user' | 'app' | 'global';
  read: string[] | undefined;
  write: string[] | undefined;
}

type Answer<T> = T | Promise<T>;

/** A collection of entities as EAI serves it; absent operations are not supported. */
export interface EaiHandler {
  /** `/authentication/users` */
  path: string;
  title: string;
  /** Arguments of GET and DELETE beside those of every listing; `any` where names of settings are arguments. */
  reading?: readonly string[] | 'any';
  /** Whether `_reload` and `_acl` exist; default true. */
  isReloadable?: boolean;
  list(req: PlatformRequest): Answer<EaiEntry[]>;
  /** By default the entry of that name in the list. */
  find?(req: PlatformRequest, name: string): Answer<EaiEntry | undefined>;
  /** The entry of the 201; by default the one of that name, which is read again. */
  create?(req: PlatformRequest, name: string): Answer<EaiEntry | undefined>;
  /** The changed entry, likewise. */
  update?(req: PlatformRequest, entry: EaiEntry): Answer<EaiEntry | undefined>;
  /** Entries of the reply; by default the remaining list. */
  remove?(req: PlatformRequest, entry: EaiEntry): Answer<EaiEntry[] | undefined>;
  /** The error for removing an unknown entity, if it is not the usual 404. */
  removeUnknown?(name: string): PlatformError;
  setAcl?(req: PlatformRequest, entry: EaiEntry, change: AclChange): Answer<EaiEntry | undefined>;
  /** `{entity}/enable`, `{entity}/disable`, `{entity}/move`... */
  actions?: Record<string, (req: PlatformRequest, entry: EaiEntry) => Answer<EaiEntry | undefined>>;
  blank?: EntityTemplate;
  /** `_new`, if its content depends on the request. */
  blankContent?(req: PlatformRequest): Record<string, EaiValue>;
}

/** The content of `_new`: the fields of an entity before it is created. */
export interface EntityTemplate {
  fields: EaiFields;
  content: Record<string, EaiValue>;
}

export function notFound(name: string): PlatformError {
  return new PlatformError(404, `Could not find object id=${name}`);
}

function needsTarget(method: string): PlatformError {
  return new PlatformError(400, `Cannot perform action "${method}" without a target name to act on.`);
}

export function requireCapability(req: PlatformRequest, ...anyOf: string[]): void {
  const caller = callerOf(req);
  if (caller.system || anyOf.some((capability) => caller.capabilities.has(capability))) return;
  throw forbidden(caller, anyOf.join(' OR '));
}

/** Arguments that every handler takes. */
const USUAL_ARGUMENTS = new Set([
  'add_orphan_field',
  'count',
  'f',
  'offset',
  'output_mode',
  'search',
  'sort_dir',
  'sort_key',
  'sort_mode',
  'summarize',
]);

/** Refuses unknown arguments, so that a misspelt one is not silently ignored. */
export function onlyArguments(req: PlatformRequest, names: readonly string[]): void {
  for (const [name] of [...req.form, ...req.query]) {
    if (names.includes(name) || USUAL_ARGUMENTS.has(name) || name.startsWith('_')) continue;
    throw new PlatformError(400, `Argument "${name}" is not supported by this handler.`);
  }
}

export function eaiRoutes(handler: EaiHandler): Route[] {
  const { isReloadable = true, reading = [] } = handler;
  const reply = (req: PlatformRequest, entries: EaiEntry[], more: { status?: number; single?: boolean }) => {
    const base = requestBase(req, handler.path);
    const links: Record<string, string> = handler.create === undefined ? {} : { create: `${base}/_new` };
    const feed = { title: handler.title, base, entries, ...more };
    return eaiReply(req, isReloadable ? feed : { ...feed, links, isReloadable });
  };
  const exactly = async (req: PlatformRequest, name: string): Promise<EaiEntry | undefined> =>
    handler.find ? handler.find(req, name) : (await handler.list(req)).find((entry) => entry.name === name);
  // Links encode a slash twice, so a client may send it back with one encoding left; the Python client also writes a
  // space in a path as a plus.
  const find = async (req: PlatformRequest, name: string): Promise<EaiEntry | undefined> => {
    const slashed = name.replace(/%2F/gi, '/');
    for (const candidate of new Set([name, slashed, slashed.replaceAll('+', ' ')])) {
      const entry = await exactly(req, candidate);
      if (entry !== undefined) return entry;
    }
    return undefined;
  };
  const get = async (req: PlatformRequest, name: string): Promise<EaiEntry> => {
    const entry = await find(req, name);
    if (entry === undefined) throw notFound(name);
    return entry;
  };
  const single = (req: PlatformRequest, entry: EaiEntry): PlatformReply =>
    reply(req, [{ fields: fieldsOfExisting(handler), ...entry }].map(pickFields(req.args('f'))), { single: true });

  const changed = async (req: PlatformRequest, { name }: EaiEntry, entry: EaiEntry | undefined) =>
    reply(req, [entry ?? (await get(req, name))], { single: true });

  const collection: Route['handle'] = async (req) => {
    if (req.method === 'GET') return reply(req, await handler.list(req), {});
    if (req.method === 'DELETE') throw needsTarget(req.method);
    if (handler.create === undefined)
      throw new PlatformError(405, 'The method is not allowed.', 'FATAL', [['Allow', 'GET']]);
    const name = req.arg('name');
    if (name === undefined || name === '') throw needsTarget(req.method);
    const made = (await handler.create(req, name)) ?? (await get(req, name));
    return reply(req, [made], { status: 201, single: true });
  };

  const entity: Route['handle'] = async (req, { name = '' }) => {
    if (req.method === 'GET') return single(req, await get(req, name));
    if (req.method === 'POST') {
      const entry = await get(req, name);
      if (handler.update === undefined) throw notAllowed(handler);
      return changed(req, entry, await handler.update(req, entry));
    }
    if (handler.remove === undefined) throw notAllowed(handler);
    const entry = await find(req, name);
    if (entry === undefined) throw handler.removeUnknown?.(name) ?? notFound(name);
    const left = await handler.remove(req, entry);
    return left === undefined ? reply(req, await handler.list(req), {}) : reply(req, left, { single: true });
  };

  const acl: Route['handle'] = async (req, { name = '' }) => {
    const entry = await get(req, name);
    if (req.method === 'GET') return single(req, aclEntry(entry));
    if (handler.setAcl === undefined) throw new PlatformError(400, `The access of "${name}" cannot be changed.`);
    const after = await handler.setAcl(req, entry, aclChange(req));
    // The change may have taken the caller's own right to read it.
    return single(req, aclEntry(after ?? (await find(req, entry.name)) ?? entry));
  };

  const blank: Route['handle'] = (req) =>
    reply(
      req,
      [
        {
          name: '_new',
          acl: systemAcl(true),
          content: handler.blankContent?.(req) ?? handler.blank?.content ?? {},
          fields: handler.blank?.fields ?? { required: ['name'], optional: [], wildcard: [] },
        },
      ],
      { single: true },
    );

  const action: Route['handle'] = async (req, { name = '', action = '' }) => {
    const entry = await get(req, name);
    const run = handler.actions?.[action];
    if (run === undefined) throw new PlatformError(404, 'Not Found');
    return changed(req, entry, await run(req, entry));
  };

  const checked = (route: Route): Route => ({
    ...route,
    handle: (req, params) => {
      if (reading !== 'any' && req.method !== 'POST') onlyArguments(req, reading);
      return route.handle(req, params);
    },
  });

  const routes: Route[] = [
    { method: ['GET', 'POST', 'DELETE'], pattern: handler.path, handle: collection },
    { method: 'GET', pattern: `${handler.path}/_new`, handle: blank },
    { method: ['GET', 'POST', 'DELETE'], pattern: `${handler.path}/{name}`, handle: entity },
    { method: ['GET', 'POST'], pattern: `${handler.path}/{name}/acl`, handle: acl },
    { method: 'POST', pattern: `${handler.path}/{name}/{action}`, handle: action },
  ];
  const reloads: Route[] = [
    { method: 'GET', pattern: `${handler.path}/_acl`, handle: blank },
    { method: ['GET', 'POST'], pattern: `${handler.path}/_reload`, handle: (req) => reply(req, [], {}) },
    {
      method: ['GET', 'POST'],
      pattern: `${handler.path}/{name}/_reload`,
      handle: async (req, { name = '' }) => single(req, await get(req, name)),
    },
  ];
  return [...routes, ...(isReloadable ? reloads : [])].map(checked);
}

/** Checks an update: nothing is required, and the name cannot change. */
function fieldsOfExisting({ blank }: EaiHandler): EaiFields {
  const { required, optional, wildcard } = blank?.fields ?? { required: [], optional: [], wildcard: [] };
  return { required: [], optional: [...required.filter((name) => name !== 'name'), ...optional], wildcard };
}

function notAllowed(handler: EaiHandler): PlatformError {
  const allow = ['GET', ...(handler.update ? ['POST'] : []), ...(handler.remove ? ['DELETE'] : [])];
  return new PlatformError(405, 'The method is not allowed.', 'FATAL', [['Allow', allow.sort().join(', ')]]);
}

function aclEntry(entry: EaiEntry): EaiEntry {
  const { name, acl, base } = entry;
  return { name, acl, content: {}, ...(base === undefined ? {} : { base }) };
}

function aclChange(req: PlatformRequest): AclChange {
  const owner = req.arg('owner');
  const sharing = req.arg('sharing');
  if (owner === undefined || owner === '')
    throw new PlatformError(400, 'The following required arguments are missing: owner.');
  if (sharing === undefined) throw new PlatformError(400, 'The following required arguments are missing: sharing.');
  if (sharing !== 'user' && sharing !== 'app' && sharing !== 'global') {
    throw new PlatformError(400, 'Invalid value for argument "sharing": must be user, app or global.');
  }
  return { owner, sharing, read: roles(req, 'perms.read'), write: roles(req, 'perms.write') };
}

function roles(req: PlatformRequest, name: string): string[] | undefined {
  const values = req.args(name);
  if (values.length === 0) return undefined;
  const names = values.flatMap((text) => text.split(',').map((role) => role.trim())).filter((role) => role !== '');
  if (names.every((role) => role === '*' || /^[A-Za-z0-9_.-]+$/.test(role))) return names;
  throw new PlatformError(400, 'Invalid value for argument "perms": must be role names joined by commas.');
}
