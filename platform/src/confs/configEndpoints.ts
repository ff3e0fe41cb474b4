import { callerOf, mayAccess } from '../apps/access.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { eaiRoutes } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { parseBoolean } from './conf.ts';
import {
  type ConfOptions,
  confName,
  defaultStanza,
  requireStanzaWrite,
  requireWrite,
  rule,
  type SeenStanza,
  targetApp,
  visibleStanzas,
} from './view.ts';
import { removeSettings, settingsOf, writeAcl, writeSettings } from './writes.ts';

/** The file is part of the path (`conf-x`), so each request uses the routes of its file. */
export function configRoutes(options: ConfOptions): Route[] {
  const forFile = (name: string): Route[] => fileRoutes(options, name);
  // All files have the same patterns, so any one can be mounted.
  return forFile('{file}').map((mounted, index) => ({
    ...mounted,
    handle: (req, params) => {
      const file = params.file ?? '';
      if (!file.startsWith('conf-')) throw new PlatformError(404, 'Not Found');
      const route = forFile(file)[index];
      if (route === undefined) throw new PlatformError(404, 'Not Found');
      return route.handle(req, params);
    },
  }));
}

function fileRoutes(options: ConfOptions, file: string): Route[] {
  const conf = file.replace(/^conf-/, '');
  const path = `/configs/${file}`;
  const entry = (req: PlatformRequest, stanza: SeenStanza): EaiEntry => stanzaEntry(req, path, conf, stanza);
  const find = (req: PlatformRequest, name: string): SeenStanza | undefined =>
    isDefault(name)
      ? defaultStanza(options, req, conf)
      : visibleStanzas(options, req, conf).find((stanza) => stanza.name === name);
  const owner = (req: PlatformRequest, { acl, name }: EaiEntry): HostedApp => {
    if (acl.sharing === 'user') {
      const app = options.users.of(acl.owner, acl.app);
      requireStanzaWrite(req, { app, owner: acl.owner, name }, conf);
      return app;
    }
    // In a namespace, a change goes to its app even if the stanza comes from elsewhere.
    const app = req.namespaced
      ? targetApp(options, req)
      : options.apps().find((candidate) => candidate.name === acl.app);
    if (app === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
    requireWrite(req, app, conf, name);
    return app;
  };
  const toggle = (disabled: '0' | '1') => (req: PlatformRequest, target: EaiEntry) => {
    writeSettings(owner(req, target), conf, target.name, { disabled });
    return undefined;
  };
  return eaiRoutes({
    path,
    title: file,
    reading: 'any',
    blank: { fields: { required: ['name'], optional: [], wildcard: ['.*'] }, content: {} },
    blankContent: (req) => ({ ...defaultStanza(options, req, confName(conf))?.keys }),
    list: (req) => visibleStanzas(options, req, confName(conf)).map((stanza) => entry(req, stanza)),
    find: (req, name) => {
      confName(conf);
      const stanza = find(req, name);
      return stanza === undefined ? undefined : entry(req, stanza);
    },
    create: (req, name) => {
      const app = targetApp(options, req);
      requireWrite(req, app, confName(conf), name);
      if (isDefault(name) || Object.hasOwn(app.conf(conf), name)) {
        throw new PlatformError(409, `An object with name=${name} already exists`);
      }
      writeSettings(app, conf, name, settingsOf(req));
      return undefined;
    },
    update: (req, target) => {
      const app = owner(req, target);
      // REST cannot change the defaults of a file: accepted without effect.
      if (!isDefault(target.name)) writeSettings(app, conf, target.name, settingsOf(req));
      return undefined;
    },
    remove: (req, target) => {
      removeSettings(owner(req, target), conf, target.name);
      return undefined;
    },
    setAcl: (req, target, change) => {
      if (target.acl.sharing === 'user')
        throw new PlatformError(400, `The stanza "${target.name}" is private and can only be removed or changed.`);
      writeAcl(owner(req, target), conf, target.name, change);
      return undefined;
    },
    actions: { enable: toggle('0'), disable: toggle('1') },
  });
}

/** `_new` lists the defaults too, and clients post to it as to a stanza. */
function isDefault(name: string): boolean {
  return name === 'default' || name === '_new';
}

/** Renders a stanza as an entity. @param path of its collection */
export function stanzaEntry(
  req: PlatformRequest,
  path: string,
  conf: string,
  { name, keys, app, owner, removable }: SeenStanza,
): EaiEntry {
  const access = rule(app, conf, name);
  const isPrivate = owner !== 'nobody';
  const canWrite = isPrivate || mayAccess(callerOf(req), access, 'write');
  const exported = app.isExported(objectPath(conf, name));
  return {
    name,
    base: namespaceBase(owner, app.name, path),
    acl: {
      app: app.name,
      owner,
      sharing: isPrivate ? 'user' : app.name === 'system' ? 'system' : exported ? 'global' : 'app',
      perms: isPrivate ? null : access,
      can_write: canWrite,
      removable: canWrite && removable,
    },
    content: {
      disabled: parseBoolean(keys.disabled) ?? false,
      ...Object.fromEntries(Object.entries(keys).filter(([key]) => key !== 'disabled')),
      'eai:appName': app.name,
      'eai:userName': req.ns.user ?? 'nobody',
    },
  };
}
