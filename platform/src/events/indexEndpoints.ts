import { join } from 'node:path';
import { callerOf } from '../apps/access.ts';
import { DEFAULT_APP, type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { parseBoolean } from '../confs/conf.ts';
import { writeSettings } from '../confs/writes.ts';
import { type EaiEntry, systemAcl } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { eaiRoutes, onlyArguments, requireCapability } from '../eai/routes.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller, PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { type EventIndexes, INDEX_NAME } from './eventIndexes.ts';

export interface IndexOptions {
  home: string;
  events: EventIndexes;
  apps(): readonly HostedApp[];
  /** The indexes that a caller may search. */
  eventAccess(caller: PlatformCaller): { isAllowed(index: string): boolean };
}

const PATH = '/data/indexes';
/** Settings of a new index that are kept; nothing here heeds them, but `disabled`. */
const SETTINGS = ['datatype', 'frozenTimePeriodInSecs', 'maxTotalDataSizeMB'];

/**
 * `data/indexes`: the indexes that the caller may search, which is stricter than splunkd may be. They are created and
 * disabled here, and not removed.
 */
export function indexRoutes(options: IndexOptions): Route[] {
  const { events } = options;
  const toggle =
    (disabled: '0' | '1') =>
    (req: PlatformRequest, { name }: EaiEntry) => {
      requireCapability(req, 'indexes_edit');
      if (events.isBuiltIn(name)) throw new PlatformError(400, `The index "${name}" cannot be disabled.`);
      writeSettings(appOf(options, name), 'indexes', name, { disabled });
      return undefined;
    };
  return eaiRoutes({
    path: PATH,
    title: 'indexes',
    reading: ['datatype'],
    blank: { fields: { required: ['name'], optional: SETTINGS, wildcard: [] }, content: {} },
    list: (req) => {
      const datatype = req.arg('datatype') ?? 'event';
      if (!['all', 'event', 'metric'].includes(datatype))
        throw new PlatformError(400, 'Invalid value for argument "datatype": must be all, event or metric.');
      const { isAllowed } = options.eventAccess(callerOf(req));
      return events
        .defined()
        .filter(isAllowed)
        .map((name) => entryOf(options, req, name))
        .filter(({ content }) => datatype === 'all' || content.datatype === datatype);
    },
    create: (req, name) => {
      requireCapability(req, 'indexes_edit');
      onlyArguments(req, ['name', ...SETTINGS]);
      if (!INDEX_NAME.test(name) || name.startsWith('_') || name.startsWith('-') || name.includes('kvstore'))
        throw new PlatformError(
          400,
          `Invalid value for argument "name": lower-case letters, digits, "_" and "-" only, beginning with a letter or digit.`,
        );
      if (events.defined().includes(name)) throw new PlatformError(409, `An object with name=${name} already exists`);
      if ((req.arg('datatype') ?? 'event') !== 'event')
        throw new PlatformError(400, 'The embedded platform has indexes of events only.');
      const app = targetApp(options, req);
      const settings = Object.fromEntries(
        SETTINGS.flatMap((key) => (req.arg(key) === undefined ? [] : [[key, req.arg(key) ?? '']])),
      );
      writeSettings(app, 'indexes', name, { homePath: `$SPLUNK_DB/${name}/db`, ...settings });
      return entryOf(options, req, name);
    },
    actions: { enable: toggle('0'), disable: toggle('1') },
  });
}

function targetApp({ apps }: IndexOptions, req: PlatformRequest): HostedApp {
  const name = req.namespaced ? req.ns.app : DEFAULT_APP;
  if (name === undefined) throw new PlatformError(400, 'A wildcard app can only be used for reading.');
  const app =
    apps().find((candidate) => candidate.name === name) ?? apps().find((candidate) => candidate.name === SYSTEM_APP);
  if (app === undefined) throw new PlatformError(404, `Application does not exist: ${name}`);
  return app;
}

/** The app whose indexes.conf defines it. */
function appOf({ apps }: IndexOptions, name: string): HostedApp {
  const app = apps().find((candidate) => Object.hasOwn(candidate.conf('indexes'), name));
  if (app === undefined) throw new PlatformError(404, `Could not find object id=${name}`);
  return app;
}

/** Sizes and counts are text, as splunkd 10.4.2 has them; an index without events has no times. */
function entryOf({ home, events, apps }: IndexOptions, req: PlatformRequest, name: string): EaiEntry {
  const settings = events.settings(name);
  const app = apps().find((candidate) => Object.hasOwn(candidate.conf('indexes'), name))?.name ?? SYSTEM_APP;
  const times = events.all(name).map(({ time }) => time);
  const iso = (time: number | undefined) =>
    time === undefined ? '' : new Date(Math.floor(time) * 1000).toISOString().replace('.000Z', '+0000');
  const canWrite = req.caller?.system === true || req.caller?.capabilities.has('indexes_edit') === true;
  const folder = join(home, 'var', 'lib', 'splunk', name);
  return {
    name,
    base: namespaceBase('nobody', app, PATH),
    acl: { ...systemAcl(canWrite), app },
    content: {
      coldPath: join(folder, 'colddb'),
      currentDBSizeMB: String(Math.ceil(events.size(name) / 1024 / 1024)),
      datatype: settings.datatype?.trim() ?? 'event',
      disabled: parseBoolean(settings.disabled) ?? false,
      frozenTimePeriodInSecs: settings.frozenTimePeriodInSecs ?? '188697600',
      homePath: join(folder, 'db'),
      isInternal: name.startsWith('_'),
      maxTime: iso(times.reduce<number | undefined>((most, time) => Math.max(most ?? time, time), undefined)),
      maxTotalDataSizeMB: settings.maxTotalDataSizeMB ?? '500000',
      minTime: iso(times.reduce<number | undefined>((least, time) => Math.min(least ?? time, time), undefined)),
      thawedPath: join(folder, 'thaweddb'),
      totalEventCount: String(times.length),
      'eai:appName': app,
      'eai:userName': req.ns.user ?? 'nobody',
    },
  };
}
