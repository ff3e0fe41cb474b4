import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { callerOf, isPrivileged } from '../../apps/access.ts';
import { type HostedApp, SYSTEM_APP } from '../../apps/hostedApp.ts';
import { objectPath } from '../../apps/metadata.ts';
import type { Stanza } from '../../confs/conf.ts';
import { type ConfOptions, type SeenStanza, stanzasOf, viewOf } from '../../confs/view.ts';
import type { PlatformRequest } from '../../http/request.ts';
import type { SavedSearch } from './savedSearch.ts';

export const CONF = 'savedsearches';

export interface SavedSearchOptions extends ConfOptions {
  home: string;
}

/** The saved searches that a request sees; with wildcards in its namespace, those of several apps and users. */
export function visibleSearches(options: SavedSearchOptions, req: PlatformRequest): SeenStanza[] {
  const view = viewOf(req);
  const apps = view.app === undefined ? options.apps().map(({ name }) => name) : [view.app];
  const isEveryUser = req.namespaced && req.ns.user === undefined && isPrivileged(callerOf(req));
  const users = isEveryUser ? ['nobody', ...userFolders(options.home)] : [view.user];
  const searches = new Map<string, SeenStanza>();
  for (const app of apps) {
    for (const user of users) {
      for (const stanza of stanzasOf(options, { ...view, app, user }, CONF)) {
        if (view.app === undefined && stanza.app.name !== app) continue;
        searches.set(JSON.stringify([stanza.owner, stanza.app.name, stanza.name]), stanza);
      }
    }
  }
  return [...searches.values()];
}

/** The saved search of a stanza, with the owner that the metadata of its app names. */
export function savedSearchOf({ name, app, owner, keys }: SeenStanza): SavedSearch {
  const isPrivate = owner !== 'nobody';
  return { name, app: app.name, owner: isPrivate ? owner : ownerOf(app, name), isPrivate, keys };
}

export function ownerOf(app: HostedApp, name: string): string {
  return app.owner(objectPath(CONF, name)) ?? 'nobody';
}

/** The saved searches of all enabled apps and of all users, as the scheduler reads them. */
export function everySearch({ apps, users, home }: SavedSearchOptions): SavedSearch[] {
  const system = apps()
    .find(({ name }) => name === SYSTEM_APP)
    ?.conf(CONF).default;
  return apps()
    .filter((app) => app.conf('app').install?.state?.trim() !== 'disabled')
    .flatMap((app) => {
      const shared = app.conf(CONF);
      const layers = userFolders(home).filter((user) => existsSync(join(home, 'etc', 'users', user, app.name)));
      const ofApp = namesIn(shared).map((name): SavedSearch => {
        const keys = { ...system, ...shared.default, ...shared[name] };
        return { name, app: app.name, owner: ownerOf(app, name), isPrivate: false, keys };
      });
      const ofUsers = layers.flatMap((owner) => {
        const own = users.of(owner, app.name).conf(CONF);
        return namesIn(own).map((name): SavedSearch => {
          const keys = { ...system, ...shared.default, ...own.default, ...shared[name], ...own[name] };
          return { name, app: app.name, owner, isPrivate: true, keys };
        });
      });
      return [...ofApp, ...ofUsers];
    });
}

function namesIn(conf: Readonly<Record<string, Stanza>>): string[] {
  return Object.keys(conf).filter((name) => name !== 'default');
}

function userFolders(home: string): string[] {
  return readdirSync(join(home, 'etc', 'users'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map((entry) => entry.name);
}
