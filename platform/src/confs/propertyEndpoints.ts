import { localConfFile } from '../apps/apps.ts';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { eaiReply, requestBase } from '../eai/feed.ts';
import { messagesReply } from '../eai/replies.ts';
import { notFound } from '../eai/routes.ts';
import { writeFileAtomic } from '../home/atomicFile.ts';
import { PlatformError, type PlatformReply } from '../http/reply.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import {
  type ConfOptions,
  confExists,
  confName,
  defaultStanza,
  requireStanzaWrite,
  requireWrite,
  type SeenStanza,
  targetApp,
  visibleConfs,
  visibleStanzas,
} from './view.ts';
import { settingsOf, writeSettings } from './writes.ts';

/** The older API for conf files: names, then single values as text. */
export function propertyRoutes(options: ConfOptions): Route[] {
  const stanzaOf = (req: PlatformRequest, conf: string, name: string): SeenStanza => {
    if (!confExists(options, req, confName(conf))) throw missing(conf);
    const visible =
      name === 'default'
        ? defaultStanza(options, req, conf)
        : visibleStanzas(options, req, conf).find((candidate) => candidate.name === name);
    if (visible === undefined) throw notFound(name);
    return visible;
  };
  return [
    {
      method: ['GET', 'POST'],
      pattern: '/properties',
      handle: (req) =>
        req.method === 'GET'
          ? names(req, '/properties', 'properties', visibleConfs(options, req))
          : createConf(options, req),
    },
    {
      method: ['GET', 'POST'],
      pattern: '/properties/{conf}',
      handle: (req, { conf = '' }) => {
        if (!confExists(options, req, confName(conf))) throw missing(conf);
        if (req.method === 'POST') return createStanza(options, req, conf);
        const stanzas = visibleStanzas(options, req, conf).map((visible) => visible.name);
        return names(req, `/properties/${encodeURIComponent(conf)}`, conf, stanzas);
      },
    },
    {
      method: ['GET', 'POST'],
      pattern: '/properties/{conf}/{stanza}',
      handle: (req, { conf = '', stanza = '' }) => {
        const visible = stanzaOf(req, conf, stanza);
        if (req.method === 'POST') return modify(options, req, conf, visible, settingsOf(req));
        return feed(req, `/properties/${encodeURIComponent(conf)}/${encodeURIComponent(stanza)}`, stanza, visible.keys);
      },
    },
    {
      method: ['GET', 'POST'],
      pattern: '/properties/{conf}/{stanza}/{key}',
      handle: (req, { conf = '', stanza = '', key = '' }) => {
        const visible = stanzaOf(req, conf, stanza);
        if (req.method === 'GET') {
          const value = Object.hasOwn(visible.keys, key) ? visible.keys[key] : undefined;
          if (value === undefined) throw notFound(key);
          return { status: 200, headers: [['Content-Type', 'text/plain; charset=UTF-8']], body: value };
        }
        const value = req.arg('value');
        if (value === undefined) throw new PlatformError(400, 'The following required arguments are missing: value.');
        return modify(options, req, conf, visible, { [key]: value });
      },
    },
  ];
}

function missing(conf: string): PlatformError {
  return new PlatformError(404, `${conf} does not exist`);
}

function names(req: PlatformRequest, path: string, title: string, list: string[]): PlatformReply {
  return feed(req, path, title, Object.fromEntries(list.map((name) => [name, ''])));
}

function feed(req: PlatformRequest, path: string, title: string, values: Record<string, string>): PlatformReply {
  const acl = systemAcl(false);
  const entries: EaiEntry[] = Object.entries(values).map(([name, text]) => ({ name, acl, content: {}, text }));
  return eaiReply(req, { title, base: requestBase(req, path), entries, unpaged: true });
}

/** 201 for a new one, 303 for an existing one; clients rely on the status. */
function created(req: PlatformRequest, path: string, isNew: boolean, what: string): PlatformReply {
  const location: [string, string][] = [['Location', requestBase(req, path)]];
  return messagesReply(
    req,
    isNew ? 201 : 303,
    [{ type: 'INFO', text: `${what} ${isNew ? 'created' : 'exists'}.` }],
    location,
  );
}

function createConf(options: ConfOptions, req: PlatformRequest): PlatformReply {
  const conf = req.arg('__conf');
  if (conf === undefined || conf === '') {
    throw new PlatformError(400, 'The following required arguments are missing: __conf.');
  }
  const exists = confExists(options, req, confName(conf));
  const app = targetApp(options, req);
  requireWrite(req, app, conf, '');
  if (!exists) writeFileAtomic(localConfFile(app, conf), '');
  return created(req, `/properties/${encodeURIComponent(conf)}`, !exists, `Configuration file ${conf}`);
}

function createStanza(options: ConfOptions, req: PlatformRequest, conf: string): PlatformReply {
  const stanza = req.arg('__stanza');
  if (stanza === undefined || stanza === '') {
    throw new PlatformError(400, 'The following required arguments are missing: __stanza.');
  }
  const app = targetApp(options, req);
  requireWrite(req, app, conf, stanza);
  const exists = stanza === 'default' || Object.hasOwn(app.conf(conf), stanza);
  if (!exists) writeSettings(app, conf, stanza, settingsOf(req));
  const path = `/properties/${encodeURIComponent(conf)}/${encodeURIComponent(stanza)}`;
  return created(req, path, !exists, `Stanza ${stanza}`);
}

function modify(
  options: ConfOptions,
  req: PlatformRequest,
  conf: string,
  stanza: SeenStanza,
  settings: Record<string, string>,
): PlatformReply {
  const { owner, name } = stanza;
  const app = req.namespaced && owner === 'nobody' ? targetApp(options, req) : stanza.app;
  requireStanzaWrite(req, { app, owner, name }, conf);
  if (stanza.name !== 'default') writeSettings(app, conf, stanza.name, settings);
  const count = Object.keys(settings).length;
  return messagesReply(req, 200, [
    { type: 'INFO', text: `Successfully modified ${count} attributes of: ${conf}/${stanza.name}` },
  ]);
}
