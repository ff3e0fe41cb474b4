import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf, mayAccess } from '../apps/access.ts';
import { type HostedApp, SYSTEM_APP } from '../apps/hostedApp.ts';
import { objectPath } from '../apps/metadata.ts';
import type { EaiEntry } from '../eai/entry.ts';
import { namespaceBase } from '../eai/feed.ts';
import { eaiRoutes } from '../eai/routes.ts';
import type { PlatformRequest } from '../http/request.ts';
import type { Route } from '../http/route.ts';
import { parseBoolean } from './conf.ts';
import { type ConfOptions, viewOf } from './view.ts';

const PATH = '/datamodel/model';

/** `datamodel/model`: the data models of apps (`data/models/*.json`) with their acceleration, read-only. */
export function dataModelRoutes(options: ConfOptions): Route[] {
  return eaiRoutes({ path: PATH, title: 'datamodel', reading: ['concise'], list: (req) => models(options, req) });
}

/** Models of the namespace's app first, then those that others export. */
function models(options: ConfOptions, req: PlatformRequest): EaiEntry[] {
  const { app: context } = viewOf(req);
  const isOwn = (app: HostedApp) => context === undefined || app.name === context;
  const apps = [...options.apps()].sort((a, b) => Number(isOwn(b)) - Number(isOwn(a)));
  const entries = new Map<string, EaiEntry>();
  for (const app of apps) {
    for (const [name, description] of modelsOf(app)) {
      const path = objectPath('models', name);
      const access = app.access(path);
      const isSeen = isOwn(app) || app.name === SYSTEM_APP || app.isExported(path);
      if (!isSeen || entries.has(name) || !mayAccess(callerOf(req), access, 'read')) continue;
      entries.set(name, {
        name,
        base: namespaceBase('nobody', app.name, PATH),
        acl: {
          app: app.name,
          owner: 'nobody',
          sharing: app.isExported(path) ? 'global' : 'app',
          perms: access,
          can_write: mayAccess(callerOf(req), access, 'write'),
          removable: false,
        },
        content: {
          acceleration: JSON.stringify(acceleration(app, name)),
          description,
          disabled: false,
          displayName: String((JSON.parse(description) as { displayName?: unknown }).displayName ?? name),
          'eai:appName': app.name,
          'eai:digest': '',
          'eai:type': 'models',
          'eai:userName': 'nobody',
        },
      });
    }
  }
  return [...entries.values()];
}

function acceleration(app: HostedApp, name: string): Record<string, unknown> {
  const settings = { ...app.conf('datamodels').default, ...app.conf('datamodels')[name] };
  return {
    enabled: parseBoolean(settings.acceleration) ?? false,
    earliest_time: settings['acceleration.earliest_time'] ?? '',
    cron_schedule: settings['acceleration.cron_schedule'] ?? '*/5 * * * *',
    manual_rebuilds: parseBoolean(settings['acceleration.manual_rebuilds']) ?? false,
  };
}

/** Name and JSON text of each model; a file of `local` replaces one of `default`. One that is no JSON object is left out. */
function modelsOf(app: HostedApp): Map<string, string> {
  const files = ['default', 'local'].flatMap((place) => {
    const folder = join(app.dir, place, 'data', 'models');
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((file): [string, string][] => {
      if (!/^[\w-]+\.json$/.test(file)) return [];
      const text = readFileSync(join(folder, file), 'utf8');
      return isObjectText(text) ? [[file.slice(0, -'.json'.length), text]] : [];
    });
  });
  return new Map(files);
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
